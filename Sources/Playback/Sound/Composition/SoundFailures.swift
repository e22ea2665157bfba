import Synchronization

/// The clips of a composition that are silent although they should not be. Safe to use from any thread.
final class SoundFailures: Sendable {
  /// The errors, which name the clips, by paths.
  private let state = Mutex<[String: PlaybackError]>([:])

  func note(_ piece: SoundPlan.Piece, _ error: PlaybackError) {
    // A clip that cannot be opened is missing, which is found where it should be seen.
    guard piece.isSoundOnly || piece.asset.loadedValue(of: .facts) != nil else { return }
    let path = piece.asset.path
    let named = error.file == nil && error.line == nil ? "\(path): \(error.message)" : error.message(naming: path)
    state.withLock { $0[path] = $0[path] ?? PlaybackError(error.reason, named) }
  }

  private var all: [PlaybackError] { state.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

  /// The first error; nil if there is none.
  var first: PlaybackError? { all.first }

  /// The errors as sentences, in the order of paths.
  var remarks: [String] { all.map { "\($0.message); the rest is played without it" } }
}
