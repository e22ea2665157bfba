import Libav
import Pixels
import PlainText

/// Writes cues as lines of an SSA script, in the form that `SSALine` parses.
struct SSAWriter {
  /// The frame size in pixels that positions refer to.
  let size: PixelSize
  let format: TextFormat

  /// The header of the script.
  var header: String { header(fontSize: max(1, size.height / 16), outline: Double(max(1, size.height / 240))) }

  /// Returns a header for text of some size, in pixels.
  func header(fontSize: Int, outline: Double) -> String {
    let (width, height) = (size.width, size.height)
    let outline = outline == outline.rounded() ? "\(Int(outline))" : "\(outline)"
    let style = [
      "Default", "sans-serif", "\(fontSize)", "&H00FFFFFF", "&H00FFFFFF", "&H00000000", "&H00000000", "0,0,0,0", "100,100,0,0",
      "1,\(outline),0", "2", "\(width / 40),\(width / 40),\(height / 30)", "1",
    ]
    return """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(width)
      PlayResY: \(height)
      ScaledBorderAndShadow: yes

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
      StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: \(style.joined(separator: ","))

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

      """
  }

  /// Returns the line for cues visible together, with the position of the first.
  ///
  /// - Parameter number: the line number, from 0.
  func line(_ cues: [SubtitleCue], number: Int) -> String {
    let place = cues.first?.placement ?? SubtitlePlacement()
    let margins = margins(of: place)
    var style = SubtitleStyle()
    // A final line break is dropped.
    let lines = cues.flatMap { cue in cue.lines.last?.text.isEmpty == true ? cue.lines.dropLast() : cue.lines }
    let text = lines.map { line in
      line.spans.map { span in
        defer { style = span.style }
        return changes(from: style, to: span.style) + escaped(span.text)
      }.joined()
    }
    let tags = cues.first.map(tags) ?? ""
    return "\(number),0,Default,,\(margins.left),\(margins.right),0,,\(tags)\(text.joined(separator: "\\N"))"
  }

  // MARK: - Places

  private func tags(_ cue: SubtitleCue) -> String {
    let place = cue.placement
    var tags = ""
    if let key = place.key, key != 2 { tags += "\\an\(key)" }
    if case .fraction(let down) = place.height {
      tags += "\\pos(\(Int(saturating: (across(place) * Double(size.width)).rounded())),\(Int(saturating: (down * Double(size.height)).rounded())))"
    }
    tags += fade(cue)
    let hidden = 255 - Int((max(0, min(1, cue.fade.opacity)) * 255).rounded())
    if hidden > 0 { tags += "\\alpha&H\(hexadecimal(UInt8(hidden)))&" }
    return tags.isEmpty ? "" : "{\(tags)}"
  }

  private func fade(_ cue: SubtitleCue) -> String {
    let (comes, goes) = (milliseconds(cue.fade.fadeIn), milliseconds(cue.fade.fadeOut)), length = milliseconds(cue.timeRange.duration)
    guard comes > 0 || goes > 0 else { return "" }
    guard Double(comes) + Double(goes) > Double(length) else { return "\\fad(\(comes),\(goes))" }
    // The fade-out starts before the fade-in is complete: the opacity reached by then.
    let share = Double(length) / (Double(comes) + Double(goes))
    let turn = Int(share * Double(comes)), hidden = 255 - Int(255 * share)
    return "\\fade(255,\(hidden),255,0,\(turn),\(turn),\(length))"
  }

  /// Returns the position of the side that `x` refers to, as a fraction of the frame's width.
  private func across(_ place: SubtitlePlacement) -> Double {
    if let x = place.x { return x }
    return switch place.horizontal {
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }

  /// Returns the margins beside a cue's lines, in pixels; zero keeps the style's own.
  private func margins(of place: SubtitlePlacement) -> (left: Int, right: Int) {
    guard place.maxWidth < 1 else { return (0, 0) }
    let free = Double(size.width) * (1 - place.maxWidth)
    let left =
      switch place.horizontal {
      case .left: Double(size.width) * across(place)
      case .center: Double(size.width) * (across(place) - place.maxWidth / 2)
      case .right: Double(size.width) * (across(place) - place.maxWidth)
      }
    let whole = Int(saturating: max(0, min(free, left)).rounded())
    return (whole, Int(saturating: free.rounded()) - whole)
  }

  private func milliseconds(_ time: MediaTime) -> Int { Int(clamping: time.ticks(of: Ratio(1, 1000))) }

  // MARK: - Text

  private func changes(from old: SubtitleStyle, to new: SubtitleStyle) -> String {
    var tags = ""
    if new.isBold != old.isBold { tags += "\\b\(new.isBold ? 1 : 0)" }
    if new.isItalic != old.isItalic { tags += "\\i\(new.isItalic ? 1 : 0)" }
    if new.isUnderlined != old.isUnderlined { tags += "\\u\(new.isUnderlined ? 1 : 0)" }
    if new.color != old.color {
      tags += new.color.map { "\\c&H\(hexadecimal($0.blue))\(hexadecimal($0.green))\(hexadecimal($0.red))&" } ?? "\\c"
    }
    return tags.isEmpty ? "" : "{\(tags)}"
  }

  private func hexadecimal(_ value: UInt8) -> String {
    String(value, digits: 2, radix: 16, uppercase: true)
  }

  /// Escapes text so that it is not taken for markup; if nothing else helps, an invisible character separates it.
  private func escaped(_ text: String) -> String {
    let joiner: Unicode.Scalar = "\u{2060}"
    var result = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (i, scalar) in scalars.enumerated() {
      // The last one is followed by a style, a line break or nothing.
      let next = i + 1 < scalars.count ? scalars[i + 1] : nil
      switch scalar {
      case "\\":
        result.append(scalar)
        if next.map({ "Nnh{}".unicodeScalars.contains($0) }) ?? true { result.append(joiner) }
      case "{" where format == .ass, "}" where format == .ass: result.append(contentsOf: ["\\", scalar])
      case "{":
        result.append(scalar)
        if next ?? "\\" == "\\" { result.append(joiner) }
      case "&" where format == .webVTT: result.append(contentsOf: "&amp;".unicodeScalars)
      case "<" where format == .webVTT: result.append(contentsOf: "&lt;".unicodeScalars)
      case ">" where format == .webVTT: result.append(contentsOf: "&gt;".unicodeScalars)
      default:
        let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        // A two-character line ending is one.
        if isControl, scalar == "\r", next == "\n" { continue }
        result.append(isControl ? " " : scalar)
      }
    }
    return String(result)
  }
}

extension SubtitlePlacement {
  /// The keypad key at its position.
  fileprivate var key: Int? {
    let column =
      switch horizontal {
      case .left: 1
      case .center: 2
      case .right: 3
      }
    return switch vertical {
    case .bottom: column
    case .middle: column + 3
    case .top: column + 6
    }
  }
}
