import CellGraphics
import Pixels
import Playback
import Terminal

/// One clip in a part of the screen: its player, and what its viewer does with it. Screen thread only.
///
/// What is drawn and told of it is a `PaneModel`.
final class Pane {
  let player: Player
  let output: VideoOutput
  let clips: PaneClips
  /// What the pane is called; tells it apart from the others.
  var title: TerminalText = ""
  /// What it is to be called, rather than by its clip. Not trusted text.
  var givenTitle: String?
  private let observers: PaneObservers
  private(set) var clip = ClipState()
  var display = FrameDisplay()
  var overlay = SubtitleOverlay()
  let subtitles: PaneSubtitles
  /// nil while the pane is hidden.
  var geometry: PaneGeometry?
  var gravity: Gravity
  var notice: Notice?
  private(set) var drops = DropMeter()
  var preview = ScrubPreview()
  /// First of the two points of an A-B loop that is being set.
  private(set) var loopStart: MediaTime?
  /// Where the piece begins and ends that a movie takes of the clip.
  var marks = PieceMarks()
  private var numberedSeek = NumberedSeek.none
  private var saver: FrameSaver?
  /// Where a storyboard is played.
  private(set) var story: PaneStory?
  private let choices: [String]
  private let wake: @Sendable () -> Void
  private var hasChangedClip = false
  /// The sound track that somebody has chosen.
  var chosenSound: AssetTrack?
  /// Why the clip before could not be played.
  private var passedOver: Notice?

  /// A seek to a frame by its number, which may have to wait until places are known.
  private enum NumberedSeek {
    case none
    /// Begins once the clip is open.
    case waiting(number: Int)
    /// Was made to an estimated time.
    case estimated(number: Int, time: MediaTime)
  }

  /// - Parameters:
  ///   - choices: in a storyboard, as soon as they can be made.
  ///   - wake: called from any thread when there is something new to see.
  init(
    clips: PaneClips, player: Player, gravity: Gravity, subtitles: PaneSubtitles, choices: [String] = [],
    wake: @escaping @Sendable () -> Void
  ) {
    self.choices = choices
    self.wake = wake
    self.player = player
    output = VideoOutput(player)
    output.setWaker(wake)
    self.clips = clips
    self.gravity = gravity
    self.subtitles = subtitles
    observers = PaneObservers(player)
    clips.start()
  }

  /// The clip that is played, or is to be.
  var asset: Asset { story == nil ? clips.asset : player.currentItem?.asset ?? clips.asset }
  var path: String { asset.path }
  /// What its title is made of.
  var titleSource: PaneTitles.Clip { PaneTitles.Clip(path: path, title: givenTitle ?? clip.facts?.title ?? clips.list.clip.title) }
  var error: PlaybackError? { clip.error }
  /// How long the clip is, as the file says, also where it has less.
  var length: MediaTime { clip.length(found: player.duration) }
  /// Frames a second; 0 when not known.
  var frameRate: Double { videoTrack?.nominalFrameRate ?? player.currentItem?.info?.nominalFrameRate ?? 0 }
  /// What is shown; nil before the clip is open.
  var videoTrack: AssetTrack? { player.currentItem?.videoTrack ?? clip.facts?.preferredVideoTrack }
  /// Whether the file can be opened once more, as a pipe cannot.
  var canBeReadAgain: Bool { asset.isComposition || (clip.facts?.byteCount ?? 0) > 0 }

  /// Shape of the frames as seen; 16:9 until it is known.
  var aspect: Double {
    guard let size = player.currentItem?.presentationSize ?? videoTrack?.presentationSize, !size.isEmpty else {
      return 16.0 / 9
    }
    return Double(size.width) / Double(size.height)
  }

  /// How many frames the clip has, about; nil when that is not known.
  var approximateFrameCount: Int? {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete { return timeline.frameCount }
    let count = length.seconds * frameRate
    return count >= 1 && count < 1e9 ? Int(count) : nil
  }

  /// The lowest row; nil where the pane has none.
  var bar: PaneBar? { PaneBar(geometry, length: length, frameCount: approximateFrameCount) }

  /// Ends everything that it started.
  func close() {
    story = nil
    observers.remove()
    player.replaceCurrentItem(with: nil)
    preview.close()
  }

