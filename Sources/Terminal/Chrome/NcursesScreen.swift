import CNcurses
import Glibc

/// Owns a stream of the C library.
final class CStream {
  let pointer: UnsafeMutablePointer<FILE>

  /// Takes over `pointer`.
  private init(_ pointer: UnsafeMutablePointer<FILE>) { self.pointer = pointer }

  /// Opens a path, close-on-exec.
  static func open(_ path: String, _ mode: String) throws -> CStream {
    guard let stream = fopen(path, mode + "e") else { throw TerminalError.system("opening \(path)", code: errno) }
    return CStream(stream)
  }

  deinit { fclose(pointer) }
}

/// Owns an ncurses screen that no terminal shows.
///
/// Its output and its input are /dev/null, so ncurses can neither write to the tty nor change
/// its modes. What the user's terminal can do does not matter to it.
final class NcursesScreen {
  private let output: CStream
  private let input: CStream
  private let pointer: OpaquePointer

  /// Types of terminals for ncurses to believe in, the richest first; one of them is on every system.
  private static let types = ["xterm-256color", "xterm", "screen", "linux", "ansi", "vt100"]

  init(columns: Int, rows: Int) throws {
    let output = try CStream.open("/dev/null", "w")
    let input = try CStream.open("/dev/null", "r")
    guard let locale = UTF8Locale.shared else {
      throw TerminalError.compositor("the system has no UTF-8 locale (C.UTF-8)")
    }
    let screen: OpaquePointer? = Ncurses.exclusively {
      locale.with {
        qd_ignore_environment_size()
        // newterm catches signals that nobody catches yet; they are not its to take.
        let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
        var former = Array(repeating: sigaction(), count: signals.count)
        for (i, number) in signals.enumerated() { sigaction(number, nil, &former[i]) }
        defer { for (i, number) in signals.enumerated() { sigaction(number, &former[i], nil) } }
        for type in Self.types {
          if let screen = newterm(type, output.pointer, input.pointer) { return screen }
        }
        return nil
      }
    }
    guard let screen else { throw TerminalError.compositor("no terminal type is in the terminfo database") }
    self.output = output
    self.input = input
    pointer = screen
    with { _ = resize_term(Int32(rows), Int32(columns)) }
  }

  deinit {
    Ncurses.exclusively {
      set_term(pointer)
      delscreen(pointer)
    }
  }

  /// Runs `body` with this screen as ncurses' current one; not to be nested.
  func with<R>(_ body: () throws -> R) rethrows -> R {
    try Ncurses.exclusively {
      set_term(pointer)
      guard let locale = UTF8Locale.shared else { return try body() }
      return try locale.with(body)
    }
  }
}
