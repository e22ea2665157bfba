import Playback
import Terminal

/// How two clips share a pane: a value.
public struct CompareSettings: Equatable, Sendable {
  public enum Mode: String, CaseIterable, Sendable {
    /// One clip on each side of an edge.
    case wipe
    /// The difference of both.
    case difference
    /// One after the other in the same place.
    case flicker
    /// Both, one over the other.
    case mix
    /// Squares of one and the other in turn.
    case checkerboard
    /// Half of one, and the same half of the other mirrored.
    case butterfly
  }

  enum Axis: String, CaseIterable, Sendable {
    /// The edge is vertical: one clip at the left, the other at the right.
    case columns
    /// The edge is horizontal.
    case rows
  }

  /// One of the two clips.
  enum Side: Sendable {
    case reference, clip

    var other: Side { self == .reference ? .clip : .reference }
  }

  public var mode = Mode.wipe
  var axis = Axis.columns
  /// The place of the edge, as a fraction of the frame.
  var edge = 0.5
  /// The side at the left or top, or that is shown; the reference unless both have been swapped.
  var leading = Side.reference
  /// The share of the clip in a mix.
  var share = 0.5
  /// The number of squares across.
  var squares = 16
  /// Alternations per second in `flicker`; 0 if only a key alternates.
  var alternations = 0

  /// The difference of both.
  var difference = DifferenceSettings(size: .init(width: 1, height: 1))

  /// The gains that a key goes through.
  static let gains = [1, 2, 4, 8, 16, 32, 64]

  /// The alternations that a key goes through.
  static let alternationSteps = [0, 1, 2, 4, 8]

  public init() {
    difference.gain = 8
    difference.style = .heat
  }

  mutating func swapSides() { leading = leading.other }

  mutating func moveEdge(by step: Double) { edge = min(max(0, edge + step), 1) }

  mutating func nextAlternations() {
    let index = Self.alternationSteps.firstIndex(of: alternations) ?? 0
    alternations = Self.alternationSteps[(index + 1) % Self.alternationSteps.count]
  }

  mutating func nextGain() {
    let index = Self.gains.firstIndex(of: difference.gain) ?? 0
    difference.gain = Self.gains[(index + 1) % Self.gains.count]
  }

  private var differenceWords: TerminalText {
    let kind: TerminalText = difference.style == .signed ? "signed difference" : "difference"
    let reduction: TerminalText = difference.reduction == .maximum ? "max" : "mean"
    return "\(kind) ×\(difference.gain) \(reduction)\(difference.planes == .luma ? "" : ", all planes")"
  }

  /// The mark in the title.
  var words: TerminalText {
    switch mode {
    case .wipe: axis == .columns ? "wipe" : "wipe, top and bottom"
    case .difference: differenceWords
    case .flicker: alternations > 0 ? "flicker \(alternations)/s" : "flicker"
    case .mix: "mix \(Int((share * 100).rounded()))%"
    case .checkerboard: "checkerboard"
    case .butterfly: "butterfly"
    }
  }
}
