import Libav

/// The destination of the decoding libraries' own messages; one setting for the whole process.
///
/// Failures are reported through errors and events; these messages help to find their causes. By default they go to stderr,
/// which may be the terminal of a text interface; call `write` or `silence` to change that.
public enum DecoderLog {
  /// Discards all further messages.
  public static func silence() { LibavLog.silence() }

  /// Appends all further messages to a file, one per line.
  ///
  /// A line that a pipe does not accept immediately is dropped.
  ///
  /// - Parameter clips: files that must not be overwritten, compared by identity, not by name.
  /// - Throws: `PlaybackError` if the file cannot be written.
  public static func write(to path: String, sparing clips: [String] = []) throws {
    LibavLog.write(to: try OutputFile.openToAppend(path, sparing: clips))
  }
}
