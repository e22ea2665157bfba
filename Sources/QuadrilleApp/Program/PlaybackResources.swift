import Playback

/// What all players of a run share, and the one place that makes them.
final class PlaybackResources {
  let clock = MonotonicClock()
  /// Wakes the screen thread.
  let wakeup: Wakeup
  let context: PlaybackContext
  let group: PlayerGroup
  private let decoderThreads: Int
  /// Where indexes of clips are kept for the next time.
  private let indexFolder: String?

  /// - Parameters:
  ///   - threads: for decoding, all together; nil for as many as the machine has cores.
  ///   - paneCount: clips that are played at first.
  /// - Throws: `ProgramError`.
  init(threads: Int?, paneCount: Int, indexFolder: String?) throws {
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    self.indexFolder = indexFolder
    let budget = ThreadBudget(total: threads ?? SystemResources.processorCount, panes: max(1, paneCount))
    context = PlaybackContext(threads: budget.workers, clock: clock) { wakeup.signal() }
    decoderThreads = budget.perDecoder
    group = PlayerGroup(clock: clock)
  }

  func makePlayer(_ options: PlayOptions) -> Player {
    let player = Player(context: context, decoderThreads: decoderThreads)
    player.isUntimed = options.isUntimed
    player.defaultRate = options.beginning.speed
    return player
  }

  /// What is needed to play a storyboard; nil for what is none.
  func makeStory(_ clip: ClipList.Clip, _ languages: MediaLanguages) -> StoryOpening? {
    clip.kind == .storyboard ? StoryOpening(path: clip.path, options: assetOptions(languages)) : nil
  }

  func makeAsset(_ clip: ClipList.Clip, _ languages: MediaLanguages) -> Asset {
    Asset.clip(clip.path, clip.kind, options: assetOptions(languages))
  }

  func assetOptions(_ languages: MediaLanguages) -> Asset.Options {
    Asset.Options(indexFolder: indexFolder, languages: languages)
  }
}
