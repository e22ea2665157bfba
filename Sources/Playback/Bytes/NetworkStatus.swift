import Transport

/// The state of fetching a source from a server.
public struct NetworkStatus: Hashable, Sendable {
  /// A hindrance that may pass.
  public enum Trouble: Hashable, Sendable {
    /// Another attempt follows, in seconds. The text says what has failed.
    case retrying(String, seconds: Double)
    /// Nothing has come for a number of seconds.
    case silent(seconds: Double)
    /// A live source has sent no frame for a number of seconds.
    case noFrame(seconds: Double)
  }

  /// Segments of a stream that could not be loaded, and are left out.
  public struct MissingSegments: Hashable, Sendable {
    /// Their number, at least 1.
    public internal(set) var count: Int
    /// The reason that the latest one could not be loaded.
    public internal(set) var latest: PlaybackError
  }

  /// The state of writing a live source to a file.
  public enum Recording: Hashable, Sendable {
    /// Arriving packets are written to the file.
    case running(file: String)
    /// The recording ended with an error; what has been written stays.
    case stopped(PlaybackError)
  }

  /// The address of the source, after redirects; nil before the server has answered.
  var address: NetworkURL?
  /// The number of requests so far; of a live source, of connections.
  public internal(set) var requests = 0
  /// The number of bytes received so far.
  public internal(set) var bytes: Int64 = 0
  /// The segments of a stream that could not be loaded; nil if there are none.
  public internal(set) var missing: MissingSegments?
  /// The hindrance; nil if there is none.
  public internal(set) var trouble: Trouble?
  /// The state of writing the source to a file; nil if it is not written.
  public internal(set) var recording: Recording?
}
