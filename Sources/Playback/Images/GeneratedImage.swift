import Pixels

/// The result of one request to an image generator.
public struct GeneratedImage: Sendable {
  /// A frame, or the reason that there is none.
  public enum Outcome: Sendable {
    /// The frame, with its display time.
    case succeeded(Still)
    /// The frame could not be generated.
    case failed(PlaybackError)
    /// The request was cancelled before its frame was ready.
    case cancelled
  }

  /// The requested time; indefinite if a frame was requested by number.
  public let requestedTime: MediaTime
  /// The outcome of the request.
  public let outcome: Outcome

  /// Creates the result of a request for `requestedTime`.
  public init(requestedTime: MediaTime, outcome: Outcome) {
    self.requestedTime = requestedTime
    self.outcome = outcome
  }

  /// The image; nil if there is none.
  public var image: PixelImage? {
    if case .succeeded(let still) = outcome { return still.image }
    return nil
  }

  /// The start of the frame's display time; nil if there is no frame.
  public var actualTime: MediaTime? {
    if case .succeeded(let still) = outcome { return still.timing.pts }
    return nil
  }

  /// Returns the frame with its timing.
  ///
  /// - Throws: `PlaybackError`, with reason `cancelled` if the request was cancelled.
  public func get() throws -> Still {
    switch outcome {
    case .succeeded(let still): return still
    case .failed(let error): throw error
    case .cancelled: throw PlaybackError(.cancelled, "image generation was cancelled")
    }
  }
}