  // MARK: - What the player reports

  /// Takes in what the player has reported. Returns whether the chrome has to be drawn again.
  func update(at now: HostTime) -> Bool {
    let said = subtitles.update(at: now)
    if let said { notice = said }
    guard let news = observers.take() else { return updateStory(at: now) || said != nil }
    clip.update(time: news.time, cachedRanges: player.loadedTimeRanges)
    for event in news.events { handle(event, at: now) }
    _ = updateStory(at: now)
    return true
  }

  /// Takes in what has happened in the story. Returns whether anything has.
  private func updateStory(at now: HostTime) -> Bool {
    guard let story else { return false }
    let effects = story.update()
    for effect in effects {
      switch effect {
      case .trouble(let text): notice = Notice(text: "\(text)", until: now + 8_000_000_000)
      case .ended:
        if clips.storyDidEnd() {
          // It stands at its end; what follows plays.
          player.play()
        } else {
          clip.didPlayOut(.end, staysThere: true)
        }
      default: break
      }
    }
    if story.player.isFrameHidden { display.hide() }
    return !effects.isEmpty
  }

  /// Begins the story, now that it is known.
  private func beginStory(at now: HostTime) {
    guard story == nil, let opened = clips.story?.opened, let item = player.currentItem, item.asset === clips.asset else { return }
    do {
      story = try PaneStory(opened, player, item: item, choices: choices, wake: wake)
    } catch {
      notice = Notice(text: "\(path): \(describing: error)", isError: true)
    }
  }

  private func handle(_ event: PlayerEvent, at now: HostTime) {
    switch event {
    case .currentItemChanged:
      if clips.adopt() {
        beginClip()
      } else if story != nil, let item = player.currentItem {
        // Another part of the same clip.
        subtitles.didReplace(item)
        preview.close()
        saver = nil
      }
    case .itemReady where story != nil:
      clip.didOpen(asset.loadedValue(of: .facts), path: path)
      observeBar()
    case .itemReady:
      clip.didOpen(asset.loadedValue(of: .facts), video: player.currentItem?.videoTrack, path: path)
      observeBar()
      if let item = player.currentItem { subtitles.didOpen(item, spoken: sound?.language) }
      if let remark = asset.remarks.first {
        let more = asset.remarks.count > 1 ? " (and \(asset.remarks.count - 1) more)" : ""
        notice = Notice(text: "\(remark)\(more)", until: now + 8_000_000_000)
      }
      if case .waiting(let number) = numberedSeek {
        numberedSeek = .none
        seek(toFrame: number)
      }
      beginStory(at: now)
    case .itemFailed(let error):
      let text: TerminalText = "\(path): \(error.message)"
      if clips.passOver() {
        passedOver = Notice(text: text, isError: true, until: now + 6_000_000_000)
      } else {
        clip.didFail(error)
        notice = Notice(text: text, isError: true)
      }
    case .playedToEnd:
      // There it matters most.
      if let earlyEnd = clip.earlyEnd { notice = Notice(text: "\(title) \(earlyEnd)") }
      if clips.hasFollower || story != nil { return }
      let repeats = player.actionAtItemEnd == .loop || player.loopRange != nil
      // The last of so many times ends as one alone does.
      let stands = player.rate == 0 && player.currentTime() >= player.duration
      clip.didPlayOut(.end, staysThere: player.isUntimed || stands || !repeats)
    case .playedToStart: clip.didPlayOut(.start, staysThere: false)
    case .endedEarly(let end, let announced):
      clip.didEndEarly(at: end, announced: announced)
      if let earlyEnd = clip.earlyEnd { notice = Notice(text: "\(title) \(earlyEnd)", until: now + 8_000_000_000) }
    case .timeJumped(let target): if target < player.duration { clip.didGoOn() }
    case .rateChanged(let rate): if rate != 0 { clip.didGoOn() }
    case .durationChanged(let length): if player.currentTime() < length { clip.didGoOn() }
    case .framesIndexed:
      didIndex(at: now)
      subtitles.findCaptions()
    case .statusChanged, .loadedTimeRangesChanged: break
    }
  }

