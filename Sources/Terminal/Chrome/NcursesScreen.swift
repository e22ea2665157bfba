import CNcurses
import Glibc

/// Owns a C stream.
final class CStream {
  let pointer: UnsafeMutablePointer<FILE>

  /// Takes ownership of `pointer`.
  private init(_ pointer: UnsafeMutablePointer<FILE>) { self.pointer = pointer }

  /// Opens a path, close-on-exec.
  static func open(_ path: String, _ mode: String) throws(TerminalError) -> CStream {
    guard let stream = fopen(path, mode + "e") else {
      throw TerminalError.system("opening \(path)", code: errno)
    }
    return CStream(stream)
  }

  deinit { fclose(pointer) }
}

/// The process's ncurses screen, which is never displayed.
///
/// Its output and input are /dev/null, so ncurses can neither write to the tty nor change its modes. The
/// capabilities of the user's terminal do not matter.
///
/// There is one, for the life of the process: ncurses keeps the windows of all screens in one list, and resizing
/// one screen clips those of the others. Compositors share it, because each composition starts with an empty
/// screen and is read back before the next begins.
///
/// `@unchecked Sendable`: all mutable state, here and in ncurses, is accessed inside `Ncurses.exclusively`
/// only.
final class NcursesScreen: @unchecked Sendable {
  static let shared = Result { () throws(TerminalError) in try NcursesScreen() }

  private let output: CStream
  private let input: CStream
  private let locale: UTF8Locale
  private let pointer: OpaquePointer
  private var columns = 0
  private var rows = 0

  /// Terminal types for ncurses, richest first; every system has one of them.
  private static let types = ["xterm-256color", "xterm", "screen", "linux", "ansi", "vt100"]

  private init() throws(TerminalError) {
    let locale = try UTF8Locale.found.get()
    self.locale = locale
    output = try CStream.open("/dev/null", "w")
    input = try CStream.open("/dev/null", "r")
    let (output, input) = (output.pointer, input.pointer)
    var code: Int32 = 0
    let screen: OpaquePointer? = Ncurses.exclusively {
      locale.with {
        qd_ignore_environment_size()
        // newterm installs signal handlers where there are none; it must not.
        let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
        var former = Array(repeating: sigaction(), count: signals.count)
        for (i, number) in signals.enumerated() { sigaction(number, nil, &former[i]) }
        defer { for (i, number) in signals.enumerated() { sigaction(number, &former[i], nil) } }
        for type in Self.types where TerminfoFile.damaged(type) == nil {
          errno = 0
          if let screen = newterm(type, output, input) { return screen }
          if TerminalError.tellsWant(errno) { code = errno }
        }
        return nil
      }
    }
    guard code == 0 || screen != nil else { throw TerminalError.system("reading the terminfo database", code: code) }
    guard let screen else { throw TerminalError.compositor("no terminal type is in the terminfo database") }
    pointer = screen
  }

  /// Runs `body` with exclusive access to ncurses; must not be nested.
  func with<R>(_ body: () throws -> R) rethrows -> R {
    try Ncurses.exclusively {
      set_term(pointer)
      return try locale.with(body)
    }
  }

  /// Runs `body` with a virtual screen of at least this size.
  func with<R>(columns: Int, rows: Int, _ body: () throws -> R) rethrows -> R {
    try with {
      if columns > self.columns || rows > self.rows {
        self.columns = max(columns, self.columns)
        self.rows = max(rows, self.rows)
        resize_term(Int32(self.rows), Int32(self.columns))
        fillWithHoles()
      }
      return try body()
    }
  }

  /// The lowest layer, never drawn on, is transparent.
  private func fillWithHoles() {
    guard let background = qd_stdscr() else { return }
    var blank = cchar_t()
    qd_cell_set(&blank, 0x20, StyleTable.hole)
    for row in 0..<rows { qd_draw_line(background, Int32(row), 0, &blank, Int32(columns)) }
  }
}
