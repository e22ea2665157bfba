import CFFmpeg
import Glibc
import PlainText
import Synchronization

/// The destination of libav's log messages; one setting for the process, as in libav.
///
/// Silent by default: libav itself would write to stderr, which may be the terminal of a text interface. Failures are reported
/// as errors.
public enum LibavLog {
  /// -1 for nowhere.
  private static let descriptor = Atomic<Int32>(-1)
  private static let longestLine = 1024
  /// The log's device and inode; 0 for none.
  private static let device = Atomic<UInt64>(0)
  private static let inode = Atomic<UInt64>(0)

  /// Silences libav, once, before it does anything; later settings are kept.
  static let isSilentByDefault: Void = av_log_set_level(AV_LOG_QUIET)

  public static func silence() {
    _ = isSilentByDefault
    av_log_set_level(AV_LOG_QUIET)
  }

  /// Writes each message as a line to `file`, from any thread.
  ///
  /// - Parameter file: a descriptor, preferably opened to append. It is never closed, since libav may write for the
  ///   lifetime of the process.
  public static func write(to file: Int32) {
    _ = isSilentByDefault
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      device.store(UInt64(status.st_dev), ordering: .relaxed)
      inode.store(UInt64(status.st_ino), ordering: .relaxed)
    }
    descriptor.store(file, ordering: .releasing)
    av_log_set_level(AV_LOG_INFO)
    av_log_set_callback { context, level, format, arguments in
      guard level <= av_log_get_level(), let format, let arguments else { return }
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: LibavLog.longestLine) { line in
        guard let base = line.baseAddress else { return }
        var wantsPrefix: Int32 = 1
        let length = av_log_format_line2(
          context, level, format, arguments, base, Int32(line.count - 1), &wantsPrefix)
        guard length > 0 else { return }
        LibavLog.put(line[..<min(Int(length), line.count - 2)])
      }
    }
  }

  /// Returns true if messages are written to a file, which must then not be read as a clip: reading it would change it.
  static func isWritten(to status: stat) -> Bool {
    let inode = inode.load(ordering: .relaxed)
    return inode != 0 && inode == UInt64(status.st_ino) && device.load(ordering: .relaxed) == UInt64(status.st_dev)
  }

  /// Returns a message with the addresses in it cut short: without user, password and query, which may be a key.
  static func withoutSecrets(_ text: String) -> String {
    var result = "", rest = text[...]
    while let scheme = rest.firstRange(of: "://") {
      result += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      let address = rest.prefix { !" \t\n'\"<>".contains($0) }
      rest = rest[address.endIndex...]
      let authority = address.prefix { !"/?#".contains($0) }
      var shown = authority.lastIndex(of: "@").map { address[address.index(after: $0)...] } ?? address
      if let query = shown.firstIndex(where: { $0 == "?" || $0 == "#" }) {
        shown = shown[...query]
        result += shown + "…"
      } else {
        result += shown
      }
    }
    return result + rest
  }

  /// Text from a file must not control the terminal of whoever reads the log.
  private static func put(_ text: Slice<UnsafeMutableBufferPointer<CChar>>) {
    var bytes = text.map(UInt8.init(bitPattern:))
    while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
    var line = String.UnicodeScalarView()
    for scalar in withoutSecrets(String(decoding: bytes, as: UTF8.self)).unicodeScalars { line.append(scalar.steersTerminals ? "?" : scalar) }
    bytes = Array(String(line).utf8) + [10]
    // One call per line keeps lines of several threads intact.
    _ = Glibc.write(descriptor.load(ordering: .acquiring), bytes, bytes.count)
  }
}
