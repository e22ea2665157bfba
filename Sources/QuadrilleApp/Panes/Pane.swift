import CellGraphics
import Pixels
import Playback
import Terminal

/// One clip in a part of the screen: its player, and what its viewer does with it. Screen thread only.
///
/// What is drawn and told of it is a `PaneModel`.
final class Pane {
  let output: VideoOutput
  let clips: PaneClips
  /// What the pane is called; tells it apart from the others.
  var title: TerminalText = ""
  private let observers: PaneObservers
  var session = ClipSession()
  var display = FrameDisplay()
  let subtitles: PaneSubtitles
  /// nil while the pane is hidden.
  var geometry: PaneGeometry?
  var gravity: Gravity
  var notice: Notice?
  private(set) var drops = DropMeter()
  var preview = ScrubPreview()
  /// What has come of the frames that were to be saved, whichever clip is played by then.
  private let saveNews: Inbox<TerminalText>
  private let makeStory: MakeStory
  /// Why the clip before could not be played.
  private var passedOver: Notice?

  /// Begins a story, with the item that shows its beginning.
  typealias MakeStory = (StoryOpening.Opened, PlayerItem) throws -> PaneStory

  /// - Parameters:
  ///   - wake: called from any thread when there is something new to see.
  ///   - makeStory: called when a storyboard is open.
  init(
    clips: PaneClips, player: Player, gravity: Gravity, subtitles: PaneSubtitles, wake: @escaping @Sendable () -> Void,
    makeStory: @escaping MakeStory
  ) {
    self.makeStory = makeStory
    output = VideoOutput(player)
    saveNews = Inbox(wake: wake)
    output.setWaker(wake)
    self.clips = clips
    self.gravity = gravity
    self.subtitles = subtitles
    observers = PaneObservers(player)
    clips.start()
  }

