import Pixels
import Playback
import Typesetting

/// Text subtitles drawn into a pane's frames in pixels, by a worker: a value of the screen thread.
///
/// Nothing waits for the worker. Until it has drawn the first text of a script, and if it cannot, text stays in cells.
struct TypesetSubtitles {
  private typealias Drawn = (request: TypesetRequest, text: TypesetText)

  private enum Engine {
    case idle
    case running(TypesettingWorker)
    case unavailable
  }

  private var engine = Engine.idle
  /// Texts drawn for the current script and frame size, the newest last.
  private var drawn: [Drawn] = []
  /// The latest requests to the worker.
  private var asked: [TypesetRequest] = []
  private var shown: Drawn?
  /// The time for which `shown` was chosen.
  private var shownTime: MediaTime?
  /// The script of which a text has been drawn.
  private var ready: TypesetRequest.Script?
  /// The script that cannot be drawn.
  private var refused: TypesetRequest.Script?
  private var made: (source: PixelImage, text: TypesetText, image: PixelImage)?
  /// The image made before it, for its memory: the terminal's side is done with it.
  private var spare: PixelImage?
  /// The script whose text is in the frames and not in cells; nil for none.
  private(set) var script: TypesetRequest.Script?
  /// Rows at the bottom of the frame that something covers.
  var coveredRows = 0

  /// The number of texts kept: the one shown, the one before a change, and those after it.
  private static let maxDrawn = 4
  /// Times nearer than this, in seconds, are the same to a frame that moves.
  private static let tolerance = 0.002
  /// The longest time in seconds for which a text stays while the next one is being drawn.
  private static let patience = 0.5

  /// Sets the text to show. Returns true if other text is shown.
  ///
  /// - Parameters:
  ///   - wanted: nil if the frame is not in pixels.
  ///   - isResting: True if no other frame is about to follow. Then the text becomes exact.
  ///   - next: The text that is expected next, to be drawn in advance; called only if there is nothing else to do.
  ///   - start: Starts a worker; called with the first request.
  mutating func show(
    _ wanted: TypesetRequest?, isResting: Bool, next: () -> TypesetRequest?, start: () -> TypesettingWorker
  ) -> Bool {
    takeNews()
    let former = shown?.text
    script = wanted.flatMap { $0.script == ready && $0.script != refused ? $0.script : nil }
    guard let wanted, wanted.script != refused else {
      (shown, drawn, asked, made, spare) = (nil, [], [], nil, nil)
      return former != nil
    }
    drawn.removeAll { $0.request.script != wanted.script || $0.request.layout != wanted.layout }
    choose(wanted, isResting: isResting)
    if shown == nil { (made, spare) = (nil, nil) }
    ask(for: wanted, next: next, isResting: isResting, start: start)
    return shown?.text !== former
  }

  private mutating func takeNews() {
    guard case .running(let worker) = engine else { return }
    for news in worker.take() {
      switch news {
      case .isUnavailable:
        engine = .unavailable
        ready = nil
      case .drawn(let request, .success(let text)):
        ready = request.script
        drawn.append((request, text))
        if drawn.count > Self.maxDrawn { drawn.removeFirst() }
      case .drawn(let request, .failure): refused = request.script
      }
    }
  }

  private func nearest(to wanted: TypesetRequest) -> Drawn? {
    drawn.filter { $0.request.hasText(of: wanted) }.min { $0.request.distance(to: wanted) < $1.request.distance(to: wanted) }
  }

  private mutating func choose(_ wanted: TypesetRequest, isResting: Bool) {
    guard !wanted.cues.isEmpty else { return shown = nil }
    guard let best = nearest(to: wanted) else {
      // A text stays for a moment rather than flicker.
      let stays = !isResting && shown?.request.layout == wanted.layout && shown?.request.script == wanted.script
        && shownTime.map { abs((wanted.time - $0).seconds) < Self.patience } ?? false
      if !stays { shown = nil }
      return
    }
    // A frame that moves keeps what it was first shown with.
    if !isResting, wanted.time == shownTime, shown?.request.hasText(of: wanted) == true { return }
    (shown, shownTime) = (best, wanted.time)
  }

  private mutating func ask(
    for wanted: TypesetRequest, next: () -> TypesetRequest?, isResting: Bool, start: () -> TypesettingWorker
  ) {
    func isMissing(_ request: TypesetRequest) -> Bool {
      guard !request.cues.isEmpty else { return false }
      return nearest(to: request).map { $0.request.distance(to: request) > (isResting ? 0 : Self.tolerance) } ?? true
    }
    func missing(_ request: TypesetRequest?) -> TypesetRequest? { request.flatMap { isMissing($0) ? $0 : nil } }
    let needed = [missing(wanted) ?? (isResting ? nil : missing(next()))].compactMap(\.self)
    guard needed != asked else { return }
    asked = needed
    switch engine {
    case .unavailable: return
    case .running(let worker): worker.submit(needed)
    case .idle:
      guard !needed.isEmpty else { return }
      let worker = start()
      engine = .running(worker)
      worker.submit(needed)
    }
  }

  /// An image with the text over it.
  mutating func image(over image: PixelImage) -> PixelImage {
    guard let text = shown?.text, !text.isEmpty, text.size == image.size else { return image }
    if let made, made.text === text, made.source.isCopy(of: image) { return made.image }
    let result = text.drawn(over: image, reusing: &spare)
    spare = made?.image
    made = (image, text, result)
    return result
  }
}
