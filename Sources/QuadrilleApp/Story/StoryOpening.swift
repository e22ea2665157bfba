import Movies
import Playback
import Synchronization

/// A storyboard that is opened as a clip is: on a thread of its own, when its asset is loaded. Safe from any thread.
final class StoryOpening: Sendable {
  /// What is known once it is open.
  struct Opened: Sendable {
    var storyboard: Storyboard
    var clips: StoryboardClips
  }

  let path: String
  /// Shows the scene with which it begins, from its first track on.
  let asset: Asset
  private let state: State

  /// Kept apart, so that the asset does not keep what keeps it.
  private final class State: Sendable {
    let opened = Mutex<Opened?>(nil)
  }

  /// For a track of which nobody knows how long it would be.
  private static let missingLength = MediaTime(value: 3, timescale: 1)

  init(path: String, options: Asset.Options) {
    self.path = path
    let state = State()
    self.state = state
    asset = Asset(path: path, options: options, composition: { try Self.open(path, options, state) })
  }

  var opened: Opened? { state.opened.withLock { $0 } }

  /// Reads the file and finds out lengths; blocks until that is done.
  ///
  /// - Throws: `PlaybackError`.
  private static func open(_ path: String, _ options: Asset.Options, _ state: State) throws -> Composition {
    var clips = StoryboardClips(storyboardAt: path) { Asset(path: $0, options: options) }
    do throws(StoryboardFailure) {
      let (storyboard, warnings) = try StoryboardCommands.open(path) { clips.length(of: $1, in: $0) ?? missingLength }
      guard let first = storyboard.first else { throw StoryboardFailure("has no track", file: path) }
      var composition = clips.composition(of: first.scene, from: first.track, in: storyboard)
      composition.remarks = (clips.problems + warnings).map(\.description)
      let opened = Opened(storyboard: storyboard, clips: clips)
      state.opened.withLock { $0 = opened }
      return composition
    } catch {
      let more = error.problems.count > 1 ? " (and \(error.problems.count - 1) more; quadrille storyboard check tells them)" : ""
      throw PlaybackError(.damaged, error.problems[0].withoutFile + more)
    }
  }
}
