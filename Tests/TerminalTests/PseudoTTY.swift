import Glibc

@testable import Terminal

/// The terminal's side of a pseudo-terminal, and a hold on the other so that it outlives a session.
final class PseudoTTY {
  let path: String
  let master: Int32
  private let slave: Int32

  init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &name, nil, nil) == 0 else {
      throw TerminalError.system("openpty", code: errno)
    }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK)
    (self.master, self.slave) = (master, slave)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    close(slave)
    if isOpen { close(master) }
  }

  private var isOpen = true

  func hangUp() {
    close(master)
    isOpen = false
  }

  func setSize(columns: UInt16, rows: UInt16, width: UInt16 = 0, height: UInt16 = 0) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: width, ws_ypixel: height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// The line settings as bytes, to be compared.
  var attributes: [UInt8] {
    var attributes = termios()
    tcgetattr(slave, &attributes)
    return withUnsafeBytes(of: attributes) { Array($0) }
  }

  var isRaw: Bool {
    var attributes = termios()
    tcgetattr(slave, &attributes)
    return attributes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
      && attributes.c_oflag & tcflag_t(OPOST) == 0
  }

  /// Returns what the program has written; waits until `isEnough`, or for `patience` seconds at most.
  func read(patience: UInt64 = 60, until isEnough: (String) -> Bool = { _ in true }) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    let end = monotonicNanoseconds() + patience * 1_000_000_000
    while true {
      let count = Glibc.read(master, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if isEnough(text) || monotonicNanoseconds() > end { return text }
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      poll(&request, 1, 100)
    }
  }

  /// Types at the terminal.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }
}
