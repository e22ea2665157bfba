import Playback
import Terminal

/// The way in which two clips share a pane: a value.
public struct CompareSettings: Equatable, Sendable {
  public enum Mode: String, CaseIterable, Sendable {
    /// One clip on each side of an edge.
    case wipe
    /// The difference of both.
    case difference
    /// The clip under the errors of blocks.
    case errors
    /// One after the other in the same place.
    case flicker
    /// Both, one over the other.
    case mix
    /// Squares of one and the other in turn.
    case checkerboard
    /// Half of one, and the same half of the other mirrored.
    case butterfly

    /// True if images are made of the decoded pixels of both.
    var comparesPixels: Bool { self == .difference || self == .errors }
  }

  enum Axis: String, CaseIterable, Sendable {
    /// The edge is vertical: one clip at the left, the other at the right.
    case columns
    /// The edge is horizontal.
    case rows

    var next: Axis { self == .columns ? .rows : .columns }
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
  var difference = DifferenceRequest(size: .init(width: 1, height: 1))

  /// The gains that a key goes through.
  static let gains = [1, 2, 4, 8, 16, 32, 64]

  static let shares = [0.25, 0.5, 0.75]
  static let squareCounts = [8, 16, 32]
  /// The alternations that a key goes through.
  static let alternationSteps = [0, 1, 2, 4, 8]

  public init() {
    difference.gain = 8
    difference.style = .heat
  }

  /// The settings that the mode uses, with their values.
  var choices: [(words: TerminalText, action: CompareAction)] {
    let common: [(TerminalText, CompareAction)] = [("swap the sides", .swap), ("compare with the next clip", .nextClip)]
    switch mode {
    case .wipe:
      return [("edge: \(axis == .columns ? "vertical" : "horizontal")", .axis), ("edge in the middle", .centerEdge)] + common
    case .difference:
      return [
        ("gain: \(difference.gain)", .gain), ("shown as: \(difference.style.rawValue)", .style),
        ("planes: \(difference.planes.rawValue)", .planes), ("of the samples in a pixel: \(difference.reduction.rawValue)", .reduction),
        common[1],
      ]
    case .errors: return [("planes: \(difference.planes.rawValue)", .planes), common[1]]
    case .flicker: return [("automatic: \(alternations == 0 ? "no" : "\(alternations) a second")", .alternations)] + common
    case .mix: return [("share: \(Int((share * 100).rounded()))%", .share), common[1]]
    case .checkerboard: return [("squares across: \(squares)", .squares)] + common
    case .butterfly: return common
    }
  }

  /// Changes a setting to its next value.
  mutating func change(_ action: CompareAction) {
    switch action {
    case .mode(let mode): self.mode = mode
    case .swap: swapSides()
    case .axis: axis = axis.next
    case .centerEdge: edge = 0.5
    case .gain: difference.gain = Self.gains.next(after: difference.gain)
    case .style: difference.style = DifferenceRequest.Style.allCases.next(after: difference.style)
    case .planes: difference.planes = DifferenceRequest.Planes.allCases.next(after: difference.planes)
    case .reduction: difference.reduction = DifferenceRequest.Reduction.allCases.next(after: difference.reduction)
    case .alternations: alternations = Self.alternationSteps.next(after: alternations)
    case .share: share = Self.shares.next(after: share)
    case .squares: squares = Self.squareCounts.next(after: squares)
    case .off, .nextClip, .plane, .fields, .filmGrain, .facts, .scope: break
    }
  }

  mutating func swapSides() { leading = leading.other }

  mutating func moveEdge(by step: Double) { edge = min(max(0, edge + step), 1) }

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
    case .errors: difference.planes == .luma ? "errors" : "errors, all planes"
    case .flicker: alternations > 0 ? "flicker \(alternations)/s" : "flicker"
    case .mix: "mix \(Int((share * 100).rounded()))%"
    case .checkerboard: "checkerboard"
    case .butterfly: "butterfly"
    }
  }
}

/// A change of a comparison, from a list.
enum CompareAction: Equatable, Sendable {
  case off
  case mode(CompareSettings.Mode)
  case swap, nextClip, axis, centerEdge, gain, style, planes, reduction, alternations, share, squares
  case plane, fields, filmGrain, facts, scope
}
