/// Decides when the next frame update may be sent and how large it may be: a value with a
/// manual clock.
///
/// Each update is followed by a query (`query`); the terminal's reply means that it has *processed* the update,
/// which is the only back-pressure through ssh. A window of updates may be unacknowledged:
/// as many as the round trip holds at the frame rate, and no more bytes than the terminal processes in the
/// minimum round trip plus the time of one update, at least 50 ms. Chrome never waits for the window; it is only counted.
///
/// A local multiplexer with a remote terminal replies itself and accepts more than the link does. The
/// first query is addressed to the terminal behind it; without a reply, updates are sent at `hiddenRate`. That terminal is queried
/// once a second, and not while its replies may go elsewhere (`MultiplexerPassage`). mosh's terminal is always remote, and
/// nothing passes through mosh.
///
/// Times are nanoseconds of one monotonic clock. Call `expire` at `deadline`, after all input has been
/// read.
public struct FlowWindow: Sendable {
  /// The permission to send.
  public enum Allowance: Equatable, Sendable {
    /// No frame now: wait for a reply, the writer, `opening` or `deadline`.
    case closed
    /// One update whose frames take at most `budget` bytes; nil for no limit.
    case open(budget: Int?)

    /// Byte limit for the frames of an update; nil for no limit.
    public var budget: Int? {
      switch self {
      case .closed: 0
      case .open(let budget): budget
      }
    }
  }

  /// The responder to queries.
  private enum Answerer {
    /// The terminal, or a multiplexer near it.
    case terminal
    /// Unknown yet: the terminal behind a multiplexer is being queried through it.
    case sought
    /// The terminal, queried through a multiplexer.
    case terminalBehind
    /// A multiplexer itself: nothing is known about the link behind it.
    case multiplexer
  }

  /// The query after an update: DSR 5, which the terminal answers with `ESC [ 0 n` when it has processed everything before.
  public var query: [UInt8] {
    switch answerer {
    case .terminal, .multiplexer: Self.plainQuery
    case .sought, .terminalBehind: passage.query
    }
  }

  private static let plainQuery = Array("\u{1B}[5n".utf8)

  /// Updates per second that the program would like to send.
  public var frameRate = 30.0
  /// Maximum bytes per second, chrome included; nil for no limit.
  public var maxRate: Double?
  /// Cells of the screen, which bound the size of an update.
  public var cellCount: Int
  /// The multiplexer that replies instead of the terminal; it drops output beyond 8 bytes per cell.
  public var multiplexer: TerminalCapabilities.Multiplexer? {
    didSet { if multiplexer == .mosh { answerer = .multiplexer } }
  }

  /// Recent minimum round trip; nil before the first.
  public var minRoundTrip: UInt64? { roundTrip.least }
  /// Minimum round trip to the terminal itself; nil before the first, and if only a multiplexer replies.
  public var terminalRoundTrip: UInt64? {
    switch answerer {
    case .terminal, .terminalBehind: return minRoundTrip
    case .sought, .multiplexer: return nil
    }
  }
  /// Unanswered queries.
  public var outstanding: Int { requests.count }
  /// True if replies are outstanding, including those to queries abandoned while a link stalled.
  public var isOwedAnswers: Bool { !requests.isEmpty || stale.isExpectingForCertain }
  /// Those addressed to the terminal behind a multiplexer.
  public var outstandingBehind: Int { answerer == .sought || answerer == .terminalBehind ? requests.count : 0 }
  /// True if the terminal has ever replied.
  public private(set) var hasAnswered = false

  private struct StatusRequest {
    var sentAt: UInt64
    var bytes: Int
    var departure: DeliveryRate.Departure
    /// True if the window, not a lack of frames, limited the data in flight.
    var fillsWindow: Bool
    /// True if the window needs to know whether it may grow.
    var growsWindow: Bool
    /// Updates with frames.
    var updates: Int
    var isMeasurement: Bool
  }

  private var answerer = Answerer.terminal
  private var passage: MultiplexerPassage
  private let hiddenLink: TerminalCapabilities.HiddenLink?
  /// True if several terminals replied, so that replies mean nothing.
  private var isAnsweredTwice = false

