import Synchronization

/// The clips of a composition that could not be had. Safe from any thread.
final class CompositionFailures: Sendable {
  private let state = Mutex<[Int: MissingClip]>([:])

  /// Returns true if a clip of this number is among them.
  func contains(_ number: Int) -> Bool { state.withLock { $0[number] != nil } }

  /// Takes up why a clip cannot be had. That reading was called off tells nothing of the clip.
  func note(_ clip: CompositionPlan.Clip, _ error: any Error) {
    let missing = MissingClip(path: clip.clip.asset.path, timeRange: clip.timeRange, error: PlaybackError(error))
    guard missing.error.reason != .cancelled else { return }
    state.withLock { $0[clip.number] = $0[clip.number] ?? missing }
  }

  /// In the order of their times.
  var all: [MissingClip] {
    state.withLock { Array($0.values) }.sorted { $0.timeRange.start < $1.timeRange.start }
  }
}

/// A clip of a composition that could not be opened or decoded.
public struct MissingClip: Hashable, Sendable {
  /// The file's name; untrusted text that may include control characters.
  public let path: String
  /// The clip's range on the composition's timeline.
  public let timeRange: TimeRange
  /// The reason.
  public let error: PlaybackError
}
