/// Says when the next frame update may go to the terminal and how large it may be: a value with a
/// hand-moved clock.
///
/// Behind each update goes a query (`query`); the terminal's answer says that it has *taken* the update,
/// which is the only back-pressure that is felt through ssh. A window of updates may be unanswered at a time:
/// as many as the round trip holds at the frame rate, and no more bytes than the terminal takes in the
/// least round trip and the time of one update, at least 50 ms. Chrome never waits for the window; it is only counted.
///
/// A multiplexer that runs here and whose terminal is far away answers for itself, and takes more than the link does. The
/// first query is meant for the terminal behind it; if nothing answers, updates go out at `hiddenRate`. That terminal is asked
/// once a second, and not while its answers may go elsewhere (`MultiplexerPassage`). mosh's terminal is always far away, and
/// nothing passes through it.
///
/// Times are nanoseconds of one monotonic clock. Call `expire` at `deadline`, after the input has been read
/// dry.
public struct FlowWindow: Sendable {
  /// What may be sent now.
  public enum Allowance: Equatable, Sendable {
    /// No frame now: wait for an answer, for the writer, for `opening` or for `deadline`.
    case closed
    /// One update, whose frame part has at most `budget` bytes; nil is without limit.
    case open(budget: Int?)

    /// Bytes that an update may have for frames; nil is without limit.
    public var budget: Int? {
      switch self {
      case .closed: 0
      case .open(let budget): budget
      }
    }
  }

  /// Who answers queries.
  private enum Answerer {
    /// The terminal, or a multiplexer near it.
    case terminal
    /// Not known yet: the terminal behind a multiplexer is asked through it.
    case sought
    /// The terminal, asked through a multiplexer.
    case terminalBehind
    /// A multiplexer, for itself: nothing tells of the link behind it.
    case multiplexer
  }

  /// What is to follow an update: DSR 5, which the terminal answers with `ESC [ 0 n` when it has taken everything before.
  public var query: [UInt8] {
    switch answerer {
    case .terminal, .multiplexer: Self.plainQuery
    case .sought, .terminalBehind: passage.query
    }
  }

  private static let plainQuery = Array("\u{1B}[5n".utf8)

  /// Updates a second that the program would like to send.
  public var frameRate = 30.0
  /// Bytes a second that may be sent at the most, chrome included; nil for as many as the terminal takes.
  public var maxRate: Double?
  /// Cells of the screen, which bound what one update can need.
  public var cellCount: Int
  /// What answers instead of the terminal; it drops output beyond 8 bytes a cell.
  public var multiplexer: TerminalCapabilities.Multiplexer? {
    didSet { if multiplexer == .mosh { answerer = .multiplexer } }
  }

  /// The least round trip seen lately; nil before the first.
  public var minRoundTrip: UInt64? { roundTrip.least }
  /// The least round trip to the terminal itself; nil before the first, and where only what is in between answers.
  public var terminalRoundTrip: UInt64? {
    switch answerer {
    case .terminal, .terminalBehind: return minRoundTrip
    case .sought, .multiplexer: return nil
    }
  }
  /// Queries that have not been answered.
  public var outstanding: Int { asks.count }
  /// Whether answers are still to come, also to queries that were given up while a link stood still.
  public var isOwedAnswers: Bool { !asks.isEmpty || stale.isExpectingForCertain }
  /// Those of them that the terminal behind a multiplexer is to answer.
  public var outstandingBehind: Int { answerer == .sought || answerer == .terminalBehind ? asks.count : 0 }
  /// Whether the terminal has ever answered.
  public private(set) var hasAnswered = false

  private struct Ask {
    var sentAt: UInt64
    var bytes: Int
    var departure: DeliveryRate.Departure
    /// Whether the window, and not want of frames, bounded what was in flight.
    var fillsWindow: Bool
    /// Whether the window wanted to know whether it may grow.
    var growsWindow: Bool
    /// Updates of frames.
    var updates: Int
    var isMeasurement: Bool
  }

  private var answerer = Answerer.terminal
  private var passage: MultiplexerPassage
  private let hiddenLink: TerminalCapabilities.HiddenLink?
  /// Whether more than one terminal answered, so that what answered is not told.
  private var isAnsweredTwice = false

  private enum Mode: Equatable {
    /// The window still grows by what is answered.
    case start
    /// The window follows the measured rate.
    case steady
    /// The terminal does not answer; `nextAsk` is when it is tried again.
    case unresponsive(nextAsk: UInt64)
  }

