import Playback
import Terminal

/// Texts and statistics shown around a pane's frame.
struct PaneText {
  let pane: PaneModel
  let theme: ChromeTheme

  var sign: TerminalText { theme.sign(pane.playback.state) }

  /// The mark of clips that have only sound, if it is not heard.
  static let silence: TerminalText = "silent"

  /// Marks at the right of the title: unusual settings, as many as fit, at least one.
  func marks(columns: Int) -> TerminalText {
    var marks = marks
    // The reason for silence takes priority.
    while marks.count > 1, marks.joined(separator: " ").columns > columns, let last = marks.lastIndex(where: { $0 != Self.silence }) {
      marks.remove(at: last)
    }
    return marks.joined(separator: " ")
  }

  /// The delay in seconds from which a display counts as behind.
  private static let minBehind = 0.5

  /// Everything unusual about the pane.
  private var marks: [TerminalText] {
    var marks: [TerminalText] = []
    if let arrival { marks.append(arrival) }
    if let delay = pane.playback.liveDelay {
      let seconds = max(0, delay.seconds.rounded())
      marks.append(seconds == 0 ? "LIVE" : "LIVE −\(MediaTime(seconds: seconds, preferredTimescale: 1).clockText())")
    }
    switch pane.loading?.network?.recording {
    case .running: marks.append("REC")
    case .stopped(let error): marks.append("recording ended: \(error.message)")
    case nil: break
    }
    if pane.playback.behind >= Self.minBehind {
      let tenths = Int(min(pane.playback.behind, 1e6) * 10 + 0.5)
      marks.append("\(tenths / 10).\(tenths % 10) s behind")
    } else if pane.playback.droppedPerSecond > 0, ![.paused, .ended].contains(pane.playback.state) {
      marks.append("drops \(pane.playback.droppedPerSecond)/s")
    }
    switch pane.playback.sound {
    case .unmarked: break
    case .heard: marks.append("♪")
    case .muted: marks.append("muted")
    case .silent: marks.append(Self.silence)
    case .failed(let reason): marks.append("no sound: \(reason)")
    }
    if let progress = pane.inspected.measurement.progress { marks.append("aligning \(Int(progress * 100))%") }
    if let comparison = pane.comparison { marks.append(comparison.words) }
    if let magnification = pane.view.magnification { marks.append(magnification) }
    if let look = pane.view.look { marks.append(look) }
    if pane.view.gravity != .resizeAspect { marks.append("\(pane.view.gravity.commandLineName)") }
    switch pane.playback.loop {
    case .off: break
    case .begun: marks.append("A…")
    case .on: marks.append("A-B")
    }
    let times: TerminalText = pane.playback.maxRounds.map { " \($0) times" } ?? ""
    switch pane.playback.repetition {
    case .off: break
    case .clip: marks.append("repeat" + times)
    case .list: marks.append("repeat all" + times)
    }
    let rate = pane.isStill ? pane.playback.defaultRate : pane.playback.rate
    if rate != 1 { marks.append("\(Self.rate(rate))") }
    return marks
  }

  /// The reason to wait for data; nil if nothing waits for them.
  private var arrival: TerminalText? {
    guard let loading = pane.loading else { return nil }
    let isWaiting = if case .waiting = pane.playback.state { true } else { false }
    switch loading.network?.trouble {
    case .retrying(let reason, let seconds) where isWaiting || !loading.isPlaybackLikelyToKeepUp:
      return seconds > 0 ? "\(reason), retrying in \(Int(seconds.rounded(.up))) s" : "\(reason), retrying"
    case .silent(let seconds) where isWaiting: return "no answer for \(Int(seconds)) s"
    case .noFrame(let seconds) where isWaiting: return "no frame for \(Int(seconds)) s"
    default: break
    }
    guard isWaiting, loading.isPlaybackBufferEmpty || !loading.isPlaybackLikelyToKeepUp else { return nil }
    // Segments come whole.
    if loading.bufferedFraction == 0 { return "buffering  \(Self.size(loading.bytesPerSecond))B/s" }
    return "buffering \(Int(loading.bufferedFraction * 100)) %  \(Self.size(loading.bytesPerSecond))B/s"
  }

