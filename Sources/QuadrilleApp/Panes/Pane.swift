import CellGraphics
import Pixels
import Playback
import Terminal

/// One clip in a part of the screen: its player and the user's control of it. Screen thread only.
///
/// `PaneModel` holds what is drawn and reported.
final class Pane {
  let output: VideoOutput
  let clips: PaneClips
  /// Name that distinguishes the pane from others.
  var title: TerminalText = ""
  private let observers: PaneObservers
  var session = ClipSession()
  var display = FrameDisplay()
  let subtitles: PaneSubtitles
  /// The pane's place on the screen; nil while it is hidden.
  var geometry: PaneGeometry?
  var view: PaneView
  var notice: Notice?
  private(set) var drops = DropMeter()
  var preview = ScrubPreview()
  /// Results of frame saves, whichever clip is playing by then.
  private let saveNews: Inbox<TerminalText>
  private let makers: Makers
  /// The reason the previous clip could not be played.
  private var passedOver: Notice?

  /// Starts a story with the item that shows its beginning.
  typealias MakeStory = (StoryOpening.Opened, PlayerItem) throws -> PaneStory

  /// Makers of what only some clips have.
  private struct Makers {
    let story: MakeStory
    /// Surveys a clip's sound.
    let survey: (Asset, AssetTrack?) -> SoundSurvey?
  }

  /// - Parameters:
  ///   - soundFolder: Store of the overviews of clips' sound; nil to keep none.
  ///   - wake: Called from any thread when there is something new to show.
  ///   - makeStory: Called when a storyboard has been opened.
  init(
    clips: PaneClips, player: Player, view: PaneView, subtitles: PaneSubtitles, soundFolder: String? = nil,
    wake: @escaping @Sendable () -> Void, makeStory: @escaping MakeStory
  ) {
    makers = Makers(story: makeStory) { SoundSurvey(asset: $0, track: $1, folder: soundFolder, wake: wake) }
    output = VideoOutput(player)
    saveNews = Inbox(wake: wake)
    output.setWaker(wake)
    self.clips = clips
    self.view = view
    self.subtitles = subtitles
    observers = PaneObservers(player)
    clips.start()
  }

  var player: Player { output.player }
  var clip: ClipState { session.state }
  /// The story, if the pane plays a storyboard.
  var story: PaneStory? { session.story }
  /// The current or pending clip.
  var asset: Asset { story == nil ? clips.asset : player.currentItem?.asset ?? clips.asset }
  var path: String { asset.path }
  /// The name of the clip in messages.
  var spokenPath: String { clips.list.alias ?? path }
  /// True if the clip's name must not be shown.
  private var hidesNames: Bool { clips.list.alias != nil }
  /// The contents of its title.
  ///
  /// - Parameter title: A title to use instead of the clip's. Untrusted text.
  func titleSource(given title: String?) -> PaneTitles.Clip {
    PaneTitles.Clip(path: path, title: clips.list.alias ?? title ?? clip.facts?.title ?? clips.list.clip.title)
  }
  var error: PlaybackError? { clip.error }
  /// True if no clip of the list can be played.
  var hasFailed: Bool { error != nil && clips.list.hasFailed }
  /// Length of the clip as announced by the file, even if it has less data.
  var length: MediaTime { clip.length(found: player.duration) }
  /// Frames per second; 0 if unknown.
  var frameRate: Double { videoTrack?.nominalFrameRate ?? player.currentItem?.info?.nominalFrameRate ?? 0 }
  /// The displayed video track; nil before the clip is open.
  var videoTrack: AssetTrack? { player.currentItem?.videoTrack ?? clip.facts?.preferredVideoTrack }
  /// True if the file can be opened again, unlike a pipe.
  var canBeReadAgain: Bool { asset.isComposition || (clip.facts?.byteCount ?? 0) > 0 }
  /// True if single frames can be fetched besides those that are played. A pipe would be waited for until its end.
  var canGiveFrames: Bool { canBeReadAgain || WebAddress.isAddress(path) }

