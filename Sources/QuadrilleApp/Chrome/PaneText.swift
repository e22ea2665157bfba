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
    let isPaused = pane.player.timeControlStatus == .paused
    if pane.skippedLately > 0, !isPaused { marks.append("drops \(pane.skippedLately)/s") }
    if pane.gravity != .resizeAspect { marks.append("\(pane.gravity.commandLineName)") }
    if pane.loopIn != nil { marks.append("A…") }
    if pane.player.loopRange != nil { marks.append("A-B") }
    if pane.player.actionAtItemEnd == .loop { marks.append("repeat") }
    let rate = pane.player.rate == 0 ? pane.player.defaultRate : pane.player.rate
    if rate != 1 { marks.append("\(Self.rate(rate))") }
    return marks.joined(separator: " ")
  }

  static func rate(_ rate: Double) -> String {
    let hundredths = Int((abs(rate) * 100).rounded())
    let digits = hundredths % 100
    return "×\(rate < 0 ? "-" : "")\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
  }

  /// What the field before the bar says.
  ///
  /// While paused it tells of the frame on the screen, so that both always belong together, also while a seek is on
  /// its way to another.
  var reading: TimeField.Reading {
    let shown = pane.shownTiming
    let isApproximate = pane.picture?.isApproximate == true
    let isAbout = isApproximate || (isStill && !pane.isWhole) || shown.map { !$0.isCertain || (isStill && !$0.numberIsExact) } == true
    var still: TimeField.Reading.Still?
    if isStill {
      // At the clip's end the clock stands behind the last frame.
      let clock = sign == .ended ? nil : shown?.clockText()
      still = .init(clock: clock ?? pane.time.clockText(fractionDigits: 3), number: shown?.number)
    }
    return TimeField.Reading(
      sign: "\(theme.sign(sign))", aboutMark: isAbout ? "\(theme.aboutSign)" : nil, time: pane.time, still: still)
  }

  private var isStill: Bool { pane.player.rate == 0 }

  /// The lines of the figures panel.
  func figures(bytesPerSecond: Double) -> [TerminalText] {
    var lines: [TerminalText] = []
    let statistics = pane.player.statistics
    lines.append("\(pane.path)")
    if let facts = pane.facts, let track = facts.preferredVideoTrack {
      lines.append("\(facts.containerName(path: pane.path))  \(track.codecDescription)")
      var shape: TerminalText = "\(track.codedSize.width)×\(track.codedSize.height)"
      if track.presentationSize != track.codedSize {
        shape += " shown \(track.presentationSize.width)×\(track.presentationSize.height)"
      }
      lines.append("\(shape)  \(Self.decimal(track.nominalFrameRate)) fps  \(Self.size(Double(facts.bitRate)))bit/s")
      lines.append("\(track.pixelFormat), \(Self.color(track))")
    }
    if let timing = pane.shownTiming {
      let stamp: TerminalText = timing.originalPTS.map { "  pts \($0)" } ?? ""
      lines.append("frame #\(timing.number)\(stamp)")
    }
    if let index = pane.player.frameIndex { lines.append(Self.seeking(index)) }
    guard pane.error == nil else { return lines }
    if let picture = pane.picture {
      let (seen, box) = (picture.rect, picture.request.box)
      lines.append("shown in \(min(seen.width, box.width))×\(min(seen.height, box.height)) pixels")
    }
    lines.append("decoded \(statistics.decoded)  shown \(statistics.shown)  dropped \(statistics.skipped)")
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

  /// Matrix, range, transfer and primaries, those that the file tells.
  private static func color(_ track: AssetTrack) -> String {
    func isTold(_ name: String) -> Bool { !["", "unknown", "reserved"].contains(name) }
    let range = isTold(track.colorRange) ? ["\(track.colorRange) range"] : []
    let names = [track.colorSpace, track.colorTransfer, track.colorPrimaries]
    let told = zip(["matrix", "transfer", "primaries"], names).filter { isTold($1) }
    // Mostly all three are of one standard.
    let standard = told.count == 3 && Set(names).count == 1 ? [names[0]] : told.map { "\($0) \($1)" }
    let parts = standard + range
    return parts.isEmpty ? "no colour tags" : parts.joined(separator: ", ")
  }

  /// How exact seeking is.
  private static func seeking(_ index: FrameIndex) -> TerminalText {
    guard index.hasEnded else { return "indexing \(Int(index.progress * 100)) %" }
    guard let timeline = index.timeline else { return "no exact seeking" }
    return "\(timeline.frameCount) frames indexed"
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

extension AssetFacts {
  /// One name of the container, of the several that libav gives those it cannot tell apart: the file's ending, if it
  /// is among them.
  func containerName(path: String) -> String {
    let names = format.split(separator: ",")
    let ending = path.split(separator: ".").last?.lowercased()
    return (names.first { $0 == ending ?? "" } ?? names.first).map(String.init) ?? format
  }
}