  static func rate(_ rate: Double) -> String {
    let hundredths = Int((abs(rate) * 100).rounded())
    let digits = hundredths % 100
    return "×\(rate < 0 ? "-" : "")\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
  }

  /// The contents of the field before the bar.
  ///
  /// While paused, it describes the frame on the screen, even during a seek to another one, so that both always match.
  var reading: TimeField.Reading {
    var still: TimeField.Reading.Still?
    if pane.isStill {
      // At the end of the clip, the clock is past the last frame.
      let clock = pane.playback.state == .ended ? nil : pane.frame?.timing.clockText()
      still = .init(clock: clock ?? pane.time.placeText, number: pane.frame?.timing.number)
    }
    return TimeField.Reading(
      sign: sign, aboutMark: isAbout ? "\(theme.aboutSign)" : nil, time: pane.time, still: still)
  }

  /// True if the displayed frame or its number may not be exactly the requested one.
  private var isAbout: Bool {
    // A requested position that is not displayed yet.
    guard let frame = pane.frame else { return pane.isStill && pane.error == nil && pane.clip.media != nil && pane.time > .zero }
    if frame.isApproximate || !frame.timing.isCertain { return true }
    return pane.isStill && (!frame.isWhole || !frame.timing.numberIsExact)
  }

  /// The lines of the statistics panel, most useful first, since a low pane cuts off the last ones.
  ///
  /// - Parameter width: Columns per line. The path takes one line.
  func figures(link: LinkFigures, width: Int) -> [TerminalText] {
    var lines = [path(width: width)]
    if let timing = pane.frame?.timing {
      let stamp: TerminalText = timing.originalPTS.map { "  pts \($0)" } ?? ""
      lines.append("frame #\(timing.number)\(stamp)")
      if let facts = pane.figures?.facts, !pane.clip.isAnonymous { lines.append(facts) }
    }
    let media = pane.clip.isAnonymous ? nil : pane.clip.media
    if let media {
      let isNamedAlike = media.container.lowercased() == media.codec.lowercased()
      lines.append(isNamedAlike ? "\(media.codec)" : "\(media.container)  \(media.codec)")
      // Streams do not tell.
      lines.append(shape(media) + (media.bitRate > 0 ? "  \(Self.size(Double(media.bitRate)))bit/s" : ""))
    }
    let figures = pane.error == nil ? pane.figures : nil
    if let figures {
      let (late, seeks) = (figures.lateness, figures.seeks)
      lines.append("decoded \(figures.decoded)  shown \(figures.shown)  dropped \(figures.dropped)")
      if let pairs = figures.droppedPairs { lines.append("pairs dropped \(pairs)") }
      lines.append("late p50 \(Self.milliseconds(late.median))  p95 \(Self.milliseconds(late.percentile95)) ms")
      if seeks.count > 0 { lines.append("seeks \(seeks.count)  p50 \(Self.milliseconds(seeks.median)) ms") }
    }
    if let media, !media.isSoundOnly { lines.append("\(media.pixelFormat), \(media.color)") }
    if let loading = pane.loading {
      var line: TerminalText = "\(Self.size(Double(loading.byteCount)))B loaded  \(Self.size(loading.bytesPerSecond))B/s"
      if loading.secondsAhead.isFinite, loading.secondsAhead > 0 { line += "  \(Int(min(loading.secondsAhead, 1e6))) s ahead" }
      lines.append(line)
      if let network = loading.network {
        if let variant = loading.variant, let name = variant.title {
          lines.append("variant \(name)\(loading.choosesVariant ? ", automatic" : "")")
        }
        lines.append("\(network.requests) request\(network.requests == 1 ? "" : "s")  \(Self.size(Double(network.bytes)))B received")
        if let missing = network.missing {
          lines.append("\(missing.count) segment\(missing.count == 1 ? "" : "s") missing: \(missing.latest.message)")
        }
        if case .running(let file) = network.recording { lines.append("recorded to \(file)") }
      }
    }
    lines += pane.figures?.sound ?? []
    if !pane.clip.isAnonymous, let units = pane.meter.overview?.integratedLoudness {
      lines.append("loudness \(PaneText.signedDecibels(units)) LUFS integrated")
    }
    if let delay = pane.playback.liveDelay {
      lines.append("live, \(MediaTime(seconds: max(0, delay.seconds.rounded()), preferredTimescale: 1).clockText()) behind the edge")
    }
    if let index = pane.figures?.index { lines.append(Self.seeking(index)) }
    guard let figures else { return lines }
    if let size = pane.frame.map({ $0.sentSize ?? $0.shownSize }) { lines.append("shown at \(size) pixels") }
    lines.append("cache \(Self.size(Double(figures.cacheBytes)))B of \(Self.size(Double(figures.cacheBudget)))B")
    return lines + Self.terminal(link, width: width)
  }

