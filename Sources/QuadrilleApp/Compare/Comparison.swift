import Pixels
import Playback
import Terminal

/// Two clips in one pane: the pane's own against that of a reference pane. Screen thread only.
final class Comparison {
  let reference: Pane
  /// The reference's frames are the first of each pair.
  let output: PairedOutput
  var settings: CompareSettings {
    didSet {
      guard settings != oldValue else { return }
      isStale = true
      if settings.mode != oldValue.mode { updateRequests() }
    }
  }
  /// The newest pair; nil before the first.
  private(set) var pair: FramePair?
  private static let edgeLine = ImageMixing.EdgeLine(red: 0xFF, green: 0xD0, blue: 0x40)
  /// Makes differences; created with the first.
  private var worker: DifferenceWorker?
  private let wake: @Sendable () -> Void
  /// The conversions that made the clips comparable for the difference displayed.
  private var conversions: ComparisonConversions = []
  /// The reason why there is no difference of the newest pair.
  private var failure: PlaybackError?
  /// True if the image no longer shows the settings.
  private var isStale = false
  /// Host time of the next alternation.
  private var alternatesAt: HostTime?

  /// - Parameter wake: Called from any thread when there is something new to show.
  init(_ pane: Pane, with reference: Pane, _ settings: CompareSettings, wake: @escaping @Sendable () -> Void) {
    self.reference = reference
    self.settings = settings
    self.wake = wake
    output = PairedOutput(reference.player, pane.player)
    output.setWaker(wake)
  }

  /// The request for both frames; their images have the same size.
  var request: RenderRequest? {
    didSet {
      if request != oldValue { updateRequests() }
    }
  }

  private func updateRequests() {
    guard var request else { return output.requests = nil }
    request.keepsPixels = settings.mode.comparesPixels
    output.requests = (request, request)
  }

  /// Requests both frames laid out as the reference's, which has an aspect ratio.
  func request(_ asked: RenderRequest, aspect: Double) {
    var request = asked
    let geometry = FrameGeometry(
      aspect: aspect, region: request.region, box: request.box, pixelAspect: request.pixelAspect, gravity: request.gravity)
    (request.box, request.region, request.gravity) = (geometry.imageSize, geometry.visible, .resize)
    self.request = request
  }

  /// A new image, and the pair that has arrived for it, if one has; nil if nothing has changed.
  func takeFrame(at now: HostTime) -> (frame: RenderedFrame, new: FramePair?)? {
    let new = output.copyPair(at: now)
    if let new { pair = new }
    let hasAlternated = alternate(at: now)
    if settings.mode.comparesPixels { return takeDifference(new) }
    guard let pair, new != nil || isStale || hasAlternated else { return nil }
    isStale = false
    return (frame(of: pair, image(of: pair)), new)
  }

  private func takeDifference(_ new: FramePair?) -> (frame: RenderedFrame, new: FramePair?)? {
    let worker = self.worker ?? DifferenceWorker(wake: wake)
    self.worker = worker
    if let pair, new != nil || isStale {
      isStale = false
      worker.submit(.init(pair: pair, settings: settings.difference, showsBlocks: settings.mode == .errors, isNew: new != nil))
    }
    guard let answer = worker.takeAnswer() else { return nil }
    let pair = answer.job.pair
    var image = pair.second.image
    switch answer.difference {
    case .success(nil): return nil
    case .success(let difference?): (image, conversions, failure) = (difference.image, difference.conversions, nil)
    case .failure(let error): failure = error
    }
    return (frame(of: pair, image), answer.job.isNew ? pair : nil)
  }

  private func frame(of pair: FramePair, _ image: PixelImage) -> RenderedFrame {
    var frame = pair.second
    frame.image = image
    // The pane asked for the image, whatever else came with it.
    if let request { frame.request = request }
    frame.isApproximate = pair.first.isApproximate || pair.second.isApproximate
    return frame
  }

  private func image(of pair: FramePair) -> PixelImage {
    let (a, b) = settings.leading == .reference ? (pair.first.image, pair.second.image) : (pair.second.image, pair.first.image)
    // Sizes differ only while the request changes.
    guard a.size == b.size else { return b }
    switch settings.mode {
    case .wipe: return ImageMixing.wipe(a, b, edge: settings.edge, axis: settings.axis == .columns ? .vertical : .horizontal, line: Self.edgeLine)
    case .difference, .errors: return b
    case .flicker: return a
    case .mix: return ImageMixing.mix(pair.first.image, pair.second.image, share: settings.share)
    case .checkerboard: return ImageMixing.checkerboard(a, b, square: max(1, a.width / settings.squares))
    case .butterfly: return ImageMixing.butterfly(a, b)
    }
  }

  // MARK: - Alternation

  /// Swaps the sides when it is time. Returns true if it did.
  private func alternate(at now: HostTime) -> Bool {
    guard settings.mode == .flicker, settings.alternations > 0 else {
      alternatesAt = nil
      return false
    }
    let interval = HostTime(1_000_000_000 / settings.alternations)
    guard let due = alternatesAt else {
      alternatesAt = now + interval
      return false
    }
    guard now >= due else { return false }
    // Turns that were missed are not made up for.
    alternatesAt = max(due + interval, now)
    settings.swapSides()
    return true
  }

  /// Host time at which a new image may be due; nil if none is expected.
  func nextFrameTime(after now: HostTime) -> HostTime? {
    if isStale { return now }
    let next = output.nextFrameTime(after: now)
    guard settings.mode == .flicker, settings.alternations > 0 else { return next }
    let due = alternatesAt ?? now
    return min(next ?? due, due)
  }

  // MARK: - Words

  /// The titles of both sides in the order in which they are shown; a side says if it has no more frames.
  func titles(of pane: Pane) -> (leading: TerminalText, trailing: TerminalText) {
    func title(_ side: Pane, _ other: Pane) -> TerminalText {
      if side.error != nil { return "\(side.title) (cannot be played)" }
      return side.clip.hasEnded && !other.clip.hasEnded ? "\(side.title) (ended)" : side.title
    }
    let (own, other) = (title(pane, reference), title(reference, pane))
    return settings.leading == .reference ? (other, own) : (own, other)
  }

  /// The heading of the pane.
  func heading(_ pane: Pane) -> TerminalText {
    let (a, b) = titles(of: pane)
    switch settings.mode {
    case .flicker: return a
    case .difference: return "\(reference.title) − \(pane.title)"
    default: return "\(a) | \(b)"
    }
  }

  /// The mode, and what was done to make the clips comparable.
  func words(for pane: Pane) -> TerminalText {
    var notes: [TerminalText] = []
    if settings.mode.comparesPixels {
      if let failure { return "\(settings.words) is not shown: \(failure.message)" }
      if conversions.contains(.toneMapped) { notes.append("tone-mapped") }
      if !conversions.isDisjoint(with: [.format, .matrix, .range]) { notes.append("converted") }
    }
    if reference.frameSize != pane.frameSize { notes.append("scaled") }
    return ([settings.words] + notes).joined(separator: ", ")
  }
}
