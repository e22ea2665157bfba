import CellGraphics
import Pixels

/// Queries the terminal at startup for capabilities that neither the environment nor terminfo determine: a value with a
/// manual clock.
///
/// Send `query` after entering the screen, pass every reply to `receive`, call `expire` at `deadline`,
/// and repaint when `capabilities` have changed. Nothing waits for the probe: the first frame uses what
/// is known.
///
/// The last query is for the primary attributes (DA1), which every terminal answers, in order: queries
/// unanswered by then are not supported.
public struct TerminalProbe: Sendable {
  /// The capabilities known so far.
  public private(set) var capabilities: TerminalCapabilities
  /// The bytes to send. They may print a letter at the top left, which the first frame covers.
  public let query: [UInt8]
  /// True if cursor reports are replies and not keys (`InputParser.expectsCursorReport`).
  public var expectsCursorReport: Bool { !isFinished && asksForUTF8 }
  /// True if everything has been answered or the time is up.
  public private(set) var isFinished = false
  /// Nanoseconds between the query and the last reply; nil before it, or if there was none.
  ///
  /// Pass it to `FlowWindow.didProbe`, which then need not measure it.
  public private(set) var roundTrip: UInt64?

  /// A colour that no palette has.
  private static let trial = [17, 34, 52]
  /// Sample entries of xterm's palette, colours and greys; other palettes differ in these.
  private static let paletteSamples: [(index: Int, rgb: [Int])] = [
    (59, [95, 95, 95]), (110, [135, 175, 215]), (242, [108, 108, 108]),
  ]
  private var samplesFound: Set<Int> = []

  private let asksForUTF8: Bool
  private let sentAt: UInt64
  private var secondaryKind: [Int] = []
  private var name: TerminalName?
  /// Nanoseconds for which replies are awaited.
  public static let patience: UInt64 = 2_000_000_000

  /// - Parameters:
  ///   - capabilities: The detected capabilities.
  ///   - trial: Objects in shared memory that a terminal on this machine can read; nil if it is not on this machine.
  ///   - nanoseconds: Current time of a monotonic clock.
  public init(_ capabilities: TerminalCapabilities, trial: ImageTrial? = nil, at nanoseconds: UInt64) {
    self.capabilities = capabilities
    sentAt = nanoseconds
    asksForUTF8 = capabilities.glyphSet == .ascii
    var query = ""
    // With é as one character, the cursor moves by one column; as two bytes, by two.
    // Both bytes are printable in Latin-1; those of ▀ would include control characters.
    if asksForUTF8 { query += "\u{1B}[1;1Hé\u{1B}[6n\u{1B}[1;1H  " }
    // The VT family and the Linux console print parts of unknown queries.
    if capabilities.isXtermLike {
      query += "\u{1B}[>c\u{1B}[?2026$p\u{1B}[>q"
      if capabilities.multiplexer != .screen { query += "\u{1B}[16t\u{1B}[?2;1;0S" }
      // Of images through a multiplexer, none knows where its pane is.
      if capabilities.multiplexer == nil { query += String(decoding: KittyCommands.queries(trial?.names), as: UTF8.self) }
      // Asks which colour the terminal draws for a 24-bit one, since ssh transmits no variable for it: the same or a near
      // palette colour. Terminals that do not know the query stay silent.
      if capabilities.mayHaveTrueColor {
        query += "\u{1B}[48;2;\(Self.trial.map(String.init).joined(separator: ";"))m\u{1B}P$qm\u{1B}\\\u{1B}[m"
      }
      if capabilities.mayHaveTrueColor || capabilities.colorDepth == .trueColor {
        query += "\u{1B}]4;" + Self.paletteSamples.map { "\($0.index);?" }.joined(separator: ";") + "\u{1B}\\"
      }
    }
    self.query = Array((query + "\u{1B}[c").utf8)
  }

  /// Deadline for `expire`; nil when the probe is over.
  public var deadline: UInt64? { isFinished ? nil : sentAt + Self.patience }

