import Playback
import Terminal

/// The words and figures that stand around a pane's picture.
struct PaneText {
  let pane: Pane
  let theme: ChromeTheme

  var sign: ChromeTheme.StateSign {
    if pane.error != nil { return .failed }
    switch pane.player.timeControlStatus {
    case .playing: return pane.player.rate < 0 ? .reversing : .playing
    case .waiting: return .waiting
    case .paused: return pane.hasEnded ? .ended : .paused
    }
  }

  /// What stands at the right of the title: what is unusual about the pane.
  var marks: TerminalText {
    var marks: [TerminalText] = []
    if let picture = pane.picture, picture.isApproximate || !picture.timing.isCertain {
      marks.append(theme.glyphSet == .ascii ? "~" : "≈")
    }
    let isPaused = pane.player.timeControlStatus == .paused
    if pane.skippedLately > 0, !isPaused { marks.append("-\(pane.skippedLately)/s") }
    if pane.gravity != .resizeAspect { marks.append("\(pane.gravity.commandLineName)") }
    if pane.loopIn != nil { marks.append("A…") }
    if pane.player.loopRange != nil { marks.append("A-B") }
    if pane.player.actionAtItemEnd == .loop { marks.append("loop") }
    let rate = pane.player.rate == 0 ? pane.player.defaultRate : pane.player.rate
    if rate != 1 { marks.append("\(Self.rate(rate))") }
    return marks.joined(separator: " ")
  }

  static func rate(_ rate: Double) -> String {
    let hundredths = Int((abs(rate) * 100).rounded())
    let digits = hundredths % 100
    return "×\(rate < 0 ? "-" : "")\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
  }

  /// What stands before the bar: state, time and length; while paused also the picture's number and PTS.
  ///
  /// Says less, the least important left out first, where it would take more than two thirds of `width`.
  func clock(width: Int) -> TerminalText {
    let room = max(0, width * 2 / 3 - 1)
    let forms = clockForms
    return forms.first { $0.columns <= room } ?? forms[forms.count - 1]
  }

  /// The ways to say it, the longest first; at least one.
  private var clockForms: [TerminalText] {
    let mark = theme.sign(sign)
    if pane.error != nil { return [mark] }
    let duration = pane.player.duration
    let length = duration.isNumeric ? duration.clockText() : "--:--"
    let short: TerminalText = "\(mark) \(pane.time.clockText())"
    guard pane.player.timeControlStatus == .paused else { return ["\(short)/\(length)", short, mark] }
    let exact: TerminalText = "\(mark) \(pane.time.clockText(fractionDigits: 3))"
    let exactLength = duration.isNumeric ? duration.clockText(fractionDigits: 3) : length
    var forms: [TerminalText] = ["\(exact)/\(exactLength)", "\(exact)/\(length)", exact, short, mark]
    // The picture that is seen, be it one on the way; the player knows its number as soon as that is certain.
    let isOnTheWay = pane.picture?.isApproximate == true
    if let timing = isOnTheWay ? pane.picture?.timing : pane.player.displayedTiming ?? pane.picture?.timing {
      let about: TerminalText = timing.numberIsExact && !isOnTheWay ? "" : theme.glyphSet == .ascii ? "~" : "≈"
      let number: TerminalText = "#\(about)\(timing.number)"
      let numbered: TerminalText = "\(exact)/\(exactLength) \(number)"
      forms.insert(contentsOf: [numbered, "\(exact) \(number)", "\(mark) \(number)"], at: 0)
      if let pts = timing.originalPTS { forms.insert("\(numbered) pts \(pts)", at: 0) }
    }
    return forms
  }

  /// The lines of the figures panel.
  func figures(bytesPerSecond: Double) -> [TerminalText] {
    var lines: [TerminalText] = []
    let statistics = pane.player.statistics
    if let track = pane.facts?.preferredVideoTrack {
      lines.append("\(track.codecDescription)")
      var shape: TerminalText = "\(track.codedSize.width)×\(track.codedSize.height)"
      if track.presentationSize != track.codedSize {
        shape += " shown \(track.presentationSize.width)×\(track.presentationSize.height)"
      }
      lines.append("\(shape)  \(track.pixelFormat)")
      lines.append("\(Self.decimal(track.nominalFrameRate)) fps  \(Self.size(Double(pane.facts?.bitRate ?? 0)))bit/s")
    }
    if let index = pane.player.frameIndex { lines.append(Self.seeking(index)) }
    if let box = pane.player.pictureRequest?.box { lines.append("pane \(box.width)×\(box.height) pixels") }
    lines.append("decoded \(statistics.decoded)  shown \(statistics.shown)  skipped \(statistics.skipped)")
    let late = statistics.lateness
    lines.append(
      "late p50 \(Self.milliseconds(late.percentile(0.5)))  p95 \(Self.milliseconds(late.percentile(0.95))) ms")
    if statistics.seeks.count > 0 {
      let seeks = statistics.seeks
      lines.append("seeks \(seeks.count)  p50 \(Self.milliseconds(seeks.percentile(0.5))) ms")
    }
    lines.append(
      "cache \(Self.size(Double(pane.player.cacheByteCount)))B of \(Self.size(Double(pane.player.cacheBudget)))B")
    lines.append("terminal \(Self.size(bytesPerSecond))B/s")
    return lines
  }

  /// How exact seeking is.
  private static func seeking(_ index: FrameIndex) -> TerminalText {
    guard index.hasEnded else { return "indexing \(Int(index.progress * 100)) %" }
    guard let map = index.map else { return "no exact seeking" }
    return "\(map.count) pictures indexed"
  }

  static func milliseconds(_ nanoseconds: Int64) -> String { decimal(Double(nanoseconds) / 1e6) }

  /// At most two decimals, none that are 0.
  static func decimal(_ value: Double) -> String {
    // A file may say anything of its rate.
    guard let hundredths = Int(exactly: (value * 100).rounded()) else { return "\(value)" }
    let whole = hundredths / 100, rest = hundredths % 100
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  static func size(_ value: Double) -> String {
    switch value {
    case ..<1000: return "\(Int(value)) "
    case ..<1_000_000: return "\(Int(value / 1000)) k"
    default: return "\(decimal((value / 1e5).rounded() / 10)) M"
    }
  }
}