  private enum Mode: Equatable {
    /// The window still grows with each reply.
    case start
    /// The window follows the measured rate.
    case steady
    /// The terminal does not reply; `nextAsk` is the time of the next attempt.
    case unresponsive(nextAsk: UInt64)
  }

  /// Time at which everything sent would have left at `pace`.
  private var paidAt: UInt64 = 0

  // Data in flight.
  private var requests: [StatusRequest] = []
  /// Bytes, and updates with frames, since the latest query.
  private var unasked = (bytes: 0, updates: 0)
  private var lastSentAt: UInt64 = 0

  // Measurements.
  private var mode = Mode.start
  private var startWindow: Int
  /// Consecutive late replies, while the window grows.
  private var lateSamples = 0
  private var roundTrip = MinRoundTrip()
  private var delivery = DeliveryRate()
  private var probing = RateProbing()

  // Missing replies.
  /// When every query was last answered.
  private var allAnsweredAt: UInt64 = 0
  private var misses = 0
  private var lastProgress: UInt64 = 0
  private var unresponsiveInterval = Self.second
  private var stale = StaleAnswers()

  private static let second: UInt64 = 1_000_000_000
  private static let millisecond: UInt64 = 1_000_000
  /// Queueing that is always acceptable.
  private static let slack = 50 * millisecond
  /// Below this many updates per second, the data in flight does not grow.
  private static let minFrameRate = 8.0
  /// Time, besides 60 round trips, for which data may be continuously in flight.
  private static let busyTime = 25 * second
  /// Queueing that ends the start phase.
  private static let lateness = 40 * millisecond
  private static let pacingGain = 1.5
  /// A reply this fast shows that the terminal is near and fast.
  private static let nearSample = 10 * millisecond
  private static let maxUnresponsiveInterval = 5 * second
  /// Maximum number of unanswered queries.
  static let maxAsks = 256
  /// Bytes per second sent if the link's rate is unknown; less than most links take.
  private static let hiddenRate = 48_000.0
  /// Maximum bytes per cell: cursor, two 24-bit colours and a glyph.
  private static let maxBytesPerCell = 48
  /// Beyond this, a multiplexer may drop output.
  private static let bytesPerMultiplexedCell = 8
  private static let smallestUpdate = 256
  /// Updates per second at any rate.
  private static let minUpdates = 6.0
  private static let smallestWindow = 512
  private static let firstWindow = 8 << 10
  private static let largestWindow = 64 << 20

  /// - Parameters:
  ///   - cellCount: Columns × rows of the screen.
  ///   - multiplexer: The multiplexer in between, if any.
  ///   - hiddenLink: The link hidden by it.
  public init(
    cellCount: Int, multiplexer: TerminalCapabilities.Multiplexer? = nil,
    hiddenLink: TerminalCapabilities.HiddenLink? = nil
  ) {
    self.cellCount = cellCount
    self.multiplexer = multiplexer
    self.hiddenLink = hiddenLink
    passage = MultiplexerPassage(query: multiplexer?.passage(of: Self.plainQuery) ?? Self.plainQuery)
    startWindow = Self.firstWindow
    if hiddenLink == .stream { answerer = .sought }
    if hiddenLink == .mosh || multiplexer == .mosh { answerer = .multiplexer }
  }

  // MARK: Permissions

  /// The permission to send now.
  ///
  /// - Parameter isWriterEmpty: True if the kernel has accepted all bytes; until then, nothing more is
  ///   encoded.
  public func allowance(at now: UInt64, isWriterEmpty: Bool = true) -> Allowance {
    guard isWriterEmpty, now >= paidAt else { return .closed }
    if answerer == .sought || passage.isPaused { return .open(budget: limited(nil)) }
    if case .unresponsive(let nextAsk) = mode {
      // A terminal that used to reply has stopped reading: updates sent now would wait in buffers and be outdated when
      // displayed. One that never replied gets everything it accepts.
      guard hasAnswered else { return .open(budget: limited(nil)) }
      return now >= nextAsk ? .open(budget: limited(window)) : .closed
    }
    // A terminal that used to reply has stopped: updates sent now would be outdated when displayed.
    if misses > 0 { return hasAnswered ? .closed : .open(budget: limited(nil)) }
    if roundTrip.isMeasuring { return requests.isEmpty ? .open(budget: limited(Self.smallestUpdate * 2)) : .closed }
    let room = window - inFlight
    // Data after the latest query may have arrived.
    if requests.isEmpty { return .open(budget: limited(max(min(room, share), min(share, Self.smallestWindow)))) }
    guard !isFull else { return .closed }
    return .open(budget: limited(min(room, share)))
  }

