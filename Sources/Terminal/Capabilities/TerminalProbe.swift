import CellGraphics

/// Asks the terminal at the start what neither the environment nor terminfo know: a value with a hand-moved
/// clock.
///
/// Send `query` when the screen has been entered, give every reply to `receive`, call `expire` at `deadline`,
/// and repaint when `capabilities` have changed. Nothing waits for it: the first frame is shown with what
/// is known.
///
/// The queries end with one for the primary attributes (DA1), which every terminal answers, in order: what
/// has not been answered when that answer comes is not known to the terminal.
public struct TerminalProbe: Sendable {
  /// The capabilities as known by now.
  public private(set) var capabilities: TerminalCapabilities
  /// What the terminal is to be sent. It may print a letter at the top left, which the first frame covers.
  public let query: [UInt8]
  /// Whether the terminal's cursor reports are answers and not keys (`InputParser.expectsCursorReport`).
  public var expectsCursorReport: Bool { !isFinished && asksForUTF8 }
  /// Whether all has been answered, or the time is over.
  public private(set) var isFinished = false
  /// Nanoseconds between the query and its last answer; nil before that, or when none came.
  ///
  /// With it `FlowWindow.didProbe` need not feel its way.
  public private(set) var roundTrip: UInt64?

  /// A colour that no palette has.
  private static let trial = [17, 34, 52]
  /// Entries of xterm's palette, of its colours and greys: terminals that have others differ in them.
  private static let paletteSamples: [(index: Int, rgb: [Int])] = [
    (59, [95, 95, 95]), (110, [135, 175, 215]), (242, [108, 108, 108]),
  ]
  private var samplesFound: Set<Int> = []

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
    if capabilities.isXtermLike {
      query += "\u{1B}[>c\u{1B}[?2026$p\u{1B}[>q"
      // What the terminal makes of a colour in 24 bits, which ssh carries no variable for: it draws with it, or with a near
      // one of its palette. A terminal that does not know the query keeps silent.
      if capabilities.mayHaveTrueColor {
        query += "\u{1B}[48;2;\(Self.trial.map(String.init).joined(separator: ";"))m\u{1B}P$qm\u{1B}\\\u{1B}[m"
      }
      if capabilities.mayHaveTrueColor || capabilities.colorDepth == .trueColor {
        query += "\u{1B}]4;" + Self.paletteSamples.map { "\($0.index);?" }.joined(separator: ";") + "\u{1B}\\"
      }
    }
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
    case .version(let answer):
      let name = TerminalName(answer)
      capabilities.repeatsGlyphs = name.repeatsGlyphs
      // Its variable does not come through ssh.
      if name.name == "Konsole" { capabilities.isKonsole = true }
    case .graphicRendition(let parameters) where capabilities.mayHaveTrueColor:
      if parameters.containsRun([48, 2] + Self.trial) { capabilities.colorDepth = .trueColor }
    case .paletteColor(let index, let red, let green, let blue):
      guard let sample = Self.paletteSamples.first(where: { $0.index == index }) else { break }
      if sample.rgb == [red, green, blue] { samplesFound.insert(index) } else { samplesFound.remove(index) }
      capabilities.hasStandardPalette = samplesFound.count == Self.paletteSamples.count
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

extension Array where Element: Equatable {
  /// Whether elements stand one behind the other somewhere.
  fileprivate func containsRun(_ run: [Element]) -> Bool {
    indices.contains { self[$0...].starts(with: run) }
  }
}