  /// When all that was sent would have gone out at `pace`.
  private var paidAt: UInt64 = 0

  // What is in flight.
  private var asks: [Ask] = []
  /// Bytes, and updates of frames, behind the latest query.
  private var unasked = (bytes: 0, updates: 0)
  private var lastSentAt: UInt64 = 0

  // What was learnt.
  private var mode = Mode.start
  private var startWindow: Int
  /// Late answers in a row, while the window grows.
  private var lateSamples = 0
  private var roundTrip = MinRoundTrip()
  private var delivery = DeliveryRate()
  private var probing = RateProbing()

  // Answers that stay away.
  /// When every query was answered last.
  private var allAnsweredAt: UInt64 = 0
  private var misses = 0
  private var lastProgress: UInt64 = 0
  private var unresponsiveInterval = Self.second
  private var stale = StaleAnswers()

  private static let second: UInt64 = 1_000_000_000
  private static let millisecond: UInt64 = 1_000_000
  /// Queueing that is always accepted.
  private static let slack = 50 * millisecond
  /// With fewer updates a second than these, what is on its way grows no more.
  private static let minFrameRate = 8.0
  /// For so long, and for 60 round trips, something may be on its way all the time.
  private static let busyTime = 25 * second
  /// Queueing that ends the start phase.
  private static let lateness = 40 * millisecond
  private static let pacingGain = 1.5
  /// An answer so soon that the terminal must be near and fast.
  private static let nearSample = 10 * millisecond
  private static let maxUnresponsiveInterval = 5 * second
  /// More queries are not left unanswered.
  static let maxAsks = 256
  /// Bytes a second that are sent where nothing tells what the link takes: less than most do.
  private static let hiddenRate = 48_000.0
  /// No cell takes more: cursor, two 24-bit colours and a glyph.
  private static let maxBytesPerCell = 48
  /// What is more may be dropped by a multiplexer.
  private static let bytesPerMultiplexedCell = 8
  private static let smallestUpdate = 256
  /// Updates a second that there are at any rate.
  private static let minUpdates = 6.0
  private static let smallestWindow = 512
  private static let firstWindow = 8 << 10
  private static let largestWindow = 64 << 20

  /// - Parameters:
  ///   - cellCount: columns × rows of the screen.
  ///   - multiplexer: what is in between.
  ///   - hiddenLink: the link that it hides.
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

  // MARK: What may be sent

  /// What may be sent now.
  ///
  /// - Parameter isWriterEmpty: whether the kernel has taken all bytes; while it has not, nothing more is
  ///   encoded.
  public func allowance(at now: UInt64, isWriterEmpty: Bool = true) -> Allowance {
    guard isWriterEmpty, now >= paidAt else { return .closed }
    if answerer == .sought || passage.isPaused { return .open(budget: limited(nil)) }
    if case .unresponsive(let nextAsk) = mode {
      // A terminal that used to answer has stopped reading: what is sent now waits in buffers and is old when
      // it is shown. One that never answered gets all that is taken.
      guard hasAnswered else { return .open(budget: limited(nil)) }
      return now >= nextAsk ? .open(budget: limited(window)) : .closed
    }
    // A terminal that used to answer has stopped: what is sent now would be old when it is shown.
    if misses > 0 { return hasAnswered ? .closed : .open(budget: limited(nil)) }
    if roundTrip.isMeasuring { return asks.isEmpty ? .open(budget: limited(Self.smallestUpdate * 2)) : .closed }
    let room = window - inFlight
    // What is behind the latest query may have arrived.
    if asks.isEmpty { return .open(budget: limited(max(min(room, share), min(share, Self.smallestWindow)))) }
    guard !isFull else { return .closed }
    return .open(budget: limited(min(room, share)))
  }

  /// Whether nothing more may be sent before something is answered.
  private var isFull: Bool { window - inFlight < minShare || updatesInFlight >= countLimit }

  /// Whether not every update is followed by a query.
  private var asksSeldom: Bool { answerer == .terminalBehind }

  /// The time for which more may be on its way because it is not asked about yet.
  private var askInterval: UInt64 { asksSeldom && mode == .steady ? MultiplexerPassage.interval : 0 }

  /// Bytes that may be in flight.
  private var window: Int {
    guard mode != .start, let rate = delivery.rate else { return startWindow }
    let time = Double((minRoundTrip ?? 0) + queueing + askInterval) / Double(Self.second)
    return max(Self.smallestWindow, Int(min(rate * time * (asksSeldom ? passage.gain : probing.gain), 1e9)))
  }

