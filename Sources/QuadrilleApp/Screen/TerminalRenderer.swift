import CellGraphics
import Playback
import Terminal

/// Brings images of panes, and chrome, to the terminal: one grid, one encoder, one writer. Screen thread only.
///
/// The newest due frames wait undecided until the terminal can take an update; then all panes' frames go
/// out in one. Chrome does not wait for frames. It knows of no player: what is shown comes as values.
final class TerminalRenderer {
  private let session: TerminalSession
  private let usesFlowControl: Bool
  private(set) var capabilities: TerminalCapabilities
  private var canvas: ScreenCanvas
  private var encoder: DifferenceEncoder
  private var flow: FlowWindow
  /// For the encoder to write to; empty in between.
  private var bytes: [UInt8] = []
  private var remainder = Remainder.nothing
  /// What was asked for; a frame that rests is exact.
  private let movingQuality: ImageQuality
  /// Panes that rest, and are looked at closely: now, and in the latest update.
  private var resting: (now: Set<ObjectIdentifier>, sent: Set<ObjectIdentifier>) = ([], [])
  private var chromeChanged = true
  private(set) var meter = LinkMeter()
  private var updateRate = UpdateRate()

  /// What the terminal does not show yet of frames that it was sent.
  private enum Remainder {
    case nothing
    /// Cells that are near enough while something moves.
    case near
    /// Cells for which there were no bytes.
    case cells
  }

  var blitter: Blitter { canvas.blitter }

  /// Bytes of chrome that wait for a terminal that does not read, before no more is encoded.
  private static let maxPendingChrome = 16 << 10

  /// - Parameter usesFlowControl: whether to send frames only as fast as the terminal says that it took them;
  ///   else as fast as the tty takes bytes.
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

  // MARK: - What the terminal tells

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

  /// Something came from the user, or told of the keyboard.
  func didReceive(_ event: InputEvent, at now: HostTime) {
    if event == .focus(false) { flow.didLoseFocus() } else { flow.didReceiveInput(at: UInt64(now)) }
  }

  /// The terminal's size changed, or its contents are not known any more.
  func reset(size: TerminalSize, terminalMayBeAnother: Bool, at now: HostTime) {
    canvas.resize(size)
    encoder.resize(columns: size.columns, rows: size.rows)
    flow.cellCount = size.columns * size.rows
    flow.reset(at: UInt64(now), terminalMayBeAnother: terminalMayBeAnother)
    chromeChanged = true
  }

  /// The frames that the panes want to show.
  var demand = FrameDemand.playing(30) {
    didSet { adaptRate() }
  }

  private func adaptRate() { flow.frameRate = updateRate.rate(of: demand) }

  /// What went to the terminal lately.
  func linkFigures(at now: HostTime) -> LinkFigures {
    meter.roll(at: now)
    return meter.figures(roundTrip: roundTrip)
  }

  /// The least time lately in which the terminal answered; nil before it ever has, and where another answers for it.
  var roundTrip: HostTime? { flow.terminalRoundTrip.map(HostTime.init) }

  /// The chrome was drawn anew.
  func chromeDidChange() { chromeChanged = true }

  /// When something is to be done even if nothing happens; nil when nothing waits.
  func deadline(after now: HostTime) -> HostTime? {
    [flow.deadline, flow.opening(after: UInt64(now))].compactMap { $0 }.min().map(HostTime.init)
  }

  /// When chrome that is not urgent may be drawn again; nil when it need not wait.
  func chromeOpening(after now: HostTime) -> HostTime? {
    usesFlowControl ? flow.chromeOpening(after: UInt64(now)).map(HostTime.init) : nil
  }

  /// Whether an update of frames could go out now.
  func canTakeFrames(at now: HostTime) -> Bool { allowance(at: now) != .closed }

  /// Whether all of the frames has been sent that is to be seen now.
  var hasSentAll: Bool {
    switch remainder {
    case .nothing: true
    case .near: encoder.quality == .high && resting.now.isSubset(of: resting.sent)
    case .cells: false
    }
  }

