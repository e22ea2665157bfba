import Glibc
import Libav
import Pixels

/// Reads small files, such as settings.
package enum InputText {
  /// The time to wait for a pipe's writer, in milliseconds.
  private static let patience: Int32 = 5000

  /// Returns the text of a file; nil if there is no such file.
  ///
  /// Text that starts with a byte order mark, or whose zeros show that it is UTF-16, becomes UTF-8 without one. Lines end
  /// with "\n". Other bytes, which need not be UTF-8, are unchanged. Waits a short time for the writer of a pipe.
  ///
  /// - Parameters:
  ///   - path: as returned by `Asset.path(ofBytes:)`.
  ///   - limit: the maximum size in bytes; a longer file is an error.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  public static func read(_ path: String, limit: Int) throws -> [UInt8]? {
    try bytes(of: path, limit: limit).map(plain)
  }

  /// Returns the bytes of a file, as `read(_:limit:)` otherwise.
  static func bytes(of path: String, limit: Int) throws -> [UInt8]? {
    let bytes = try beginning(of: path, limit: limit.saturatingAdd(1))
    guard bytes?.count ?? 0 <= limit else { throw PlaybackError(.tooLarge, "has more than \(limit) bytes") }
    return bytes
  }

  /// Returns text as `read(_:limit:)` does, from the bytes of a file.
  package static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes
    if let encoding = TextEncoding.marked(bytes) ?? TextEncoding.wide(bytes) { text = TextEncoding.utf8(bytes, from: encoding) }
    if text.starts(with: mark) { text.removeFirst(mark.count) }
    guard text.contains(0x0D) else { return text }
    // Only a file without any other line end uses these alone.
    guard text.contains(0x0A) else { return text.map { $0 == 0x0D ? 0x0A : $0 } }
    return text.indices.compactMap { at in
      text[at] == 0x0D && at + 1 < text.count && text[at + 1] == 0x0A ? nil : text[at]
    }
  }

  /// The byte order mark of UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns true if a path is that of a regular file; data read from others may be lost to the next reader.
  package static func isRegularFile(_ path: String) -> Bool {
    FileName.status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// Returns the first bytes of a file; nil if there is no such file.
  ///
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  package static func beginning(of path: String, limit: Int) throws -> [UInt8]? {
    let limit = max(0, limit)
    let file = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw PlaybackError("cannot be read", errno: errno)
    }
    defer { close(file) }
    var status = stat()
    let isPipe = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    func waitForInput() throws {
      var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, patience) == 0 else { return }
      throw PlaybackError(.notAFile, isPipe ? "is a pipe with no writer" : "has no data to read")
    }
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while true {
      if isPipe { try waitForInput() }
      let count = Glibc.read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        try waitForInput()
        continue
      }
      guard count >= 0 else { throw PlaybackError("cannot be read", errno: errno) }
      if count == 0 { return result }
      result += part[..<count]
      if result.count >= limit { return Array(result.prefix(limit)) }
    }
  }
}