  /// True if nothing more may be sent before a reply.
  private var isFull: Bool { window - inFlight < minShare || updatesInFlight >= countLimit }

  /// True if not every update is followed by a query.
  private var asksSeldom: Bool { answerer == .terminalBehind }

  /// Extra time for which data may be in flight because it has not been queried yet.
  private var askInterval: UInt64 { asksSeldom && mode == .steady ? MultiplexerPassage.interval : 0 }

  /// Maximum bytes in flight.
  private var window: Int {
    guard mode != .start, let rate = delivery.rate else { return startWindow }
    let time = Double((minRoundTrip ?? 0) + queueing + askInterval) / Double(Self.second)
    return max(Self.smallestWindow, Int(min(rate * time * (asksSeldom ? passage.gain : probing.gain), 1e9)))
  }

  private var inFlight: Int { requests.reduce(unasked.bytes) { $0 + $1.bytes } }

  /// Queueing accepted to keep the link full: a reply comes only when a whole update has arrived, so one more
  /// must be in flight meanwhile.
  private var queueing: UInt64 {
    max(Self.slack, isFar ? UInt64(Double(Self.second) / max(frameRate, Self.minFrameRate)) : 0)
  }

  /// Minimum free window for sending an update: nearly its whole share, so that there are no more updates than frames.
  private var minShare: Int { max(Self.smallestUpdate, share * 3 / 4) }

  /// True if an update is in flight for longer than it takes to make another.
  private var isFar: Bool { (minRoundTrip ?? 0) > Self.nearSample }

  /// Bytes of one update, so that the frames of one round trip share the window.
  private var share: Int {
    if isFar { return max(Self.smallestUpdate, window / countWindow) }
    return mode == .start ? window : min(window, updateBytes(rate))
  }

  /// Maximum updates with frames in flight: those of the expected reply time.
  private var countWindow: Int {
    let least = minRoundTrip ?? 0
    func frames(in time: UInt64) -> Int { Int((Double(time) / Double(Self.second) * frameRate).rounded(.up)) }
    // For a near terminal, queueing is pointless: one update is shown while the next is made.
    return isFar ? max(2, frames(in: least + queueing + askInterval)) : frames(in: least + askInterval) + 1
  }

  /// Updates are counted if each is followed by a query.
  private var countLimit: Int { asksSeldom ? .max : countWindow }

  private var updatesInFlight: Int { requests.reduce(unasked.updates) { $0 + $1.updates } }

  /// Bytes per second that the terminal is known to process.
  private var rate: Double { delivery.rate ?? 0 }

  private func limited(_ budget: Int?) -> Int? {
    let whole = cellCount * Self.maxBytesPerCell
    let wanted = budget.flatMap { $0 >= whole ? nil : $0 }
    let taken = multiplexer != nil ? Self.bytesPerMultiplexedCell * cellCount : nil
    return [wanted, taken, rateLimit.map(updateBytes)].compactMap { $0 }.min()
  }

  /// Bytes of one update at a rate. Half more than the mean, because not every update is full, and none is sent as soon as it
  /// could be.
  private func updateBytes(_ rate: Double) -> Int {
    let least = min(Self.smallestUpdate, Int(rate / Self.minUpdates))
    return max(least, Int(min(1.5 * rate / max(1, frameRate), 1e9)))
  }

  /// Bytes per second in a burst; nil for no limit. A burst to an idle link would queue there.
  private var pace: Double? {
    [rateLimit, knownPace].compactMap { $0 }.min()
  }

  private var knownPace: Double? {
    guard mode == .steady else { return nil }
    // With queries only once a second, data must not queue for a second.
    if asksSeldom { return rate * passage.gain }
    return isFar ? rate * Self.pacingGain : nil
  }

