import CellGraphics
import Playback
import Terminal

/// Sends images of panes and chrome to the terminal: one grid, one encoder, one writer. Screen thread only.
///
/// The newest due frames wait until the terminal can accept an update; then all panes' frames go out in one. Chrome does
/// not wait for frames. Independent of players: contents arrive as values.
final class TerminalRenderer {
  private let session: TerminalSession
  private let usesFlowControl: Bool
  private(set) var capabilities: TerminalCapabilities
  private var canvas: ScreenCanvas
  private var encoder: DifferenceEncoder
  private var flow: FlowWindow
  /// Sends frames in pixels; nil while they are drawn with cells.
  private var pixels: PixelTransport?
  /// Buffer for the encoder; empty in between.
  private var bytes: [UInt8] = []
  private var remainder = Remainder.nothing
  /// The requested quality; a still frame is exact.
  private let movingQuality: ImageQuality
  /// Still panes, which get full detail: now, and in the latest update.
  private var resting: (now: Set<ObjectIdentifier>, sent: Set<ObjectIdentifier>) = ([], [])
  private var chromeChanged = true
  private(set) var meter = LinkMeter()
  private var updateRate = UpdateRate()

  /// Cells of sent frames that the terminal does not show yet.
  private enum Remainder {
    case nothing
    /// Cells that are close enough while something moves.
    case near
    /// Cells left out for lack of bytes.
    case cells
  }

  var blitter: Blitter { canvas.blitter }
  /// The pixels' part of the latest update.
  private var pixelOutcome: PixelTransport.Outcome { pixels?.latest ?? .init() }

  /// Maximum bytes of chrome queued for a terminal that does not read.
  private static let maxPendingChrome = 16 << 10

  /// - Parameter usesFlowControl: True to send frames only as fast as the terminal acknowledges them;
  ///   otherwise as fast as the tty accepts bytes.
  init(
    session: TerminalSession, capabilities: TerminalCapabilities, size: TerminalSize,
    options: PlayOptions.TerminalOptions, usesFlowControl: Bool
  ) {
    self.session = session
    self.capabilities = capabilities
    self.usesFlowControl = usesFlowControl
    canvas = ScreenCanvas(size, capabilities, options)
    encoder = DifferenceEncoder(
      columns: size.columns, rows: size.rows, profile: Self.profile(capabilities, session.terminfo))
    flow = FlowWindow(
      cellCount: size.columns * size.rows, multiplexer: capabilities.multiplexer, hiddenLink: capabilities.hiddenLink)
    flow.maxRate = options.maxRate.map(Double.init)
    movingQuality = options.quality
  }

  private static func profile(_ capabilities: TerminalCapabilities, _ terminfo: TerminfoEntry) -> EncoderProfile {
    EncoderProfile(
      colorDepth: capabilities.colorDepth, glyphSet: capabilities.glyphSet,
      synchronizedUpdates: capabilities.hasSynchronizedUpdates, repeatsGlyphs: capabilities.repeatsGlyphs,
      erasesCells: terminfo.has("ech"), backColorErase: terminfo.flag("bce"), hasStandardPalette: capabilities.hasStandardPalette,
      marksDirection: capabilities.mayOrderText)
  }

  // MARK: - Terminal replies

  func didProbe(_ capabilities: TerminalCapabilities, roundTrip: UInt64?, at now: HostTime) {
    if let roundTrip { flow.didProbe(roundTrip: roundTrip, at: UInt64(now)) }
    guard capabilities != self.capabilities else { return }
    self.capabilities = capabilities
    flow.multiplexer = capabilities.multiplexer
    canvas.setCapabilities(capabilities)
    encoder.profile = Self.profile(capabilities, session.terminfo)
    chromeChanged = true
  }

  func didAcknowledge(at now: HostTime) { flow.didAcknowledge(at: UInt64(now)) }

  func didAcknowledgeTorn(at now: HostTime) { flow.didAcknowledgeTorn(at: UInt64(now)) }

  /// Handles input from the user, or a report about the keyboard.
  func didReceive(_ event: InputEvent, at now: HostTime) {
    if event == .focus(false) { flow.didLoseFocus() } else { flow.didReceiveInput(at: UInt64(now)) }
  }

