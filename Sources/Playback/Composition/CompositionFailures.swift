import Synchronization

/// The missing clips of a composition. Safe to use from any thread.
final class CompositionFailures: Sendable {
  private let state = Mutex<[Int: MissingClip]>([:])

  /// Returns true if a clip of this number is among them.
  func contains(_ number: Int) -> Bool { state.withLock { $0[number] != nil } }

  /// Records why a clip is missing. Cancelled reading says nothing about the clip.
  func note(_ clip: CompositionPlan.Clip, _ error: any Error) {
    let missing = MissingClip(path: clip.clip.asset.path, timeRange: clip.timeRange, error: PlaybackError(error), line: clip.line)
    guard missing.error.reason != .cancelled else { return }
    state.withLock { $0[clip.number] = $0[clip.number] ?? missing }
  }

  /// Returns the error for a clip of this number; nil if it is not among them.
  func error(of number: Int) -> PlaybackError? { state.withLock { $0[number] }?.namedError }

  /// Records all uses of a clip that could not be opened, or has no such track.
  func note(_ facts: Result<AssetFacts, any Error>, of source: CompositionClip, in plan: CompositionPlan) {
    let failure: any Error
    switch facts {
    case .success(let facts):
      guard facts.videoTrack(source.videoTrack) == nil else { return }
      failure = MovieSource.noVideo(facts)
    case .failure(let error): failure = error
    }
    for clip in plan.spans.lazy.flatMap(\.clips) where clip.clip.hasSameSource(as: source) { note(clip, failure) }
  }

  /// The missing clips in time order.
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
  /// The line that asks for the clip; nil if unknown.
  let line: FileLine?
}

extension MissingClip {
  /// The reason, after the file's name.
  var namedError: PlaybackError {
    error.file == nil && error.line == nil
      ? PlaybackError(error.reason, missing: path, error.message, at: line)
      : PlaybackError(error.reason, error.message(naming: path))
  }
}