  private var rateLimit: Double? {
    // A link that has become slower looks the same: its queue must shrink.
    if passage.isPaused { return min(maxRate ?? Self.hiddenRate, delivery.rate.map { $0 / 2 } ?? Self.hiddenRate) }
    return maxRate ?? (answerer == .sought || answerer == .multiplexer ? Self.hiddenRate : nil)
  }

  /// Time at which updates waiting for earlier output, or for a silent terminal, may be sent; nil if none has to wait for a
  /// time.
  public func opening(after now: UInt64) -> UInt64? {
    var opening = paidAt
    if hasAnswered, case .unresponsive(let nextAsk) = mode { opening = max(opening, nextAsk) }
    return opening > now ? opening : nil
  }

  /// Time at which chrome that is not urgent may be sent; nil if now. It waits only if output is limited to some bytes per
  /// second.
  public func chromeOpening(after now: UInt64) -> UInt64? { rateLimit != nil && paidAt > now ? paidAt : nil }

  // MARK: Events

  /// Records an update passed to the writer.
  ///
  /// - Parameter hasFrames: True if more than chrome was sent; chrome is not limited and does not limit frames.
  /// - Returns: True if `query` must follow (its bytes need not be counted).
  public mutating func didSend(bytes: Int, hasFrames: Bool = true, at now: UInt64) -> Bool {
    if passage.advance(to: now) { askAgain(at: now) }
    if let pace {
      let time = Double(bytes + query.count) * Double(Self.second) / max(1, pace)
      paidAt = max(now, paidAt) + UInt64(min(time, 1e15))
    }
    if case .unresponsive(let nextAsk) = mode {
      guard now >= nextAsk else { return false }
      unresponsiveInterval = min(unresponsiveInterval * 2, Self.maxUnresponsiveInterval)
      mode = .unresponsive(nextAsk: now + (hasAnswered ? unresponsiveInterval : Self.maxUnresponsiveInterval))
      stale.expectOne()
      return true
    }
    guard !passage.isPaused else {
      unasked.bytes = min(unasked.bytes + bytes, Self.bytesPerMultiplexedCell * cellCount)
      lastSentAt = now
      return false
    }
    if asksSeldom, requests.isEmpty, unasked.bytes == 0 || now &- lastSentAt > MultiplexerPassage.interval {
      // Records that everything sent has arrived.
      unasked = (0, 0)
      delivery.begin(at: now)
    }
    lastSentAt = now
    let isAlone = unasked.bytes <= 2 * Self.smallestUpdate
    unasked.bytes += bytes
    if hasFrames { unasked.updates += 1 }
    if answerer == .sought, !requests.isEmpty { return false }
    // The link must be empty before the measurement: a silence shows which replies are lost.
    if isEmptying, !hasFrames { return false }
    guard requests.count < Self.maxAsks, !asksSeldom || isQueryDue(at: now) else { return false }
    let asked = unasked
    unasked = (0, 0)
    ask(bytes: asked.bytes + query.count, updates: asked.updates, isAlone: isAlone, at: now)
    return true
  }

  /// True if a rarely queried terminal is to be queried now.
  private func isQueryDue(at now: UInt64) -> Bool {
    if requests.isEmpty { return passage.isDue(at: now) || isFull || roundTrip.isMeasuring || mode == .start && isGrowing }
    return mode == .start && isGrowing
  }

  /// True if the unqueried data would show whether the window may grow.
  private var isGrowing: Bool { unasked.bytes >= window / 4 }

  /// True if only replies are pending, so that an update can be measured alone.
  private var isEmptying: Bool { roundTrip.isMeasuring && requests.first?.isMeasurement == false }

  private mutating func ask(bytes: Int, updates: Int, isAlone: Bool = true, at now: UInt64) {
    let isMeasurement = roundTrip.isMeasuring && requests.isEmpty && (isAlone || !asksSeldom)
    if requests.isEmpty {
      if !asksSeldom { delivery.begin(at: now) }
      (lastProgress, allAnsweredAt) = (now, now)
    }
    let isLarge = bytes >= (asksSeldom ? window / 4 : share - share / 8)
    let isNearlyFull = inFlight + bytes >= window - window / 4
    // While a queue is draining, less is sent than processed.
    let fillsWindow = isNearlyFull && (!asksSeldom || passage.gain >= 1)
    requests.append(
      StatusRequest(
        sentAt: now, bytes: bytes, departure: delivery.departure(at: now), fillsWindow: fillsWindow,
        growsWindow: fillsWindow || isLarge, updates: updates, isMeasurement: isMeasurement))
    if asksSeldom { passage.didAsk(at: now) }
    if fillsWindow || updatesInFlight >= countLimit { roundTrip.didFillWindow() }
  }

