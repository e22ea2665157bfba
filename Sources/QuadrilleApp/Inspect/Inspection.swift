import Pixels
import PlainText
import Playback
import Terminal

/// The information shown about frames besides the frames themselves: a value.
struct Inspection: Equatable, Sendable {
  /// Facts of the displayed frame.
  enum FactsShown: CaseIterable, Sendable {
    case none
    /// A line.
    case line
    /// A line, and the packet sizes of the surrounding frames.
    case strip
  }

  /// A cell of the screen.
  struct Cell: Equatable, Sendable {
    var column: Int
    var row: Int
  }

  var facts = FactsShown.none
  /// The measurement drawn in a corner of each pane; nil for none.
  var scope: FrameScope?
  /// True if the values of the pixel under the pointer are shown.
  var probes = false
  /// The cell under the pointer, if known.
  var pointer: Cell?

  mutating func nextFacts() {
    facts = FactsShown.allCases.next(after: facts)
  }

  mutating func nextScope() {
    scope = ([nil] + FrameScope.allCases).next(after: scope)
  }
}

/// The part of coded frames that panes show: a value.
struct FrameLook: Equatable, Sendable {
  var plane = FramePlane.picture
  var fields = FrameFields.automatic

  /// The mark in the title; nil for the picture as usual.
  var words: TerminalText? {
    var words: [TerminalText] = []
    if plane != .picture { words.append(plane.words) }
    if fields != .automatic { words.append("\(fields.rawValue)") }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension FramePlane {
  var words: TerminalText {
    switch self {
    case .cb: "Cb"
    case .cr: "Cr"
    case .picture, .luma, .alpha: "\(rawValue)"
    }
  }
}

extension FrameScope {
  var words: TerminalText {
    switch self {
    case .histogram: "histogram of luma"
    case .rgbHistogram: "histogram of red, green and blue"
    case .waveform: "waveform"
    case .vectorscope: "vectorscope"
    }
  }
}

extension FrameFacts {
  /// The facts in a line, the most useful first.
  var words: TerminalText {
    var parts: [TerminalText] = []
    let type: TerminalText = pictureType == .other ? "" : "\(pictureType.rawValue) "
    parts.append(type + (isKeyframe ? "keyframe" : "frame"))
    if let packetByteCount { parts.append("\(PaneText.size(Double(packetByteCount)))B") }
    if let meanQuantizer { parts.append("QP \(PaneText.decimal((meanQuantizer * 10).rounded() / 10))") }
    if let group { parts.append("\(group.index + 1)\(group.count.map { "/\($0)" } ?? "") in its GOP") }
    if fieldOrder != .progressive { parts.append(fieldOrder == .topFirst ? "top field first" : "bottom field first") }
    if isDamaged { parts.append("damaged") }
    parts.append("\(format.pixelFormat)")
    if let light = format.highDynamicRange { parts.append(light == "pq" ? "PQ" : "HLG") }
    return parts.joined(separator: "  ")
  }
}

extension ProbedPixel {
  /// Position, code values and colour.
  var words: TerminalText {
    let codes: TerminalText = switch code {
    case .yCbCr(let y, let cb, let cr): "Y \(y)" + (cb.flatMap { cb in cr.map { " Cb \(cb) Cr \($0)" } } ?? "")
    case .rgb(let red, let green, let blue): "R \(red) G \(green) B \(blue)"
    }
    let depth: TerminalText = bitDepth == 8 ? "" : " (\(bitDepth) bit)"
    let opacity: TerminalText = alpha.map { " alpha \($0)" } ?? ""
    return "x \(x) y \(y)  \(codes)\(depth)\(opacity)  #\(String(hexadecimal: [red, green, blue]).uppercased())"
  }

  /// The difference from another pixel, in code values if both have the same kind and depth, else as shown.
  func difference(from other: ProbedPixel) -> TerminalText {
    func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : value < 0 ? "−\(-value)" : "0" }
    if case .yCbCr(let y, let cb, let cr) = code, case .yCbCr(let y2, let cb2, let cr2) = other.code, bitDepth == other.bitDepth {
      let chroma: TerminalText = if let cb, let cr, let cb2, let cr2 { " Cb \(signed(cb - cb2)) Cr \(signed(cr - cr2))" } else { "" }
      return "Y \(signed(y - y2))" + chroma
    }
    return "R \(signed(Int(red) - Int(other.red))) G \(signed(Int(green) - Int(other.green))) B \(signed(Int(blue) - Int(other.blue)))"
  }
}