  /// Ends the probe; unanswered queries are not supported.
  public mutating func expire(at nanoseconds: UInt64) {
    if let deadline, nanoseconds >= deadline { isFinished = true }
  }

  /// Handles a reply. Returns true if `capabilities` have changed.
  @discardableResult
  public mutating func receive(_ reply: TerminalReply, at nanoseconds: UInt64) -> Bool {
    let former = capabilities
    switch reply {
    case .cursorPosition(let row, let column) where expectsCursorReport:
      if row == 1, column == 2 { capabilities.glyphSet = .unicode }
    case .privateMode(2026, let state):
      // A late reply is as valid as an early one.
      capabilities.hasSynchronizedUpdates = state == .set || state == .reset || state == .permanentlySet
    case .version(let answer):
      let name = TerminalName(answer)
      capabilities.repeatsGlyphs = name.repeatsGlyphs
      if let known = capabilities.cellShapes { capabilities.cellShapes = known.union(name.cellShapes) }
      self.name = name
      noteITerm()
      // Its variable is not transmitted by ssh.
      if name.name == "Konsole" { capabilities.isKonsole = true }
    case .graphicRendition(let parameters) where capabilities.mayHaveTrueColor:
      if parameters.containsRun([48, 2] + Self.trial) { capabilities.colorDepth = .trueColor }
    case .paletteColor(let index, let red, let green, let blue):
      guard let sample = Self.paletteSamples.first(where: { $0.index == index }) else { break }
      if sample.rgb == [red, green, blue] { samplesFound.insert(index) } else { samplesFound.remove(index) }
      capabilities.hasStandardPalette = samplesFound.count == Self.paletteSamples.count
    case .secondaryAttributes(let attributes):
      secondaryKind = attributes
      // Alacritty reports its version only here, as 1301 for 0.13.1.
      if capabilities.isAlacritty, attributes.count > 1, attributes[0] == 0, let known = capabilities.cellShapes {
        capabilities.cellShapes = known.union(TerminalName("alacritty(0.\(attributes[1] / 100))").cellShapes)
      }
      // The types are the letters T (84) and S (83), which work through ssh, unlike variables.
      if capabilities.multiplexer == nil {
        if attributes.first == 84 { capabilities.multiplexer = .tmux }
        if attributes.first == 83 { capabilities.multiplexer = .screen }
      }
    case .cellPixels(let width, let height):
      let sides = TerminalGraphics.cellSides
      guard sides.contains(width), sides.contains(height) else { break }
      capabilities.graphics.cell = PixelSize(width: width, height: height)
    case .sixelGeometry(let width, let height) where width > 0 && height > 0:
      capabilities.graphics.maxSixel = PixelSize(width: width, height: height)
    case .image(let number, let isAccepted):
      // Only what was asked for counts.
      guard capabilities.multiplexer == nil, let query = KittyCommands.Query(rawValue: number), isAccepted else { break }
      switch query {
      case .direct: capabilities.graphics.kittyMedia.insert(.direct)
      case .sharedMemory: capabilities.graphics.kittyMedia.insert(.sharedMemory)
      case .file: capabilities.graphics.kittyMedia.insert(.file)
      }
    case .primaryAttributes(let attributes):
      // The first one is the terminal's level.
      capabilities.graphics.hasSixel = attributes.dropFirst().contains(4)
      noteITerm()
      // mosh 1.2–1.4 replies exactly this.
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

  /// Infers inline images from the terminal's name and attributes.
  private mutating func noteITerm() {
    guard let name, name.hasITerm(hasSixel: capabilities.graphics.hasSixel) else { return }
    capabilities.graphics.hasITerm = true
  }
}

extension Array where Element: Equatable {
  /// True if the elements occur consecutively.
  fileprivate func containsRun(_ run: [Element]) -> Bool {
    indices.contains { self[$0...].starts(with: run) }
  }
}