  /// Sends frames in pixels from now on, or draws them with cells.
  ///
  /// - Parameters:
  ///   - format: nil for cells.
  ///   - isRemote: True if a link may be slower than the terminal.
  func setPixels(_ format: GraphicsProtocol?, isRemote: Bool, at now: HostTime) {
    guard format != pixels?.format else { return }
    let savesBytes = isRemote || flow.maxRate != nil || capabilities.multiplexer != nil
    if let pixels { session.writer.enqueue(pixels.removal) }
    pixels = format.map { PixelTransport($0, capabilities.graphics, codec: .standard, savesBytes: savesBytes) }
    canvas.hasCellsInLastRow = format == .sixel
    session.removeImagesOnLeaving(pixels?.removal)
    // What is known of the link was measured with other updates.
    flow.reset(at: UInt64(now), terminalMayBeAnother: true)
    invalidate()
  }

  /// Removes what the terminal has not read of images; it will not any more.
  func removeImageObjects() { pixels?.removeObjects() }

  /// Handles a new size, or unknown contents of the terminal.
  func reset(size: TerminalSize, terminalMayBeAnother: Bool, at now: HostTime) {
    canvas.resize(size)
    encoder.resize(columns: size.columns, rows: size.rows)
    pixels?.invalidate()
    flow.cellCount = size.columns * size.rows
    flow.reset(at: UInt64(now), terminalMayBeAnother: terminalMayBeAnother)
    chromeChanged = true
  }

  /// The frames that the panes want to show.
  var demand = FrameDemand.playing(30) {
    didSet { adaptRate() }
  }

  private func adaptRate() { flow.frameRate = updateRate.rate(of: demand) }

  /// Recent output to the terminal.
  func linkFigures(at now: HostTime) -> LinkFigures {
    meter.roll(at: now)
    var figures = meter.figures(roundTrip: roundTrip)
    figures.pixels = pixels.map { "\($0.format.rawValue)\(pixelOutcome.reduced.isEmpty ? "" : ", fewer pixels")" }
    return figures
  }

  /// Recent minimum round-trip time; nil if the terminal has not replied, or something else replies for it.
  var roundTrip: HostTime? { flow.terminalRoundTrip.map(HostTime.init) }

  /// Records that the chrome has been redrawn.
  func chromeDidChange() { chromeChanged = true }

  /// Time of the next action without events; nil if nothing is pending.
  func deadline(after now: HostTime) -> HostTime? {
    [flow.deadline, flow.opening(after: UInt64(now))].compactMap { $0 }.min().map(HostTime.init)
  }

  /// Time at which chrome that is not urgent may be redrawn; nil if now.
  func chromeOpening(after now: HostTime) -> HostTime? {
    usesFlowControl ? flow.chromeOpening(after: UInt64(now)).map(HostTime.init) : nil
  }

  /// True if an update of frames could be sent now.
  func canTakeFrames(at now: HostTime) -> Bool { allowance(at: now) != .closed }

  /// True if all visible frames have been sent completely.
  var hasSentAll: Bool {
    // Of moving frames, less detail is enough.
    guard !pixelOutcome.isLeft, pixelOutcome.reduced.isDisjoint(with: resting.now) else { return false }
    return switch remainder {
    case .nothing: true
    case .near: encoder.quality == .high && resting.now.isSubset(of: resting.sent)
    case .cells: false
    }
  }

  /// True if output is waiting for the terminal.
  var hasMore: Bool { !hasSentAll || chromeChanged }

  /// True if the terminal will show exactly the intended cells.
  var isExact: Bool {
    remainder == .nothing && !pixelOutcome.isLeft && pixelOutcome.reduced.isEmpty && !chromeChanged && !session.writer.hasPending
  }

  private func allowance(at now: HostTime) -> FlowWindow.Allowance {
    if !usesFlowControl { return session.writer.hasPending ? .closed : .open(budget: nil) }
    return flow.allowance(at: UInt64(now), isWriterEmpty: !session.writer.hasPending)
  }

  // MARK: - Updates

  /// The result of an update.
  enum Outcome {
    /// Everything that the terminal can accept was sent.
    case sent
    /// Nothing to send, or too much is queued.
    case nothingSent
    /// The terminal is gone.
    case gone
  }

