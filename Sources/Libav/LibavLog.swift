import CFFmpeg
import Glibc
import PlainText
import Synchronization

/// The destination of libav's log messages; one setting for the process, as in libav.
///
/// libav would write to stderr, where a terminal interface lives. What matters comes as errors.
public enum LibavLog {
  /// -1: nowhere.
  private static let descriptor = Atomic<Int32>(-1)
  private static let longestLine = 1024

  public static func silence() { av_log_set_level(AV_LOG_QUIET) }

  /// Writes each message as a line to `file`, from whichever thread it comes.
  ///
  /// - Parameter file: a descriptor, best opened to append; it is never closed, since libav may write as long as the
  ///   process lives.
  public static func write(to file: Int32) {
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

  /// Text that comes from a file must not steer the terminal of whoever reads the log.
  private static func put(_ text: Slice<UnsafeMutableBufferPointer<CChar>>) {
    var bytes = text.map(UInt8.init(bitPattern:))
    while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
    var line = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { line.append(scalar.steersTerminals ? "?" : scalar) }
    bytes = Array(String(line).utf8) + [10]
    // One call a line: lines of several threads stay whole.
    _ = Glibc.write(descriptor.load(ordering: .acquiring), bytes, bytes.count)
  }
}
