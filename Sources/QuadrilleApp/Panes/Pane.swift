import CellGraphics
import Pixels
import Playback
import Terminal

/// One clip on the screen: its player, what is known of it, and what of it is shown. Screen thread only.
final class Pane {
  let path: String
  let player: Player
  let asset: Asset
  /// What the pane is called; tells it apart from the others.
  var title: TerminalText = ""
  /// What its name is made of.
  var clip: PaneTitles.Clip { PaneTitles.Clip(path: path, title: facts?.title) }
  private let inbox = PaneInbox()
  private var events: TimeObserver?
  private var periodic: TimeObserver?
  private var interval = MediaTime.zero

  var geometry: PaneGeometry?
  var gravity: Gravity
  /// The picture on the screen.
  private(set) var picture: RenderedFrame?
  /// Whether all of the frame that stands is on the screen; a terminal that takes little at a time gets it in parts.
  var isWhole = true
  /// Whether the picture on the screen may come once more, because another size was asked for or the pane was
  /// hidden; others that are on their way may come before it, and with several sizes it may come several times.
  private var remaking = Remaking.none
  var notice: Notice?
  private(set) var error: PlaybackError?
  /// That the data ends before its time, in words.
  private(set) var earlyEnd: String?
  /// The length that the file announces, where its data ends before.
  private var announced = MediaTime.invalid
  /// How long the clip is, as the file says, also where it has less.
  var length: MediaTime {
    let found = player.duration
    return announced.isNumeric && (!found.isNumeric || found < announced) ? announced : found
  }
  /// The time that the progress bar shows, as the observer bus told it.
  private(set) var time = MediaTime.zero
  private(set) var hasEnded = false
  private(set) var facts: AssetFacts?
  /// Pictures skipped a second, in the last second or so.
  private(set) var skippedLately = 0
  private var skippedBefore = 0
  /// What the bar shows as held in memory: as it was when the observer bus last told something.
  private(set) var held: [TimeRange] = []
  /// First of the two points of an A-B loop that is being set.
  var loopIn: MediaTime?
  /// Where the clip has been played out, until the program has heard of it.
  private var playedOut: Edge?
  /// Pictures of all the clip over the bar, once places in it were looked for.
  private var strip: ThumbnailStrip?
  /// Host time until which the strip is shown; nil while it is not.
  private(set) var stripUntil: HostTime?
  private var lastScrub: HostTime?
  private var saver: PictureSaver?
  /// Number of the picture to go to once the clip is open.
  var pendingFrame: Int?
  /// The number that was gone to when its time was not certain yet, and the time that was taken for it.
  private var guess: (number: Int, time: MediaTime)?

  init(asset: Asset, player: Player, gravity: Gravity) {
    path = asset.path
    self.player = player
    self.gravity = gravity
    self.asset = asset
    events = player.addEventObserver(on: InlineExecutor()) { [inbox] in inbox.put(event: $0) }
    observe(every: MediaTime(value: 1, timescale: 4))
    player.replaceCurrentItem(with: PlayerItem(asset: asset))
  }

  /// Lets the bar be told about each of its steps, but no more often than a person sees.
  func observeBar(width: Int) {
    let seconds = length.seconds
    let step = seconds.isFinite && width > 0 ? seconds / Double(8 * width) : 0.25
    observe(every: MediaTime(seconds: min(max(step, 0.05), 0.5), preferredTimescale: 1000))
  }

  private func observe(every interval: MediaTime) {
    guard interval != self.interval else { return }
    self.interval = interval
    periodic?.remove()
    periodic = player.addPeriodicTimeObserver(forInterval: interval, on: InlineExecutor()) { [inbox] in
      inbox.put(time: $0)
    }
  }

  /// Takes in what the observers left. Returns whether the chrome has to be drawn anew.
  func catchUp(at now: HostTime) -> Bool {
    guard let news = inbox.take() else { return false }
    time = news.time
    held = player.loadedTimeRanges
    for event in news.events { handle(event, at: now) }
    return true
  }

