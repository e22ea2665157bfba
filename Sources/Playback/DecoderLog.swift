import Libav

/// Where the decoding libraries' own messages go; one setting for the whole process.
///
/// What goes wrong is told by errors and events; the messages are for finding out why. Unless `write` or `silence`
/// was called they go to stderr, where a terminal interface lives.
public enum DecoderLog {
  /// Drops the messages from now on.
  public static func silence() { LibavLog.silence() }

  /// Appends the messages to a file, one a line, for as long as the process lives.
  ///
  /// A line that a pipe does not take at once is dropped.
  ///
  /// - Parameter clips: names of files that must not be written, compared by what they name.
  /// - Throws: `PlaybackError` that says why not, in words that go behind the file's name.
  public static func write(to path: String, sparing clips: [String] = []) throws {
    LibavLog.write(to: try OutputFile.openToAppend(path, sparing: clips))
  }
}
