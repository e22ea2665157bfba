import Movies
import Playback
import Synchronization

/// A storyboard opened like a clip: on its own thread, when its asset is loaded. Safe from any thread.
final class StoryOpening: Sendable {
  /// The contents once open.
  struct Opened: Sendable {
    /// Path of the storyboard file.
    var path: String
    var storyboard: Storyboard
    var clips: StoryboardClips
    /// The saved run to resume; nil for a new run.
    var saved: StoryboardRun.Saved?
  }

  /// Path of a storyboard or a saved run.
  let path: String
  /// The asset of the first scene, from the first track to play.
  let asset: Asset
  private let state: State

  /// Separate, to avoid a reference cycle with the asset.
  private final class State: Sendable {
    let opened = Mutex<Opened?>(nil)
  }

  init(path: String, options: Asset.Options) {
    self.path = path
    let state = State()
    self.state = state
    asset = Asset(path: path, options: options, composition: { try Self.open(path, options, state) })
  }

  var opened: Opened? { state.opened.withLock { $0 } }

  /// Reads the file and determines lengths; blocks.
  ///
  /// - Throws: `PlaybackError`.
  private static func open(_ path: String, _ options: Asset.Options, _ state: State) throws -> Composition {
    do throws(StoryboardFailure) {
      let saved = StoryboardRun.Saved.isSaved(path) ? try StoryboardRun.Saved.read(path) : nil
      guard let file = saved.map(\.storyboard) ?? path else {
        throw StoryboardFailure("does not name its storyboard: the key \"storyboard\" is missing", file: path)
      }
      var clips = StoryboardClips(storyboardAt: file) { .named($0, options: options) }
      let (storyboard, warnings) = try StoryboardCommands.open(file) { clips.length(of: $1, in: $0) ?? StoryboardTrack.placeholderLength }
      guard let first = try first(of: storyboard, saved, path) else { throw StoryboardFailure("has no track", file: file) }
      var composition = clips.composition(of: first.scene, from: first.track, in: storyboard)
      composition.remarks = (clips.problems + warnings).map(\.description)
      let opened = Opened(path: file, storyboard: storyboard, clips: clips, saved: saved)
      state.opened.withLock { $0 = opened }
      return composition
    } catch {
      let more = error.problems.count > 1 ? " (and \(error.problems.count - 1) more; list them with: quadrille storyboard check)" : ""
      let problem = error.problems[0]
      throw PlaybackError(.damaged, problem.message + more, file: problem.file == path ? nil : problem.file, line: problem.line)
    }
  }

  /// The first track to play.
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
