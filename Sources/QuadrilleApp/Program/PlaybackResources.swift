import Playback

/// Resources shared by all players of a run, and their only factory.
final class PlaybackResources {
  let clock = MonotonicClock()
  /// Wakes the screen thread.
  let wakeup: Wakeup
  let context: PlaybackContext
  let group: PlayerGroup
  let soundDelays: SoundDelays
  /// Notices changes of the files being played.
  let files: FileWatch
  private let decoderThreads: Int
  /// Store of the clip indexes.
  private let indexFolder: String?
  /// Store of the signatures of clips.
  private let signatureFolder: String?
  private let syncPoints: String?
  /// Store of the overviews of clips' sound.
  let soundFolder: String?
  private let network: Network
  private let maxBitRate: Double
  private let replayGain: ReplayGain.Mode

  /// - Parameters:
  ///   - threads: Number of decoding threads in total; nil for the number of CPU cores.
  ///   - paneCount: Number of initial clips.
  ///   - network: Access to servers.
  ///   - maxBitRate: The highest bit rate of streams with variants, in bits per second; 0 for no limit.
  ///   - playsSound: False to leave sound devices alone.
  ///   - soundDelays: Path of the delays of sound devices.
  ///   - soundFolder: Store of the overviews of clips' sound.
  ///   - replayGain: The stated loudness with which clips are played.
  /// - Throws: `ProgramError`.
  init(
    threads: Int?, paneCount: Int, indexFolder: String?, signatureFolder: String? = nil, syncPoints: String? = nil,
    network: Network = Network(), maxBitRate: Double = 0, playsSound: Bool = false,
    soundDelays: String? = nil, soundFolder: String? = nil,
    replayGain: ReplayGain.Mode = .off
  ) throws {
    self.replayGain = replayGain
    self.soundFolder = soundFolder
    self.soundDelays = SoundDelays(path: playsSound ? soundDelays : nil)
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    files = FileWatch { wakeup.signal() }
    self.indexFolder = indexFolder
    (self.signatureFolder, self.syncPoints) = (signatureFolder, syncPoints)
    self.network = network
    self.maxBitRate = maxBitRate
    let budget = ThreadBudget(total: threads ?? SystemResources.processorCount, panes: max(1, paneCount))
    context = PlaybackContext(threads: budget.workers, clock: clock, playsSound: playsSound) { wakeup.signal() }
    decoderThreads = budget.perDecoder
    group = PlayerGroup(clock: clock)
  }

  /// Creates those that the options ask for.
  ///
  /// - Throws: `ProgramError`.
  convenience init(_ options: PlayOptions, environment: [String: String]) throws {
    let limits = options.resources
    try self.init(
      threads: limits.threads, paneCount: options.clips.count, indexFolder: UserFolders.index(environment),
      signatureFolder: UserFolders.signatures(environment), syncPoints: UserFolders.syncPoints(environment),
      network: Network(certificateFile: limits.certificateFile, userAgent: limits.userAgent), maxBitRate: limits.maxBitRate,
      playsSound: options.sound.panes != .off && !options.isUntimed, soundDelays: UserFolders.soundDelays(environment),
      soundFolder: UserFolders.sound(environment), replayGain: options.sound.replayGain)
  }

  deinit { files.close() }

  /// - Parameter vmafProgram: the path of an `ffmpeg` that computes VMAF; nil to look for what does.
  func makeMeasuring(vmafProgram: String?) -> MeasuringControl {
    MeasuringControl(folder: signatureFolder, syncPoints: syncPoints, vmafProgram: vmafProgram, network: network)
  }

  func makePlayer(_ options: PlayOptions) -> Player {
    let player = Player(context: context, decoderThreads: decoderThreads)
    player.isUntimed = options.isUntimed
    player.defaultRate = options.beginning.speed
    player.soundsWhileScrubbing = options.sound.scrubs
    return player
  }

  /// Opens a storyboard; nil for other files.
  func makeStory(_ clip: ClipList.Clip, _ languages: MediaLanguages) -> StoryOpening? {
    clip.kind == .storyboard ? StoryOpening(path: clip.path, options: assetOptions(languages)) : nil
  }

  func makeAsset(_ clip: ClipList.Clip, _ languages: MediaLanguages) -> Asset {
    Asset.clip(clip, options: assetOptions(languages))
  }

  func assetOptions(_ languages: MediaLanguages) -> Asset.Options {
    var options = Asset.Options(indexFolder: indexFolder, languages: languages, network: network)
    options.replayGain = replayGain
    options.preferredPeakBitRate = maxBitRate
    return options
  }
}