  var player: Player { output.player }
  var clip: ClipState { session.state }
  /// Where a storyboard is played.
  var story: PaneStory? { session.story }
  /// The clip that is played, or is to be.
  var asset: Asset { story == nil ? clips.asset : player.currentItem?.asset ?? clips.asset }
  var path: String { asset.path }
  /// What its title is made of.
  ///
  /// - Parameter title: what it is to be called, rather than by its clip. Not trusted text.
  func titleSource(given title: String?) -> PaneTitles.Clip {
    PaneTitles.Clip(path: path, title: title ?? clip.facts?.title ?? clips.list.clip.title)
  }
  var error: PlaybackError? { clip.error }
  /// Whether no clip of its list can be played.
  var hasFailed: Bool { error != nil && clips.list.hasFailed }
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
    session.story = nil
    observers.remove()
    player.replaceCurrentItem(with: nil)
    preview.close()
  }

  // MARK: - What the player reports

  /// Takes in what the player has reported. Returns whether the chrome has to be drawn again.
  func update(at now: HostTime) -> Bool {
    let (hasSubtitleNews, said) = subtitles.update(at: now)
    if let said { notice = said }
    guard let news = observers.take() else { return updateStory(at: now) || hasSubtitleNews || said != nil }
    session.state.update(time: news.time, cachedRanges: player.loadedTimeRanges)
    for event in news.events { handle(event, at: now) }
    // What stood at its end has gone on.
    if !clip.hasEnded, let notice, notice.until == nil, notice.text == earlyEndText { self.notice = nil }
    _ = updateStory(at: now)
    return true
  }

  /// Takes in what has happened in the story. Returns whether anything has.
  private func updateStory(at now: HostTime) -> Bool {
    guard let story else { return false }
    let effects = story.update(at: now)
    for effect in effects {
      switch effect {
      case .trouble(let text): notice = Notice(text: "\(text)", seconds: 8, at: now)
      case .ended:
        if clips.storyDidEnd() {
          // It stands at its end; what follows plays.
          player.play()
        } else {
          session.state.didPlayOut(.end, staysThere: true)
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
      session.story = try makeStory(opened, item)
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
        dropImages()
      }
    case .itemReady where story != nil:
      session.state.didOpen(asset.loadedValue(of: .facts), path: path)
      observeBar()
      tellRemarks(at: now)
    case .itemReady:
      clips.didOpen()
      session.state.didOpen(asset.loadedValue(of: .facts), video: player.currentItem?.videoTrack, path: path)
      observeBar()
      if let item = player.currentItem { subtitles.didOpen(item, spoken: sound?.language) }
      tellRemarks(at: now)
      if case .waiting(let number) = session.numberedSeek {
        session.numberedSeek = .none
        seek(toFrame: number)
      }
      beginStory(at: now)
    case .itemFailed(let error):
      // Another clip may have been gone to since.
      guard player.currentItem?.error != nil else { return }
      let text: TerminalText = "\(path): \(error.message)"
      if clips.passOver() {
        passedOver = Notice(text: text, isError: true, seconds: 6, at: now)
      } else {
        session.state.didFail(error)
        notice = Notice(text: text, isError: true)
      }
    case .playedToEnd:
      let repeats = player.actionAtItemEnd == .loop || player.loopRange != nil
      // The last of so many times ends as one alone does.
      let stands = player.rate == 0 && player.currentTime() >= player.duration
      let stays = !clips.hasFollower && story == nil && (player.isUntimed || stands || !repeats)
      // Where it ends it matters most, and stays.
      if let earlyEndText { notice = Notice(text: earlyEndText, until: stays ? nil : now + 8_000_000_000) }
      if clips.hasFollower || story != nil { return }
      session.state.didPlayOut(.end, staysThere: stays)
    case .playedToStart: session.state.didPlayOut(.start, staysThere: false)
    case .endedEarly(let end, let announced):
      session.state.didEndEarly(at: end, announced: announced)
      if let earlyEndText { notice = Notice(text: earlyEndText, seconds: 8, at: now) }
    case .timeJumped(let target): session.state.didGo(to: target, length: player.duration)
    case .rateChanged(let rate): if rate != 0 { session.state.didGoOn() }
    case .durationChanged(let length): session.state.didGo(to: player.currentTime(), length: length)
    case .framesIndexed:
      didIndex(at: now)
      subtitles.findCaptions()
    case .statusChanged, .loadedTimeRangesChanged: break
    }
  }

  /// That the clip ends before its time; nil where it does not, as far as known.
  private var earlyEndText: TerminalText? { clip.earlyEnd.map { "\(title) \($0)" } }

  /// Says what of a movie is not as it is meant to be, as far as that is known and has not been said.
  private func tellRemarks(at now: HostTime) {
    let news = asset.remarks.filter { !session.reportedRemarks.contains($0) }
    guard let first = news.first else { return }
    session.reportedRemarks.formUnion(news)
    let more = news.count > 1 ? " (and \(news.count - 1) more)" : ""
    notice = Notice(text: "\(first)\(more)", seconds: 8, at: now)
  }

  /// Another clip is played: what was known, set and said of the one before is over.
  private func beginClip() {
    session = ClipSession(isUnreported: true)
    subtitles.clipDidChange()
    dropImages()
    clips.setLoopRange(nil)
    // Of a clip that was passed over only this tells.
    notice = passedOver
    passedOver = nil
  }

  /// Plays another form of the movie that it plays, from a time on.
  func replaceMovie(with asset: Asset, at time: MediaTime) {
    session.state.didReplace()
    notice = nil
    dropImages()
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
    defer { session.isUnreported = false }
    return session.isUnreported
  }

  private func didIndex(at now: HostTime) {
    // Now it is known how long a movie's clips are.
    if player.frameIndex?.hasEnded == true { tellRemarks(at: now) }
    // It was an estimate until now, and still stands.
    if case .estimated(let number, let time) = session.numberedSeek {
      session.numberedSeek = .none
      if player.rate == 0, player.currentTime() == time { seek(toFrame: number) }
    }
    if let index = player.frameIndex, index.hasEnded, index.timeline == nil {
      notice = Notice(text: "positions in this clip are not exact", seconds: 6, at: now)
    }
  }

  /// Lets the time be told as often as the bar can show it.
  func observeBar() {
    if let bar { observers.observe(barOfWidth: bar.row.track.width, length: length) }
  }

  /// Where the clip has been played out since the last call; nil where it has not.
  func takePlayedOut() -> ClipState.Edge? { session.state.takePlayedOut() }

  /// Counts the frames that were dropped in `seconds`, at least 1. Returns whether the rate has changed.
  func updateDrops(after seconds: Double) -> Bool {
    drops.update(total: player.statistics.dropped, after: seconds)
  }

  // MARK: - Going to a place

  /// Goes to a place that was given before the clip was open.
  func start(at position: StartPosition) {
    switch position {
    case .time(let time): player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    case .frame(let number): session.numberedSeek = .waiting(number: number)
    }
  }

  /// Goes to a frame by its number, again once its place is known for certain.
  private func seek(toFrame number: Int) {
    guard let time = player.time(ofFrame: number) else { return }
    if player.frameIndex?.hasEnded == false { session.numberedSeek = .estimated(number: number, time: time) }
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Sets the loop's beginning, then its end, then nothing again; says what it did.
  func advanceLoopPoint() -> TerminalText {
    if story != nil { return "no A-B loop in a storyboard" }
    let now = player.currentTime()
    if player.loopRange != nil {
      clips.setLoopRange(nil)
      session.loopStart = nil
      return "A-B loop off"
    }
    guard let begin = session.loopStart else {
      session.loopStart = now
      return "A-B loop starts at \(clockText(at: now))"
    }
    session.loopStart = nil
    let range = begin <= now ? TimeRange(start: begin, end: now) : TimeRange(start: now, end: begin)
    guard range.duration > .zero else { return "A-B loop: both points are the same" }
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
    let saver = session.saver ?? FrameSaver(asset: asset, videoTrack: videoTrack, saves: saves, news: saveNews)
    session.saver = saver
    saver.save(timing)
  }

  /// Something else is shown than before: images of that are none of it.
  func dropImages() {
    preview.close()
    session.saver = nil
  }

  /// Says what has been saved. Returns whether there was anything.
  func updateSaves(at now: HostTime) -> Bool {
    guard let news = saveNews.take().last else { return false }
    notice = Notice(text: news, seconds: 4, at: now)
    return true
  }
}
