import Pixels

/// The answer to one time that an image generator was asked for.
public struct GeneratedImage: Sendable {
  /// A frame, or why there is none.
  public enum Outcome: Sendable {
    /// The frame, with the time at which it is shown.
    case succeeded(Still)
    /// The frame could not be had.
    case failed(PlaybackError)
    /// It was called off before its frame was there.
    case cancelled
  }

  /// The time as it was asked for; indefinite where a frame's number was.
  public let requestedTime: MediaTime
  /// What came of it.
  public let outcome: Outcome

  /// An answer to a request for `requestedTime`.
  public init(requestedTime: MediaTime, outcome: Outcome) {
    self.requestedTime = requestedTime
    self.outcome = outcome
  }

  /// The frame, nil where there is none.
  public var image: PixelImage? {
    if case .succeeded(let still) = outcome { return still.image }
    return nil
  }

  /// When the frame is shown first; nil where there is none.
  public var actualTime: MediaTime? {
    if case .succeeded(let still) = outcome { return still.timing.pts }
    return nil
  }

  /// The frame with its timing.
  ///
  /// - Throws: `PlaybackError`, with reason `cancelled` when it was called off.
  public func get() throws -> Still {
    switch outcome {
    case .succeeded(let still): return still
    case .failed(let error): throw error
    case .cancelled: throw PlaybackError(.cancelled, "image generation was cancelled")
    }
  }
}