  /// Whether something waits for the terminal to take it.
  var hasMore: Bool { !hasSentAll || chromeChanged }

  /// Whether the terminal will show what it is meant to show, cell for cell.
  var isExact: Bool { remainder == .nothing && !chromeChanged && !session.writer.hasPending }

  private func allowance(at now: HostTime) -> FlowWindow.Allowance {
    if !usesFlowControl { return session.writer.hasPending ? .closed : .open(budget: nil) }
    return flow.allowance(at: UInt64(now), isWriterEmpty: !session.writer.hasPending)
  }

  // MARK: - Updates

  /// What has become of an update.
  enum Outcome {
    /// All of it that the terminal can take.
    case sent
    /// There was nothing to send, or too much waits already.
    case nothingSent
    /// The terminal is not there any more.
    case gone
  }

  /// What an update may have for frames now. Frames are taken from their players only where it is open.
  func beginUpdate(at now: HostTime) -> FlowWindow.Allowance {
    guard flush() else { return .closed }
    if flow.expire(at: UInt64(now)), usesFlowControl { session.writer.enqueue(flow.query) }
    return allowance(at: now)
  }

  /// Sends what the terminal can take now: new frames, chrome, or the rest of earlier frames, in one update.
  ///
  /// - Parameter allowance: what `beginUpdate` has said, once for each time; closed for chrome alone.
  func present(_ images: [PaneImage], _ allowance: FlowWindow.Allowance, chrome: ChromePainter, at now: HostTime) -> Outcome {
    guard flush() else { return .gone }
    // Those that move beside one that rests do not pay for its being exact.
    resting.now = Set(images.lazy.filter { $0.motion == .resting }.map(\.id))
    encoder.quality = images.contains { $0.motion == .moving } ? movingQuality : .exact
    let drawsImages = canvas.draw(images, all: chromeChanged)
    if chromeChanged || drawsImages { canvas.draw(chrome) }
    guard chromeChanged || drawsImages || (!hasSentAll && allowance != .closed) else { return .nothingSent }
    guard session.writer.pendingBytes < Self.maxPendingChrome else { return .nothingSent }

    // Without what is left free around a frame: it would count as shown exactly.
    encoder.regions = images.map { image in
      ImageRegion(
        cells: image.frameCells(blitter), emphasis: image.isFocused ? 2 : 1, isStill: image.motion == .resting && !image.isNew,
        isExact: image.motion == .resting)
    }
    // Cells that a smaller panel uncovers are not counted: a figure that counts its own drawing would never rest.
    let hasFrames = images.contains(where: \.isNew) || !hasSentAll
    let result = encoder.encode(canvas.grid, imageBudget: allowance.budget, into: &bytes)
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

  /// Writes what the tty takes. Returns false when it is gone.
  func flush() -> Bool {
    if case .gone = session.writer.flush() { return false }
    return true
  }

  /// Forgets what the terminal shows, so that all of it is sent again.
  func invalidate() {
    encoder.invalidate()
    chromeChanged = true
  }

  /// Each cell as the terminal is meant to show it now.
  var intendedScreen: CellGrid {
    var result = canvas.grid
    for row in 0..<result.rows {
      for column in 0..<result.columns {
        result[column: column, row: row] = encoder.expressed(result[column: column, row: row])
      }
    }
    return result
  }

  /// Whether the terminal still owes answers, which must not reach whoever reads it next.
  var awaitsAnswers: Bool { usesFlowControl && flow.isOwedAnswers }

  /// The terminal has answered all that it owed.
  func answersHaveCome() { flow.forgetOwed() }

  /// Answers that a terminal behind a multiplexer owes.
  var answersOwedBehind: Int { usesFlowControl ? flow.outstandingBehind : 0 }

  var bytesWritten: UInt64 { session.writer.bytesWritten }
}
