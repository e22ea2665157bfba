import Movies
import Playback
import Synchronization

/// A storyboard that is opened as a clip is: on a thread of its own, when its asset is loaded. Safe from any thread.
final class StoryOpening: Sendable {
  /// What is known once it is open.
  struct Opened: Sendable {
    /// The storyboard's file.
    var path: String
    var storyboard: Storyboard
    var clips: StoryboardClips
    /// The run that is gone on with; nil where a new one begins.
    var saved: StoryboardRun.Saved?
  }

  /// The file of a storyboard, or of a saved run of one.
  let path: String
  /// Shows the scene with which it begins, from the track on that is played first.
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
    do throws(StoryboardFailure) {
      let saved = StoryboardRun.Saved.isSaved(path) ? try StoryboardRun.Saved.read(path) : nil
      guard let file = saved.map(\.storyboard) ?? path else {
        throw StoryboardFailure("does not name its storyboard: the key \"storyboard\" is missing", file: path)
      }
      var clips = StoryboardClips(storyboardAt: file) { Asset(path: $0, options: options) }
      let (storyboard, warnings) = try StoryboardCommands.open(file) { clips.length(of: $1, in: $0) ?? missingLength }
      guard let first = try first(of: storyboard, saved, path) else { throw StoryboardFailure("has no track", file: file) }
      var composition = clips.composition(of: first.scene, from: first.track, in: storyboard)
      composition.remarks = (clips.problems + warnings).map(\.description)
      let opened = Opened(path: file, storyboard: storyboard, clips: clips, saved: saved)
      state.opened.withLock { $0 = opened }
      return composition
    } catch {
      let more = error.problems.count > 1 ? " (and \(error.problems.count - 1) more; list them with: quadrille storyboard check)" : ""
      let problem = error.problems[0]
      throw PlaybackError(.damaged, (problem.file == path ? problem.withoutFile : "\(problem)") + more)
    }
  }

  /// The track that is played first.
  private static func first(
    of storyboard: Storyboard, _ saved: StoryboardRun.Saved?, _ path: String
  ) throws(StoryboardFailure) -> Storyboard.TrackID? {
    guard let saved else { return storyboard.first }
    do throws(StoryboardFailure) {
      let run = try StoryboardRun(storyboard, resuming: saved)
      if run.hasEnded { throw StoryboardFailure("the story has ended: there is nothing to continue", file: path) }
      return run.place?.track ?? storyboard.first
    } catch {
      throw StoryboardFailure(error.problems[0].message, file: path)
    }
  }
}
