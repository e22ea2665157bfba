import Glibc
import Libav

/// Where the decoding libraries' own messages go; one setting for the whole process.
///
/// What goes wrong is told by errors and events; the messages are for finding out why. Unless `write` or `silence`
/// was called they go to stderr, where a terminal interface lives.
public enum DecoderLog {
  public static func silence() { LibavLog.silence() }

  /// Appends the messages to a file, one a line, for as long as the process lives.
  ///
  /// - Throws: `PlaybackError` when the file cannot be written.
  public static func write(to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
    guard file >= 0 else { throw PlaybackError(.system, String(cString: strerror(errno))) }
    LibavLog.write(to: file)
  }
}