  /// Records a reply of the terminal (`TerminalReply.operatingStatus`).
  public mutating func didAcknowledge(at now: UInt64) {
    hasAnswered = true
    if answerer == .sought { answerer = .terminalBehind }
    // Data sent meanwhile queues behind the data that this reply acknowledges.
    defer { if passage.didAnswer() { requests.removeAll() } }
    if case .unresponsive = mode {
      // It was only slow. The other queries of that time will also be answered, without significance.
      mode = modeOfResponsive
      stale.forgetOne()
      misses = 0
      unresponsiveInterval = Self.second
      return
    }
    if stale.takes(answerAt: now, sentAt: requests.first?.sentAt, minRoundTrip: minRoundTrip) {
      lastProgress = now
      return
    }
    guard !requests.isEmpty else {
      if asksSeldom, passage.didReceiveSurplus() { giveUpAsking() }
      return
    }
    let ask = requests.removeFirst()
    if requests.isEmpty { stale.allWereAnswered() }
    misses = 0
    lastProgress = now
    // A sample limited by the frames is only a lower bound of the rate.
    let sample = now &- ask.sentAt
    let isQueued = asksSeldom && passage.isQueue(sample - min(sample, minRoundTrip ?? sample))
    delivery.didDeliver(
      ask.bytes, since: ask.departure, isWhole: (ask.fillsWindow || isQueued) && !ask.isMeasurement, at: now)
    measureRoundTrip(ask, at: now)
    // A lost reply is taken for the next one from then on, until there is a silence.
    if now &- allAnsweredAt > max(Self.busyTime, 60 * (minRoundTrip ?? 0)) { roundTrip.measure() }
    if mode == .steady { probing.advance(rate: rate, roundTrip: max(minRoundTrip ?? 0, Self.slack), at: now) }
  }

  /// The mode when a silent terminal starts to reply.
  private var modeOfResponsive: Mode { delivery.rate == nil ? .start : .steady }

  private mutating func measureRoundTrip(_ ask: StatusRequest, at now: UInt64) {
    let sample = now &- ask.sentAt
    let known = minRoundTrip ?? sample
    roundTrip.add(sample, isMeasurement: ask.isMeasurement, at: now)
    passage.didMeasure(delay: sample - min(sample, minRoundTrip ?? sample), isAlone: ask.isMeasurement)
    if ask.isMeasurement, sample > known + known / 4 + 2 * Self.slack { wayIsLonger() }
    guard mode == .start else { return }
    let isLate = sample > (minRoundTrip ?? sample) + Self.lateness
    lateSamples = isLate ? lateSamples + 1 : 0
    if isLate && ask.growsWindow || lateSamples >= 3 {
      mode = .steady
    } else if ask.growsWindow {
      // With a remote terminal a queue is noticed late, so the window grows slowly; with a near one it is full after a few replies.
      startWindow = min(
        startWindow + (sample < Self.nearSample ? ask.bytes * 6 : ask.bytes / 2), Self.largestWindow)
    }
  }

  /// While the round trip was underestimated, too little was in flight to measure the rate: the window grows again.
  private mutating func wayIsLonger() {
    startWindow = window
    lateSamples = 0
    mode = .start
  }

  /// Uses the measurements of the startup probe, before there is any queue.
  public mutating func didProbe(roundTrip: UInt64, at now: UInt64) {
    hasAnswered = true
    // A multiplexer's own reply shows nothing about the link that it hides.
    guard hiddenLink == nil else { return }
    self.roundTrip.didProbe(roundTrip, at: now)
  }

  // MARK: A terminal behind a multiplexer

  /// Records a torn reply: the multiplexer took its start for the key of a command.
  ///
  /// Pauses queries for some seconds, so that the user can repeat the command.
  public mutating func didAcknowledgeTorn(at now: UInt64) {
    didAcknowledge(at: now)
    if answerer == .terminalBehind { passage.commandWasBroken(at: now) }
  }