  /// Aspect ratio of the displayed frames; 16:9 until it is known.
  var aspect: Double {
    guard let size = player.currentItem?.presentationSize ?? videoTrack?.presentationSize, !size.isEmpty else {
      return 16.0 / 9
    }
    return Double(size.width) / Double(size.height)
  }

  /// The size of the displayed frames in their own pixels, upright; 1280×720 until it is known.
  var frameSize: PixelSize {
    guard let track = videoTrack, !track.codedSize.isEmpty else { return PixelSize(width: 1280, height: 720) }
    let size = track.codedSize
    return track.orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Approximate number of frames in a clip of this length; nil if unknown.
  func approximateFrameCount(in length: MediaTime) -> Int? {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete { return timeline.frameCount }
    let count = length.seconds * frameRate
    return count >= 1 && count < 1e9 ? Int(count) : nil
  }

  /// The lowest row; nil if the pane has none.
  var bar: PaneBar? { PaneBar(geometry, length: length, frameCount: approximateFrameCount(in: length)) }

  /// Stops everything the pane has started.
  func close() {
    session.story = nil
    (view.comparison, view.scope) = (nil, nil)
    observers.remove()
    player.replaceCurrentItem(with: nil)
    preview.close()
  }

  // MARK: - Player reports

  /// Handles reports from the player. Returns true if the chrome must be redrawn.
  func update(at now: HostTime) -> Bool {
    let (hasSubtitleNews, said) = subtitles.update(at: now)
    // It may name files.
    if let said { notice = hidesNames ? Notice(text: "some subtitles cannot be read", seconds: 6, at: now) : said }
    let hasSoundNews = session.updateOverview()
    guard let news = observers.take() else { return updateStory(at: now) || hasSubtitleNews || hasSoundNews || said != nil }
    // Images are found damaged when they are read.
    if asset.sequence != nil { tellRemarks(at: now) }
    session.state.update(time: news.time, cachedRanges: player.cachedTimeRanges)
    for event in news.events { handle(event, at: now) }
    // A clip that was at its end has continued.
    if !clip.hasEnded, let notice, notice.until == nil, notice.text == earlyEndText { self.notice = nil }
    _ = updateStory(at: now)
    return true
  }

  /// Handles events of the story. Returns true if there were any.
  private func updateStory(at now: HostTime) -> Bool {
    guard let story else { return false }
    let effects = story.update(at: now)
    for effect in effects {
      switch effect {
      case .trouble(let text): notice = Notice(text: hidesNames ? "a part of this storyboard cannot be played" : "\(text)", seconds: 8, at: now)
      case .ended:
        if clips.storyDidEnd() {
          // It has stopped at its end; the next part plays.
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

  /// Starts the story once it is open.
  private func beginStory(at now: HostTime) {
    guard story == nil, let opened = clips.story?.opened, let item = player.currentItem, item.asset === clips.asset else { return }
    do {
      session.story = try makers.story(opened, item)
    } catch {
      notice = Notice(text: hidesNames ? "this storyboard cannot be played" : "\(path): \(describing: error)", isError: true)
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
    case .itemReady where clips.needsSound && player.currentItem?.hasSound == false && !asset.isComposition:
      passOver(PlaybackError(.nothingDecodable, "has no sound"), at: now)
    case .itemReady:
      clips.didOpen()
      session.state.didOpen(asset.loadedValue(of: .facts), video: player.currentItem?.videoTrack, path: path)
      observeBar()
      if let item = player.currentItem { subtitles.didOpen(item, spoken: sound?.language) }
      tellRemarks(at: now)
      if let number = session.numberedSeek.takeWaiting() { seek(toFrame: number) }
      session.survey = clip.media?.isSoundOnly == true ? makers.survey(asset, player.currentItem?.audioTrack) : nil
      beginStory(at: now)
    case .itemFailed(let error):
      // Another clip may have been selected in the meantime.
      guard player.currentItem?.error != nil else { return }
      passOver(error, at: now)
    case .playedToEnd:
      let repeats = player.actionAtItemEnd == .loop || player.loopRange != nil
      // The last of several plays ends like a single one.
      let stands = player.rate == 0 && player.currentTime() >= player.duration
      let stays = !clips.hasFollower && story == nil && (player.isUntimed || stands || !repeats)
      // At the end of the clip it matters most, so it stays.
      if let earlyEndText { notice = Notice(text: earlyEndText, until: stays ? nil : now + 8_000_000_000) }
      if clips.hasFollower || story != nil { return }
      session.state.didPlayOut(.end, staysThere: stays)
    case .playedToStart: session.state.didPlayOut(.start, staysThere: false)
    case .endedEarly(let end, let announced):
      session.state.didEndEarly(at: end, announced: announced)
      if let earlyEndText { notice = Notice(text: earlyEndText, seconds: 8, at: now) }
    case .timeJumped(let target): session.state.didGo(to: target, length: player.duration)
    case .rateChanged(let rate):
      guard rate != 0 else { return }
      session.state.didGoOn()
      session.numberedSeek.didPlay()
    case .durationChanged(let length): session.state.didGo(to: player.currentTime(), length: length)
    case .framesIndexed:
      didIndex(at: now)
      subtitles.findCaptions()
    case .stalled: session.hasStalled = true
    case .statusChanged, .cachedTimeRangesChanged: break
    }
  }

  /// Goes on to the next clip because this one cannot be played; without another, the pane has failed.
  private func passOver(_ error: PlaybackError, at now: HostTime) {
    let text: TerminalText = hidesNames ? "\(spokenPath) cannot be played" : "\(error.message(naming: path))"
    if clips.passOver() {
      passedOver = Notice(text: text, isError: true, seconds: 6, at: now)
    } else {
      session.state.didFail(error)
      notice = Notice(text: text, isError: true)
    }
  }

  /// A message that the clip ends early; nil if it does not, as far as known.
  private var earlyEndText: TerminalText? { clip.earlyEnd.map { "\(title) \($0)" } }

  /// Reports new remarks about a movie or an image sequence.
  private func tellRemarks(at now: HostTime) {
    let news = asset.remarks.filter { !session.reportedRemarks.contains($0) }
    guard let first = news.first, !hidesNames else { return }
    session.reportedRemarks.formUnion(news)
    let more = news.count > 1 ? " (and \(news.count - 1) more)" : ""
    notice = Notice(text: "\(first)\(more)", seconds: 8, at: now)
  }

  /// Resets everything about the previous clip.
  private func beginClip() {
    session = ClipSession(isUnreported: true)
    subtitles.clipDidChange()
    dropImages()
    clips.setLoopRange(nil)
    // For a clip that was skipped, this is the only report.
    notice = passedOver
    passedOver = nil
  }

  /// True if the clip can be opened again: not a pipe, a storyboard or a movie being made.
  var canReopen: Bool { story == nil && clips.list.clip.problem == nil && (error != nil || canBeReadAgain) }

  /// Continues with another version of the clip, or of the movie, from a given time.
  func replace(with asset: Asset, at time: MediaTime) {
    session.state.didReplace()
    notice = nil
    dropImages()
    subtitles.clipDidChange()
    clips.replaceCurrent(with: asset)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Pauses and shows nothing until the pane has a place again.
  func rest() {
    player.pause()
    geometry = nil
    (view.comparison, view.scope) = (nil, nil)
    output.request = nil
    display.didChangeRequest()
    player.cacheBudget = 0
  }

  /// Returns true if another clip has started since the last call.
  func takeClipChange() -> Bool {
    defer { session.isUnreported = false }
    return session.isUnreported
  }

  /// Returns true if the clip's data have run out since the last call.
  func takeStall() -> Bool {
    defer { session.hasStalled = false }
    return session.hasStalled
  }

  private func didIndex(at now: HostTime) {
    // The lengths of a movie's clips are known now.
    if player.frameIndex?.hasEnded == true { tellRemarks(at: now) }
    if let (number, repeats) = session.numberedSeek.takeKnown(where: player.knows) {
      if repeats { seek(toFrame: number) }
      if player.lacks(frame: number), let frameExtent { notice = Notice(text: "\(title) \(frameExtent)", seconds: 8, at: now) }
    }
    if let index = player.frameIndex, index.hasEnded, index.timeline == nil, player.currentItem?.isSegmented != true {
      notice = Notice(text: "positions in this clip are not exact", seconds: 6, at: now)
    }
  }

  /// Sets the interval of time reports to the resolution of the bar.
  func observeBar() {
    if let bar { observers.observe(barOfWidth: bar.row.track.width, length: length) }
  }

  /// The end reached since the last call; nil if none.
  func takePlayedOut() -> ClipState.Edge? { session.state.takePlayedOut() }

  /// Counts the frames dropped in `seconds`, at least 1. Returns true if the rate has changed.
  func updateDrops(after seconds: Double) -> Bool {
    drops.update(total: player.totalStatistics.dropped, after: seconds)
  }

  // MARK: - Seeking

  /// Goes to a position given before the clip was open.
  func start(at position: StartPosition) {
    switch position {
    case .time(let time): player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    case .frame(let number): session.numberedSeek = .waiting(number: number)
    }
  }

  /// Goes to a frame by number, and again once its exact time is known.
  private func seek(toFrame number: Int) {
    guard let time = player.time(ofFrame: number) else { return }
    if !player.knows(frame: number) { willFind(frame: number) }
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Records that the pane has gone to an estimated position of a frame, to go there again once its time is known.
  func willFind(frame number: Int) { session.numberedSeek.didEstimate(number: number, isPlaying: player.rate != 0) }

  /// The user moves the pane elsewhere.
  func willMove() { session.numberedSeek.didMove() }

  /// The number of frames in words, with their numbers; nil if it is not known exactly.
  var frameExtent: TerminalText? {
    player.exactFrameCount.map { "has \($0) frame\($0 == 1 ? "" : "s") (#0–#\(max(0, $0 - 1)))" }
  }

  /// A step in setting an A-B loop.
  enum LoopStep { case start, end, off }

  /// The step that follows: the loop's start, then its end, then neither.
  var nextLoopStep: LoopStep { player.loopRange != nil ? .off : session.loopStart == nil ? .start : .end }

  /// Takes a step in setting an A-B loop. Returns a message.
  func setLoop(_ step: LoopStep) -> TerminalText {
    if story != nil { return "no A-B loop in a storyboard" }
    let now = player.currentTime()
    switch step {
    case .off:
      clips.setLoopRange(nil)
      session.loopStart = nil
      return "A-B loop off"
    case .start:
      clips.setLoopRange(nil)
      session.loopStart = now
      return "A-B loop starts at \(clockText(at: now))"
    case .end:
      guard let begin = session.loopStart else { return "the A-B loop has no start" }
      session.loopStart = nil
      let range = begin <= now ? TimeRange(start: begin, end: now) : TimeRange(start: now, end: begin)
      guard range.duration > .zero else { return "A-B loop: both points are the same" }
      clips.setLoopRange(range)
      return "A-B loop \(clockText(at: range.start))…\(clockText(at: range.end))"
    }
  }

  /// The time of the frame displayed at a given time, as text that leads back to that frame.
  private func clockText(at time: MediaTime) -> String {
    player.timing(at: time)?.clockText() ?? time.placeText
  }

  // MARK: - Saving

  /// Saves the frame with the given timing in the background; a notice reports the result.
  ///
  /// - Parameter part: The part to save; nil for the whole frame.
  func save(_ timing: FrameTiming, part: FrameRegion? = nil, _ saves: PendingSaves) {
    let saver = session.saver ?? FrameSaver(asset: asset, videoTrack: videoTrack, saves: saves, news: saveNews)
    session.saver = saver
    saver.save(timing, part: part)
  }

  /// Discards images of the previous contents.
  func dropImages() {
    preview.close()
    session.saver = nil
  }

  /// Reports finished saves. Returns true if there were any.
  func updateSaves(at now: HostTime) -> Bool {
    guard let news = saveNews.take().last else { return false }
    notice = Notice(text: news, seconds: 4, at: now)
    return true
  }
}
