import CellGraphics

/// Asks the terminal at the start what neither the environment nor terminfo know: a value with a hand-moved
/// clock.
///
/// Send `query` when the screen has been entered, give every reply to `receive`, call `expire` at `deadline`,
/// and repaint when `capabilities` have changed. Nothing waits for it: the first picture is shown with what
/// is known.
///
/// The queries end with one for the primary attributes (DA1), which every terminal answers, in order: what
/// has not been answered when that answer comes is not known to the terminal.
public struct TerminalProbe: Sendable {
  /// The capabilities as known by now.
  public private(set) var capabilities: TerminalCapabilities
  /// What the terminal is to be sent. It may print a letter at the top left, which the first picture covers.
  public let query: [UInt8]
  /// Whether the terminal's cursor reports are answers and not keys (`InputParser.expectsCursorReport`).
  public var expectsCursorReport: Bool { !isFinished && asksForUTF8 }
  /// Whether all has been answered, or the time is over.
  public private(set) var isFinished = false
  /// Nanoseconds between the query and its last answer; nil before that, or when none came.
  ///
  /// With it `FlowWindow.didProbe` need not feel its way.
  public private(set) var roundTrip: UInt64?

  private let asksForUTF8: Bool
  private let sentAt: UInt64
  private var secondaryKind: [Int] = []
  private static let patience: UInt64 = 2_000_000_000

  /// - Parameters:
  ///   - capabilities: what was detected.
  ///   - nanoseconds: the present time of a monotonic clock.
  public init(_ capabilities: TerminalCapabilities, at nanoseconds: UInt64) {
    self.capabilities = capabilities
    sentAt = nanoseconds
    asksForUTF8 = capabilities.glyphSet == .ascii
    var query = ""
    // A terminal that takes é for one character has moved by one column; one that takes its two bytes for
    // two has not. Both bytes are letters or signs in Latin-1: those of ▀ are control characters there.
    if asksForUTF8 { query += "\u{1B}[1;1Hé\u{1B}[6n\u{1B}[1;1H  " }
    // The VT family and the Linux console print parts of queries that they do not know.
    if capabilities.isXtermLike { query += "\u{1B}[>c\u{1B}[?2026$p" }
    self.query = Array((query + "\u{1B}[c").utf8)
  }

  /// When `expire` is to be called; nil when the probe is over.
  public var deadline: UInt64? { isFinished ? nil : sentAt + Self.patience }

  /// Gives up waiting; what was not answered is not there.
  public mutating func expire(at nanoseconds: UInt64) {
    if let deadline, nanoseconds >= deadline { isFinished = true }
  }

  /// Takes an answer. Returns whether `capabilities` have changed.
  @discardableResult
  public mutating func receive(_ reply: TerminalReply, at nanoseconds: UInt64) -> Bool {
    let former = capabilities
    switch reply {
    case .cursorPosition(let row, let column) where expectsCursorReport:
      if row == 1, column == 2 { capabilities.glyphSet = .unicode }
    case .privateMode(2026, let state):
      // A late answer is as true as an early one.
      capabilities.hasSynchronizedUpdates = state == .set || state == .reset || state == .permanentlySet
    case .secondaryAttributes(let attributes):
      secondaryKind = attributes
      // The kinds are the letters T (84) and S (83); they tell through ssh, where no variable does.
      if capabilities.multiplexer == nil {
        if attributes.first == 84 { capabilities.multiplexer = .tmux }
        if attributes.first == 83 { capabilities.multiplexer = .screen }
      }
    case .primaryAttributes(let attributes):
      // mosh 1.2–1.4 answers exactly so.
      if capabilities.multiplexer == nil, attributes == [62], secondaryKind == [1, 10, 0] {
        capabilities.multiplexer = .mosh
      }
      if !isFinished {
        isFinished = true
        roundTrip = nanoseconds &- sentAt
      }
    default:
      break
    }
    return capabilities != former
  }
}