  /// Frame size and rate, or the sound format.
  private func shape(_ media: MediaModel) -> TerminalText {
    if media.isSoundOnly { return Self.soundFormat(sampleRate: media.sampleRate, channelCount: media.channelCount) }
    var shape: TerminalText = "\(media.codedSize)"
    if media.presentationSize != media.codedSize { shape += " shown \(media.presentationSize)" }
    return shape + "  \(Self.decimal(media.frameRate)) fps"
  }

  /// Output to the terminal: bytes per second and per update, loss and round-trip time.
  private static func terminal(_ link: LinkFigures, width: Int) -> [TerminalText] {
    var line: TerminalText = "terminal \(size(link.bytesPerSecond))B/s"
    // Values that change just because they are drawn would cause endless redraws.
    guard link.updatesPerSecond > 0 else { return [line] }
    line += "  \(size(link.bytesPerUpdate))B/frame  "
    if let pixels = link.pixels {
      line += pixels
    } else {
      line += link.psnr < 60 ? "\(decimal((link.psnr * 10).rounded() / 10)) dB" : "exact"
    }
    guard let roundTrip = link.roundTrip else { return [line] }
    let way: TerminalText = "round trip \(milliseconds(roundTrip)) ms"
    let both = line + "  " + way
    return both.columns <= width ? [both] : [line, way]
  }

  /// The clip's path, shortened at the start because the file name matters most.
  private func path(width: Int) -> TerminalText {
    let path: TerminalText = "\(pane.clip.path)"
    return path.columns <= width ? path : "…" + path.suffix(columns: max(0, width - 1))
  }

  /// The exactness of seeking.
  private static func seeking(_ index: PaneFigures.Index) -> TerminalText {
    switch index {
    case .underway(let progress): "indexing \(Int(progress * 100))%"
    case .complete(let count): "\(count) frames indexed"
    case .missing: "no exact seeking"
    }
  }

  /// Formats decibels or loudness units to a tenth, with a sign unless they are 0.
  static func signedDecibels(_ value: Double) -> String {
    let tenths = Int((min(max(value, -999), 999) * 10).rounded())
    let sign = tenths < 0 ? "−" : tenths > 0 ? "+" : ""
    return "\(sign)\(Swift.abs(tenths) / 10).\(Swift.abs(tenths) % 10)"
  }

  /// The format of sound: "44.1 kHz  2 channels".
  static func soundFormat(sampleRate: Int, channelCount: Int) -> TerminalText {
    "\(kilohertz(sampleRate))  \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }

  /// Formats samples per second, such as "44.1 kHz".
  static func kilohertz(_ sampleRate: Int) -> String { "\(decimal(Double(sampleRate) / 1000)) kHz" }

  /// Formats nanoseconds as milliseconds, with a sign unless they are 0.
  static func signedMilliseconds(_ nanoseconds: Int64) -> String {
    let text = milliseconds(Swift.abs(nanoseconds))
    return text == "0" ? "0" : nanoseconds < 0 ? "−\(text)" : "+\(text)"
  }

  /// Formats nanoseconds as milliseconds, to a tenth.
  static func milliseconds(_ nanoseconds: Int64) -> String { decimal((Double(nanoseconds) / 1e5).rounded() / 10) }

  /// Formats a number with at most two decimals, without trailing zeros.
  static func decimal(_ value: Double) -> String {
    // A file may claim any rate.
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
