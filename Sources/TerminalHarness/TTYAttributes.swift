import Glibc

/// The settings of a tty (termios) as a value that can be compared, to check that a program restored them.
public struct TTYAttributes: Hashable, Sendable {
  public var input: UInt32
  public var output: UInt32
  public var control: UInt32
  public var local: UInt32
  /// The control characters by their index (`VINTR` …), with `VMIN` and `VTIME`.
  public var controlCharacters: [UInt8]

  init(_ settings: termios) {
    input = settings.c_iflag
    output = settings.c_oflag
    control = settings.c_cflag
    local = settings.c_lflag
    controlCharacters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
  }

  /// True if the tty delivers whole lines (`ICANON`), as a shell leaves it.
  public var isCanonical: Bool { local & UInt32(ICANON) != 0 }
  /// True if the tty echoes typed characters.
  public var echoes: Bool { local & UInt32(ECHO) != 0 }
}