  /// Another clip is played: what was known, set and said of the one before is over.
  private func beginClip() {
    story = nil
    clip = ClipState()
    chosenSound = nil
    subtitles.clipDidChange()
    preview.close()
    saver = nil
    loopStart = nil
    clips.setLoopRange(nil)
    marks = PieceMarks()
    numberedSeek = .none
    // Of a clip that was passed over only this tells.
    notice = passedOver
    passedOver = nil
    hasChangedClip = true
  }

  /// Plays another form of the movie that it plays, from a time on.
  func replaceMovie(with asset: Asset, at time: MediaTime) {
    clip.didReplace()
    (notice, saver) = (nil, nil)
    preview.close()
    subtitles.clipDidChange()
    clips.replaceCurrent(with: asset)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Stands still and shows nothing until it has a place again.
  func rest() {
    player.pause()
    geometry = nil
    output.request = nil
    display.didChangeRequest()
    player.cacheBudget = 0
  }

  /// Whether another clip has begun since the last call.
  func takeClipChange() -> Bool {
    defer { hasChangedClip = false }
    return hasChangedClip
  }

  private func didIndex(at now: HostTime) {
    // It was an estimate until now, and still stands.
    if case .estimated(let number, let time) = numberedSeek {
      numberedSeek = .none
      if player.rate == 0, player.currentTime() == time { seek(toFrame: number) }
    }
    if let index = player.frameIndex, index.hasEnded, index.timeline == nil {
      notice = Notice(text: "positions in this clip are not exact", until: now + 6_000_000_000)
    }
  }

  /// Lets the time be told as often as the bar can show it.
  func observeBar() {
    if let bar { observers.observe(barOfWidth: bar.row.track.width, length: length) }
  }

  /// Where the clip has been played out since the last call; nil where it has not.
  func takePlayedOut() -> ClipState.Edge? { clip.takePlayedOut() }

  /// Counts the frames that were dropped in `seconds`, at least 1. Returns whether the rate has changed.
  func updateDrops(after seconds: Double) -> Bool {
    drops.update(total: player.statistics.dropped, after: seconds)
  }

  // MARK: - Going to a place

  /// Goes to a place that was given before the clip was open.
  func start(at position: StartPosition) {
    switch position {
    case .time(let time): player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    case .frame(let number): numberedSeek = .waiting(number: number)
    }
  }

  /// Goes to a frame by its number, again once its place is known for certain.
  private func seek(toFrame number: Int) {
    guard let time = player.time(ofFrame: number) else { return }
    if player.frameIndex?.hasEnded == false { numberedSeek = .estimated(number: number, time: time) }
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Sets the loop's beginning, then its end, then nothing again; says what it did.
  func advanceLoopPoint() -> TerminalText {
    if story != nil { return "a storyboard has no A-B loop" }
    let now = player.currentTime()
    if player.loopRange != nil {
      clips.setLoopRange(nil)
      loopStart = nil
      return "A-B loop off"
    }
    guard let begin = loopStart else {
      loopStart = now
      return "A-B loop begins at \(clockText(at: now))"
    }
    loopStart = nil
    let range = begin <= now ? TimeRange(start: begin, end: now) : TimeRange(start: now, end: begin)
    guard range.duration > .zero else { return "A-B loop: the two points are the same" }
    clips.setLoopRange(range)
    return "A-B loop \(clockText(at: range.start))…\(clockText(at: range.end))"
  }

  /// A time in words that lead back to the frame that is on display then.
  private func clockText(at time: MediaTime) -> String {
    player.timing(at: time)?.clockText() ?? time.clockText(fractionDigits: 3)
  }

  // MARK: - Saving

  /// Saves the frame with that timing in the background; a notice tells how it went.
  func save(_ timing: FrameTiming, _ saves: PendingSaves) {
    let saver = saver ?? FrameSaver(asset: asset, videoTrack: videoTrack, saves: saves)
    self.saver = saver
    saver.save(timing)
  }

  /// Another video track of the clip is shown: images of the one before are none of it.
  func didChangeTrack() {
    preview.close()
    saver = nil
  }

  /// Says what has been saved. Returns whether there was anything.
  func updateSaves(at now: HostTime) -> Bool {
    guard let news = saver?.take() else { return false }
    notice = Notice(text: news.text, until: now + 4_000_000_000)
    return true
  }
}