  /// The allowance for frames in an update. Frames are taken from their players only if it is open.
  func beginUpdate(at now: HostTime) -> FlowWindow.Allowance {
    guard flush() else { return .closed }
    if flow.expire(at: UInt64(now)), usesFlowControl { session.writer.enqueue(flow.query) }
    return allowance(at: now)
  }

  /// Sends what the terminal can accept now, in one update: new frames, chrome, or the rest of earlier frames.
  ///
  /// - Parameter allowance: The result of `beginUpdate`, used once; closed for chrome only.
  func present(_ images: [PaneImage], _ allowance: FlowWindow.Allowance, chrome: ChromePainter, at now: HostTime) -> Outcome {
    guard flush() else { return .gone }
    // Moving panes do not pay for the exactness of a still one.
    resting.now = Set(images.lazy.filter { $0.motion == .resting }.map(\.id))
    encoder.quality = images.contains { $0.motion == .moving } ? movingQuality : .exact
    let drawsImages = canvas.draw(images, all: chromeChanged)
    if chromeChanged || drawsImages { canvas.draw(chrome) }
    guard chromeChanged || drawsImages || (!hasSentAll && allowance != .closed) else { return .nothingSent }
    guard session.writer.pendingBytes < Self.maxPendingChrome else { return .nothingSent }

    // Exclude the margins around a frame, which would count as exact.
    encoder.regions = images.map { image in
      ImageRegion(
        cells: image.frameCells(blitter), emphasis: image.isFocused ? 2 : 1, isStill: image.motion == .resting && !image.isNew,
        isExact: image.motion == .resting)
    }
    // Cells uncovered by a smaller panel are not counted: counting its own drawing would cause endless updates.
    let hasFrames = images.contains(where: \.isNew) || !hasSentAll
    var result = encoder.encode(canvas.grid, imageBudget: allowance.budget, into: &bytes)
    addPictures(images, allowance, to: &result)
    remainder = result.cellsLeft > 0 ? .cells : result.cellsNear > 0 || canvas.holdsGrain ? .near : .nothing
    resting.sent = resting.now
    chromeChanged = false
    if result.bytes > 0 {
      session.writer.enqueue(taking: &bytes)
      if flow.didSend(bytes: result.bytes, hasFrames: result.imageBytes > 0, at: UInt64(now)), usesFlowControl {
        session.writer.enqueue(flow.query)
      }
      if hasFrames, result.imageBytes > 0 {
        meter.add(result, at: now)
        updateRate.add(result.loss, at: now)
        adaptRate()
      }
      guard flush() else { return .gone }
    }
    return .sent
  }

  /// Adds frames in pixels to an update.
  private func addPictures(_ images: [PaneImage], _ allowance: FlowWindow.Allowance, to result: inout EncodeResult) {
    guard let pixels else { return }
    let pictures = images.compactMap { image in
      image.layers.first.flatMap { PixelPicture(id: image.id, layer: $0, isResting: image.motion == .resting) }
    }
    let budget = allowance.budget.map { max(0, $0 - result.imageBytes) }
    let sent = pixels.encode(pictures, canvas.grid, budget: budget, into: &bytes).bytes
    guard sent > 0 else { return }
    encoder.forgetCursor()
    result.bytes += sent
    result.imageBytes += sent
  }

  /// Writes what the tty accepts. Returns false if it is gone.
  func flush() -> Bool {
    if case .gone = session.writer.flush() { return false }
    return true
  }

  /// Forgets the terminal's contents, so that everything is sent again.
  func invalidate() {
    encoder.invalidate()
    pixels?.invalidate()
    chromeChanged = true
  }

  /// The intended cells of the terminal.
  var intendedScreen: CellGrid {
    var result = canvas.grid
    for row in 0..<result.rows {
      for column in 0..<result.columns {
        result[column: column, row: row] = encoder.expressed(result[column: column, row: row])
      }
    }
    return result
  }

  /// True if the terminal still owes replies, which must not reach the next reader.
  var awaitsAnswers: Bool { usesFlowControl && flow.isOwedAnswers }

  /// Records that all replies have arrived.
  func answersHaveCome() { flow.forgetOwed() }

  /// Number of outstanding replies of a terminal behind a multiplexer.
  var answersOwedBehind: Int { usesFlowControl ? flow.outstandingBehind : 0 }

  var bytesWritten: UInt64 { session.writer.bytesWritten }
}