  private func handle(_ event: PlayerEvent, at now: HostTime) {
    switch event {
    case .itemReady:
      facts = asset.loadedValue(of: .facts)
      if let barRow { observeBar(width: barRow.track.width) }
      if let number = pendingFrame { seek(toFrame: number) }
      pendingFrame = nil
    case .itemFailed(let error):
      self.error = error
      hasEnded = true
      notice = Notice(text: "\(path): \(error.message)", isError: true)
    case .playedToEnd:
      playedOut = .end
      // There it matters most.
      if let earlyEnd { notice = Notice(text: "\(title) \(earlyEnd)") }
      hasEnded = player.isUntimed || (player.actionAtItemEnd != .loop && player.loopRange == nil)
    case .endedEarly(let end, let announced):
      let place = announced.isNumeric ? "\(end.clockText()) of \(announced.clockText())" : end.clockText()
      let text = "ends early, at \(place): the file is cut off or damaged"
      earlyEnd = text
      self.announced = announced
      notice = Notice(text: "\(title) \(text)", until: now + 8_000_000_000)
    case .timeJumped(let target): if target < player.duration { goesOn() }
    case .rateChanged(let rate): if rate != 0 { goesOn() }
    case .framesIndexed:
      // It was a guess until now, and still stands.
      if let (number, time) = guess, player.rate == 0, player.currentTime() == time { seek(toFrame: number) }
      guess = nil
      if let index = player.frameIndex, index.hasEnded, index.timeline == nil {
        notice = Notice(text: "positions in this clip are not exact", until: now + 6_000_000_000)
      }
    case .durationChanged(let length): if player.currentTime() < length { goesOn() }
    case .playedToStart: playedOut = .start
    case .statusChanged, .loadedTimeRangesChanged:
      break
    }
  }

  /// An end of a clip.
  enum Edge { case start, end }

  /// Where the clip has been played out since the last call; nil where it has not.
  func takePlayedOut() -> Edge? {
    defer { playedOut = nil }
    return playedOut
  }

  /// One that failed has ended for good, whatever was asked of it meanwhile.
  private func goesOn() {
    if error == nil { hasEnded = false }
  }