  private var inFlight: Int { asks.reduce(unasked.bytes) { $0 + $1.bytes } }

  /// Queueing that is accepted for the sake of a full link: an answer comes once all of an update is there, so that one more
  /// has to be on its way meanwhile.
  private var queueing: UInt64 {
    max(Self.slack, isFar ? UInt64(Double(Self.second) / max(frameRate, Self.minFrameRate)) : 0)
  }

  /// The least room that an update is sent for: near the whole of its share, so that updates are no more than frames.
  private var minShare: Int { max(Self.smallestUpdate, share * 3 / 4) }

  /// Whether an update is on its way for longer than it takes to make another.
  private var isFar: Bool { (minRoundTrip ?? 0) > Self.nearSample }

  /// Bytes of one update, so that the frames of one round trip share the window.
  private var share: Int {
    if isFar { return max(Self.smallestUpdate, window / countWindow) }
    return mode == .start ? window : min(window, updateBytes(rate))
  }

  /// Updates of frames that may be in flight: those of the time in which an answer is expected.
  private var countWindow: Int {
    let least = minRoundTrip ?? 0
    func frames(in time: UInt64) -> Int { Int((Double(time) / Double(Self.second) * frameRate).rounded(.up)) }
    // Near by there is nothing to queue for: one is shown while the next is made.
    return isFar ? max(2, frames(in: least + queueing + askInterval)) : frames(in: least + askInterval) + 1
  }

  /// Updates are counted where each is asked about.
  private var countLimit: Int { asksSeldom ? .max : countWindow }

  private var updatesInFlight: Int { asks.reduce(unasked.updates) { $0 + $1.updates } }

  /// Bytes a second that the terminal is known to take.
  private var rate: Double { delivery.rate ?? 0 }

  private func limited(_ budget: Int?) -> Int? {
    let whole = cellCount * Self.maxBytesPerCell
    let wanted = budget.flatMap { $0 >= whole ? nil : $0 }
    let taken = multiplexer != nil ? Self.bytesPerMultiplexedCell * cellCount : nil
    return [wanted, taken, rateLimit.map(updateBytes)].compactMap { $0 }.min()
  }

  /// Bytes of one update at a rate. Half more than the mean: not every update is full, and none is sent the moment it
  /// could be.
  private func updateBytes(_ rate: Double) -> Int {
    let least = min(Self.smallestUpdate, Int(rate / Self.minUpdates))
    return max(least, Int(min(1.5 * rate / max(1, frameRate), 1e9)))
  }

  /// Bytes a second that are sent in a row; nil for any number. What goes to an idle link all at once would wait there.
  private var pace: Double? {
    [rateLimit, knownPace].compactMap { $0 }.min()
  }

  private var knownPace: Double? {
    guard mode == .steady else { return nil }
    // What nothing is asked about for a second must not wait for a second.
    if asksSeldom { return rate * passage.gain }
    return isFar ? rate * Self.pacingGain : nil
  }

  private var rateLimit: Double? {
    // A link that has become slower looks the same: what waits there is to become less.
    if passage.isPaused { return min(maxRate ?? Self.hiddenRate, delivery.rate.map { $0 / 2 } ?? Self.hiddenRate) }
    return maxRate ?? (answerer == .sought || answerer == .multiplexer ? Self.hiddenRate : nil)
  }

  /// When updates may go out again that wait for what was sent before, or for a terminal that is silent; nil when none has
  /// to wait for a time.
  public func opening(after now: UInt64) -> UInt64? {
    var opening = paidAt
    if hasAnswered, case .unresponsive(let nextAsk) = mode { opening = max(opening, nextAsk) }
    return opening > now ? opening : nil
  }

  /// When chrome that is not urgent may go out: it waits only where no more than some bytes a second may be sent. Nil when it
  /// need not.
  public func chromeOpening(after now: UInt64) -> UInt64? { rateLimit != nil && paidAt > now ? paidAt : nil }

  // MARK: What has happened

