import Libav

/// The destination of the decoding libraries' own messages; one setting for the whole process.
///
/// Failures are reported through errors and events; these messages help to find their causes. By default they are discarded,
/// since stderr may be the terminal of a text interface.
public enum DecoderLog {
  /// Discards all further messages, as by default.
  public static func silence() { LibavLog.silence() }

  /// Appends all further messages to a file, one per line; "/dev/stderr" shows them.
  ///
  /// A line that a pipe does not accept immediately is dropped.
  ///
  /// - Throws: `PlaybackError` if the file cannot be written.
  public static func write(to path: String) throws { try write(to: path, sparing: []) }

  /// - Parameter clips: files that must not be overwritten, compared by identity, not by name.
  package static func write(to path: String, sparing clips: [String]) throws {
    LibavLog.write(to: try OutputFile.openToAppend(path, sparing: clips))
  }
}