  /// Goes to a picture by its number, again once its place is known for certain.
  func seek(toFrame number: Int) {
    guard let time = player.time(ofFrame: number) else { return }
    guess = player.frameIndex?.hasEnded == false ? (number, time) : nil
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Shape of the picture as seen; 16:9 until it is known.
  var aspect: Double {
    guard let size = player.currentItem?.presentationSize, !size.isEmpty else { return 16.0 / 9 }
    return Double(size.width) / Double(size.height)
  }

  /// What is known of the frame on the screen: the player learns its number when the clip has been indexed.
  var shownTiming: FrameTiming? {
    guard let shown = picture?.timing else { return nil }
    guard picture?.isApproximate == false, let known = player.displayedTiming, known.pts == shown.pts else { return shown }
    return known
  }

  /// How many frames the clip has, about; nil when that is not known.
  private var frameCount: Int? {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete { return timeline.frameCount }
    let count = length.seconds * (facts?.preferredVideoTrack?.nominalFrameRate ?? 0)
    return count >= 1 && count < 1e9 ? Int(count) : nil
  }

  /// The field before the bar.
  var timeField: TimeField {
    TimeField(duration: length, frameCount: frameCount, width: geometry?.bar.width ?? 0)
  }

  /// The parts of the lowest row; nil where the pane has none.
  var barRow: BarRow? {
    guard let geometry, !geometry.bar.isEmpty else { return nil }
    let width = geometry.bar.width
    let label = geometry.title.isEmpty && width >= 40 ? min(32, width / 4) : 0
    return BarRow(geometry.bar, fieldColumns: timeField.columns, labelColumns: label)
  }

  /// Asks the player for pictures that fill the pane's box, or for none when it is hidden.
  func requestPictures(blitter: Blitter, cellAspect: Double) {
    guard let cells = geometry?.box.size, !cells.isEmpty else {
      player.pictureRequest = nil
      remaking = .expected
      return
    }
    let pixelAspect = cellAspect * Double(blitter.blockHeight) / Double(blitter.blockWidth)
    let request = RenderRequest(
      box: blitter.pixelSize(ofCells: cells), pixelAspect: pixelAspect, gravity: gravity)
    if request != player.pictureRequest { remaking = .expected }
    player.pictureRequest = request
  }

  private enum Remaking { case none, expected, done }

  /// Shows a picture. Returns whether it is the one that was shown before, only made anew.
  func show(_ new: RenderedFrame) -> Bool {
    let isSame = picture?.timing.pts == new.timing.pts
    let isRemade = isSame && (remaking != .none || picture?.request != new.request)
    if isRemade { remaking = .done } else if remaking == .done { remaking = .none }
    picture = new
    return isRemade
  }

  /// Where the present picture goes on the grid, scaled roughly when it was made for another size of pane.
  func layer(blitter: Blitter) -> PictureLayer? {
    guard let picture, let cells = geometry?.box, !cells.isEmpty else { return nil }
    let box = blitter.pixelSize(ofCells: cells.size)
    var rect = picture.rect
    let made = picture.request.box
    if made != box {
      // The same picture in the new box, by the same rule.
      let aspect = Double(rect.width) * picture.request.pixelAspect / Double(max(1, rect.height))
      rect = PictureGeometry(
        aspect: aspect, box: box, pixelAspect: picture.request.pixelAspect,
        gravity: gravity == .resizeAspect ? .resizeAspect : .resize).imageRect
    }
    return PictureLayer(image: picture.image, cells: cells, imageRect: rect)
  }

  /// Looks how many pictures a second were skipped in `seconds`, at least one. Returns whether that has changed.
  func countSkipped(in seconds: Double) -> Bool {
    let total = player.statistics.skipped
    let recent = Int((Double(total - skippedBefore) / seconds).rounded())
    skippedBefore = total
    defer { skippedLately = recent }
    return recent != skippedLately
  }

  // MARK: - Thumbnails

  /// Whether the file can be opened once more, as a pipe cannot.
  var canBeReadAgain: Bool { (facts?.byteCount ?? 0) > 0 }

  /// Shows the strip for a second after a drag or the second of two seeks.
  ///
  /// - Parameter make: called the first time that the strip is shown.
  func didScrub(isDrag: Bool, at now: HostTime, make: () -> ThumbnailStrip) {
    defer { lastScrub = now }
    let isRepeated = lastScrub.map { now - $0 < ThumbnailStrip.linger } ?? false
    guard isDrag || isRepeated, canBeReadAgain, length.isNumeric, length > .zero,
      let body = geometry?.body.size, ThumbnailStrip.fits(body)
    else { return }
    if strip == nil { strip = make() }
    stripUntil = now + ThumbnailStrip.linger
  }

  /// Takes in thumbnails that have come. Returns whether they are to be drawn.
  func thumbnailsDidChange() -> Bool { (strip?.catchUp() ?? false) && stripUntil != nil }

  /// Lets the strip go whose time is over, unless the bar is still held. Returns whether it went.
  func expireStrip(at now: HostTime, isHeld: Bool) -> Bool {
    guard let until = stripUntil, now >= until else { return false }
    stripUntil = isHeld ? now + ThumbnailStrip.linger : nil
    return !isHeld
  }

  /// Where the strip lies; nil while it is not shown.
  func stripRect(blitter: Blitter) -> PixelRect? {
    guard stripUntil != nil, picture != nil, let body = geometry?.body, ThumbnailStrip.fits(body.size) else { return nil }
    return strip?.rect(in: body, over: barRow?.track ?? body, at: fraction, blitter: blitter)
  }

  /// Draws the strip, while it is shown, over the picture's lowest rows.
  func paintStrip(blitter: Blitter, into grid: inout CellGrid, palette: Palette) {
    guard let rect = stripRect(blitter: blitter), let body = geometry?.body else { return }
    strip?.paint(
      in: rect, over: barRow?.track ?? body, at: fraction, blitter: blitter, into: &grid, palette: palette)
  }

  /// Where in the clip it is, 0…1; no number while its length is not known.
  private var fraction: Double { player.currentTime().seconds / length.seconds }

  // MARK: - Saving

  /// Saves the picture with that timing in the background; a notice tells how it went.
  func save(_ timing: FrameTiming, _ saves: PendingSaves) {
    let saver = saver ?? PictureSaver(asset: asset, saves: saves)
    self.saver = saver
    saver.save(timing)
  }

  /// Says what has been saved. Returns whether there was anything.
  func catchUpSaves(at now: HostTime) -> Bool {
    guard let news = saver?.take() else { return false }
    notice = Notice(text: news.text, until: now + 4_000_000_000)
    return true
  }

  /// Ends everything that it started.
  func close() {
    events?.remove()
    periodic?.remove()
    player.replaceCurrentItem(with: nil)
    strip = nil
  }
}