  /// Counts an update that was handed to the writer.
  ///
  /// - Parameter hasFrames: whether more than chrome was sent, which is not held back and does not hold back.
  /// - Returns: whether `query` is to follow it (its bytes need not be counted).
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
    if asksSeldom, asks.isEmpty, unasked.bytes == 0 || now &- lastSentAt > MultiplexerPassage.interval {
      // All that was sent has arrived.
      unasked = (0, 0)
      delivery.begin(at: now)
    }
    lastSentAt = now
    let isAlone = unasked.bytes <= 2 * Self.smallestUpdate
    unasked.bytes += bytes
    if hasFrames { unasked.updates += 1 }
    if answerer == .sought, !asks.isEmpty { return false }
    // Before the measurement the way has to become empty: a silence tells which answers are lost.
    if isEmptying, !hasFrames { return false }
    guard asks.count < Self.maxAsks, !asksSeldom || isQueryDue(at: now) else { return false }
    let asked = unasked
    unasked = (0, 0)
    ask(bytes: asked.bytes + query.count, updates: asked.updates, isAlone: isAlone, at: now)
    return true
  }

  /// Whether a terminal that is asked seldom is to be asked now.
  private func isQueryDue(at now: UInt64) -> Bool {
    if asks.isEmpty { return passage.isDue(at: now) || isFull || roundTrip.isMeasuring || mode == .start && isGrowing }
    return mode == .start && isGrowing
  }

  /// Whether what is not asked about yet would tell whether the window may grow.
  private var isGrowing: Bool { unasked.bytes >= window / 4 }

  /// Whether nothing but answers is waited for, so that an update can be measured alone.
  private var isEmptying: Bool { roundTrip.isMeasuring && asks.first?.isMeasurement == false }

  private mutating func ask(bytes: Int, updates: Int, isAlone: Bool = true, at now: UInt64) {
    let isMeasurement = roundTrip.isMeasuring && asks.isEmpty && (isAlone || !asksSeldom)
    if asks.isEmpty {
      if !asksSeldom { delivery.begin(at: now) }
      (lastProgress, allAnsweredAt) = (now, now)
    }
    let isLarge = bytes >= (asksSeldom ? window / 4 : share - share / 8)
    let isNearlyFull = inFlight + bytes >= window - window / 4
    // While a queue is being emptied less is sent than is taken.
    let fillsWindow = isNearlyFull && (!asksSeldom || passage.gain >= 1)
    asks.append(
      Ask(
        sentAt: now, bytes: bytes, departure: delivery.departure(at: now), fillsWindow: fillsWindow,
        growsWindow: fillsWindow || isLarge, updates: updates, isMeasurement: isMeasurement))
    if asksSeldom { passage.didAsk(at: now) }
    if fillsWindow || updatesInFlight >= countLimit { roundTrip.didFillWindow() }
  }

  /// Counts an answer of the terminal (`TerminalReply.operatingStatus`).
  public mutating func didAcknowledge(at now: UInt64) {
    hasAnswered = true
    if answerer == .sought { answerer = .terminalBehind }
    // What was sent meanwhile waits behind what this one answers.
    defer { if passage.didAnswer() { asks.removeAll() } }
    if case .unresponsive = mode {
      // It was only slow. The other queries of that time will be answered too, and say nothing.
      mode = modeOfResponsive
      stale.forgetOne()
      misses = 0
      unresponsiveInterval = Self.second
      return
    }
    if stale.takes(answerAt: now, sentAt: asks.first?.sentAt, minRoundTrip: minRoundTrip) {
      lastProgress = now
      return
    }
    guard !asks.isEmpty else {
      if asksSeldom, passage.didReceiveSurplus() { giveUpAsking() }
      return
    }
    let ask = asks.removeFirst()
    if asks.isEmpty { stale.allWereAnswered() }
    misses = 0
    lastProgress = now
    // A sample that the frames bounded tells only that the terminal takes at least as much.
    let sample = now &- ask.sentAt
    let isQueued = asksSeldom && passage.isQueue(sample - min(sample, minRoundTrip ?? sample))
    delivery.didDeliver(
      ask.bytes, since: ask.departure, isWhole: (ask.fillsWindow || isQueued) && !ask.isMeasurement, at: now)
    measureRoundTrip(ask, at: now)
    // One that is lost is taken for the next one from then on, until there is a silence.
    if now &- allAnsweredAt > max(Self.busyTime, 60 * (minRoundTrip ?? 0)) { roundTrip.measure() }
    if mode == .steady { probing.advance(rate: rate, roundTrip: max(minRoundTrip ?? 0, Self.slack), at: now) }
  }

  /// The mode once a terminal that did not answer does.
  private var modeOfResponsive: Mode { delivery.rate == nil ? .start : .steady }

  private mutating func measureRoundTrip(_ ask: Ask, at now: UInt64) {
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
      // Far away a queue is noticed late, so the window grows gently; near by it is whole after few answers.
      startWindow = min(
        startWindow + (sample < Self.nearSample ? ask.bytes * 6 : ask.bytes / 2), Self.largestWindow)
    }
  }

  /// While the way was thought to be shorter, too little was on it to tell what it takes: the window grows anew.
  private mutating func wayIsLonger() {
    startWindow = window
    lateSamples = 0
    mode = .start
  }

  /// Takes over what the start-up probe has measured, before there is any queue.
  public mutating func didProbe(roundTrip: UInt64, at now: UInt64) {
    hasAnswered = true
    // A multiplexer's own answer tells nothing of the link that it hides.
    guard hiddenLink == nil else { return }
    self.roundTrip.didProbe(roundTrip, at: now)
  }

  // MARK: A terminal behind a multiplexer

  /// Counts an answer that a multiplexer has torn: it took its beginning for the key of a command to itself.
  ///
  /// Nothing is asked for some seconds, so that the command may be given again.
  public mutating func didAcknowledgeTorn(at now: UInt64) {
    didAcknowledge(at: now)
    if answerer == .terminalBehind { passage.commandWasBroken(at: now) }
  }

  /// Notes that the user has pressed a key or used the mouse here, or that this pane got the keyboard.
  public mutating func didReceiveInput(at now: UInt64) {
    if passage.didReceiveInput() { askAgain(at: now) }
  }

  /// Notes that another pane, or another window, has the keyboard.
  public mutating func didLoseFocus() {
    if answerer == .terminalBehind { passage.didLoseFocus() }
  }

  /// What was asked before may have been answered elsewhere.
  private mutating func askAgain(at now: UInt64) { forgetAsks(at: now, areLost: true) }

  /// Several terminals answer: which one does, and what it has taken, is not told.
  private mutating func giveUpAsking() {
    startAnew()
    answerer = .multiplexer
    isAnsweredTwice = true
  }

  // MARK: Answers that stay away

  /// When `expire` is to be called; nil while no answer is awaited.
  public var deadline: UInt64? { asks.isEmpty || passage.isPaused ? nil : lastProgress + patience }

  private var patience: UInt64 {
    // Whether anything passes through a multiplexer is asked once, so a far terminal is given time.
    if answerer == .sought { return 3 * Self.second }
    let least = max(Self.second, 4 * (minRoundTrip ?? 0))
    guard asksSeldom, inFlight > window else { return least }
    return least + UInt64(min(Double(inFlight - window) / max(1, rate), 60) * Double(Self.second))
  }

  /// Notes that an answer is overdue. Returns whether `query` is to be sent again.
  public mutating func expire(at now: UInt64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    if answerer == .sought {
      answerer = .multiplexer
      // What is answered from now on is so at once: an answer that comes after all does no harm, and none is awaited.
      dropAsks()
      return false
    }
    if answerer == .terminalBehind {
      passage.answerIsOverdue()
      return false
    }
    if isEmptying {
      // All that were to come have come. What was learnt from answers to other queries is wrong.
      forgetAsks(at: now, areLost: true)
      stale.forget()
      (delivery, startWindow, lateSamples, mode) = (DeliveryRate(), max(window, Self.firstWindow), 0, .start)
      return false
    }
    // After a silence, what is older than the last answer is lost.
    if misses == 0 || stale.hasSeenAny { stale.forget() }
    misses += 1
    lastProgress = now
    // One new query stands for all the old ones, lest a lost answer be missing for ever.
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

  /// Starts counting anew, after a change of size or after SIGCONT, when answers may have been lost.
  ///
  /// - Parameter terminalMayBeAnother: also forgets what was learnt; after SIGCONT.
  public mutating func reset(at now: UInt64, terminalMayBeAnother: Bool = false) {
    forgetAsks(at: now, areLost: terminalMayBeAnother)
    misses = 0
    roundTrip.cancelMeasurement()
    if case .unresponsive = mode { mode = modeOfResponsive }
    // One that comes or goes often has another size.
    if terminalMayBeAnother || isAnsweredTwice { startAnew() }
  }

  /// All answers that were owed have been read elsewhere.
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
    stale.giveUp(asks.count, until: areLost ? now + patience : nil)
    dropAsks()
  }

  /// Nothing is on its way, as far as it is known.
  private mutating func dropAsks() {
    asks.removeAll(keepingCapacity: true)
    unasked = (0, 0)
  }
}