  /// Records a key or mouse event here, or that this pane gained the focus.
  public mutating func didReceiveInput(at now: UInt64) {
    if passage.didReceiveInput() { askAgain(at: now) }
  }

  /// Records that another pane or window has the focus.
  public mutating func didLoseFocus() {
    if answerer == .terminalBehind { passage.didLoseFocus() }
  }

  /// Earlier queries may have been answered elsewhere.
  private mutating func askAgain(at now: UInt64) { forgetAsks(at: now, areLost: true) }

  /// Several terminals reply: it is unknown which one, and what it has processed.
  private mutating func giveUpAsking() {
    startAnew()
    answerer = .multiplexer
    isAnsweredTwice = true
  }

  // MARK: Missing replies

  /// Deadline for `expire`; nil if no reply is awaited.
  public var deadline: UInt64? { requests.isEmpty || passage.isPaused ? nil : lastProgress + patience }

  private var patience: UInt64 {
    // The test for a multiplexer's passthrough runs once, so a remote terminal is given time.
    if answerer == .sought { return 3 * Self.second }
    let least = max(Self.second, 4 * (minRoundTrip ?? 0))
    guard asksSeldom, inFlight > window else { return least }
    return least + UInt64(min(Double(inFlight - window) / max(1, rate), 60) * Double(Self.second))
  }

  /// Records that a reply is overdue. Returns true if `query` must be sent again.
  public mutating func expire(at now: UInt64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    if answerer == .sought {
      answerer = .multiplexer
      // Later replies come at once: a late reply does no harm, and none is awaited.
      dropAsks()
      return false
    }
    if answerer == .terminalBehind {
      passage.answerIsOverdue()
      return false
    }
    if isEmptying {
      // All expected replies have arrived. Conclusions from replies to other queries were wrong.
      forgetAsks(at: now, areLost: true)
      stale.forget()
      (delivery, startWindow, lateSamples, mode) = (DeliveryRate(), max(window, Self.firstWindow), 0, .start)
      return false
    }
    // After a silence, everything older than the last reply is lost.
    if misses == 0 || stale.hasSeenAny { stale.forget() }
    misses += 1
    lastProgress = now
    // One new query replaces all old ones, so that a lost reply is not missing forever.
    let bytes = inFlight
    forgetAsks(at: now, areLost: !hasAnswered)
    guard misses < 3 else {
      unresponsiveInterval = patience
      mode = .unresponsive(nextAsk: now + (hasAnswered ? unresponsiveInterval : Self.maxUnresponsiveInterval))
      return false
    }
    ask(bytes: bytes + query.count, updates: 1, at: now)
    return true
  }

  /// Restarts counting after a change of size or after SIGCONT, when replies may have been lost.
  ///
  /// - Parameter terminalMayBeAnother: Also discards measurements; after SIGCONT.
  public mutating func reset(at now: UInt64, terminalMayBeAnother: Bool = false) {
    forgetAsks(at: now, areLost: terminalMayBeAnother)
    misses = 0
    roundTrip.cancelMeasurement()
    if case .unresponsive = mode { mode = modeOfResponsive }
    // A terminal that attaches or detaches often has another size.
    if terminalMayBeAnother || isAnsweredTwice { startAnew() }
  }

  /// All outstanding replies have been read elsewhere.
  public mutating func forgetOwed() {
    dropAsks()
    stale.forget()
  }

  private mutating func startAnew() {
    let (stale, frameRate, maxRate) = (stale, frameRate, maxRate)
    self = FlowWindow(cellCount: cellCount, multiplexer: multiplexer, hiddenLink: hiddenLink)
    (self.stale, self.frameRate, self.maxRate) = (stale, frameRate, maxRate)
  }

  private mutating func forgetAsks(at now: UInt64, areLost: Bool) {
    stale.giveUp(requests.count, until: areLost ? now + patience : nil)
    dropAsks()
  }

  /// Nothing is known to be in flight.
  private mutating func dropAsks() {
    requests.removeAll(keepingCapacity: true)
    unasked = (0, 0)
  }
}
