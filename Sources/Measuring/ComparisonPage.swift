import Alignment
import FoundationEssentials
import Pixels
import Playback

/// Comparisons as one HTML page that needs no other file.
public struct ComparisonPage {
  /// A matched pair with its pictures.
  public struct Picture: Sendable {
    public let metric: Metric
    public let pair: PairScore
    public let reference: PixelImage
    public let candidate: PixelImage

    public init(_ metric: Metric, _ pair: PairScore, reference: PixelImage, candidate: PixelImage) {
      (self.metric, self.pair, self.reference, self.candidate) = (metric, pair, reference, candidate)
    }
  }

  private let outcomes: [(outcome: ComparisonOutcome, pictures: [Picture])]

  private static let plotWidth = 960.0
  private static let plotHeight = 140.0
  private static let maxEvents = 500
  /// The factor by which differences are multiplied.
  private static let gain = 8

  public init(_ outcomes: [(outcome: ComparisonOutcome, pictures: [Picture])]) { self.outcomes = outcomes }

  /// - Throws: `PlaybackError` if a picture cannot be encoded.
  public func html() throws -> String {
    var body = "<h1>Comparison</h1>\n"
    if outcomes.count > 1 { body += overview }
    for (index, entry) in outcomes.enumerated() { body += try section(entry.outcome, entry.pictures, number: index + 1) }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(MarkupText.escaped(title))</title>
      <style>\(Self.style)</style>
      <body>
      \(body)</body>
      </html>

      """
  }

  private var title: String {
    outcomes.count == 1 ? "\(outcomes[0].outcome.candidate) against \(outcomes[0].outcome.reference)" : "\(outcomes.count) comparisons"
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #2f7d4f; --fill: #2f7d4f33; --bad: #c0392b; --grid: #8884; --unsure: #c98a1b }
    @media (prefers-color-scheme: dark) { :root { --line: #7ac77a; --fill: #7ac77a33; --bad: #ff7b6b } }
    body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
    h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem; overflow-wrap: anywhere } h3 { font-size: 1rem; margin-bottom: .3rem }
    table { border-collapse: collapse } th, td { text-align: left; padding: .15rem .9rem .15rem 0; vertical-align: top }
    td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } th { font-weight: 600; border-bottom: 1px solid var(--grid) }
    svg { width: 100%; height: auto; display: block; overflow: visible } svg text { font-size: 11px; fill: currentColor; opacity: .7 }
    .bad { color: var(--bad) } .pictures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .4rem }
    figure { margin: 0 0 1rem } figcaption { font-size: .85rem; opacity: .8 } img { width: 100%; display: block }
    .map { max-width: 22rem } .scroll { max-height: 20rem; overflow: auto }
    """

  private var overview: String {
    let metrics = outcomes.compactMap(\.outcome.comparison).first?.metrics ?? []
    var rows = "<tr><th>candidate</th><th class=n>matched</th>" + metrics.map { "<th class=n>\($0.rawValue)</th>" }.joined() + "<th></th></tr>\n"
    for (index, entry) in outcomes.enumerated() {
      let outcome = entry.outcome
      let cells: String
      if let comparison = outcome.comparison {
        cells =
          "<td class=n>\(comparison.map.pairCount)/\(comparison.map.frames.count)</td>"
          + metrics.map { "<td class=n>\(ScoreSummary($0, comparison.pairs).map { ComparisonText.number($0.mean) } ?? "")</td>" }.joined()
      } else {
        cells = "<td></td>" + metrics.map { _ in "<td></td>" }.joined()
      }
      rows += "<tr><td><a href=\"#c\(index + 1)\">\(MarkupText.escaped(outcome.candidate))</a></td>\(cells)"
      rows += "<td class=bad>\(outcome.failures.isEmpty ? "" : "fails")</td></tr>\n"
    }
    return "<table>\n\(rows)</table>\n"
  }

  private func section(_ outcome: ComparisonOutcome, _ pictures: [Picture], number: Int) throws -> String {
    var text = "<h2 id=c\(number)>\(MarkupText.escaped(outcome.candidate))</h2>\n"
    for reason in outcome.failures { text += "<p class=bad>\(MarkupText.escaped(reason))</p>\n" }
    guard let comparison = outcome.comparison else { return text }
    text += clips(comparison)
    text += "<p>\(MarkupText.escaped(ComparisonText(comparison).alignment)).</p>\n"
    if comparison.changes.contains(.turned) { text += "<p>The candidate was turned to the reference's orientation.</p>\n" }
    if comparison.changes.contains(.converted) {
      text += "<p>The candidate was brought to the reference's size and format.</p>\n"
    }
    text += figures(comparison)
    for metric in comparison.metrics { text += plot(metric, comparison) }
    text += events(comparison.map, framesPerSecond: comparison.candidate.framesPerSecond)
    text += map(comparison.map)
    if !pictures.isEmpty {
      text += "<h3>Worst frames: reference, candidate, difference ×\(Self.gain)</h3>\n"
      for picture in pictures { text += try self.picture(picture) }
    }
    return text
  }

  private func clips(_ comparison: ClipComparison) -> String {
    let rows = [("reference", comparison.reference), ("candidate", comparison.candidate)].map { name, clip in
      "<tr><td>\(name)</td><td>\(MarkupText.escaped(clip.path))</td><td>\(clip.width)×\(clip.height)</td>"
        + "<td class=n>\(ComparisonText.number(clip.framesPerSecond)) fps</td><td>\(MarkupText.escaped(clip.codec))</td>"
        + "<td class=n>\(clip.frameCount) frames</td></tr>\n"
    }
    return "<table>\n\(rows.joined())</table>\n"
  }

  private func figures(_ comparison: ClipComparison) -> String {
    let summaries = comparison.metrics.compactMap { ScoreSummary($0, comparison.pairs) }
    guard let count = summaries.first?.count else { return "" }
    let names = ScoreSummary.names
    var rows = "<tr><th></th>" + names.map { "<th class=n>\($0)</th>" }.joined() + "<th>worst frame</th></tr>\n"
    for summary in summaries {
      let figures = names.map { "<td class=n>\(summary[$0].map(ComparisonText.number) ?? "")</td>" }.joined()
      let worst = summary.worst.first.map { "#\($0.candidate), \(ComparisonText.time($0.time))" } ?? ""
      rows += "<tr><td>\(summary.metric.rawValue)</td>\(figures)<td>\(worst)</td></tr>\n"
    }
    return "<table>\n\(rows)</table>\n<p>Over \(count) matched frames.</p>\n"
  }

  // MARK: - Plots

  /// The range of a metric in each column of the plot, over time.
  private func plot(_ metric: Metric, _ comparison: ClipComparison) -> String {
    let frames = comparison.map.frames.count
    let measured = comparison.pairs.compactMap { pair in pair[metric].map { (pair.candidate, $0, pair.time) } }
    let finite = measured.map(\.1).filter(\.isFinite)
    guard frames > 0, let low = finite.min(), let high = finite.max() else { return "" }
    let span = max(high - low, 1e-6)
    let columns = min(frames, Int(Self.plotWidth))
    var ranges = [(low: Double, high: Double)?](repeating: nil, count: columns)
    for (frame, value, _) in measured {
      let column = frame * columns / frames, value = min(value, high)
      ranges[column] = ranges[column].map { (min($0.low, value), max($0.high, value)) } ?? (value, value)
    }
    func x(_ column: Int) -> String { Self.coordinate((Double(column) + 0.5) / Double(columns) * Self.plotWidth) }
    func y(_ value: Double) -> String { Self.coordinate((1 - (value - low) / span) * Self.plotHeight) }
    // Frames that were not measured interrupt the line.
    var paths = "", run: [Int] = []
    func end() {
      guard let first = run.first else { return }
      let upper = run.map { "\(x($0)),\(y(ranges[$0]?.high ?? low))" }, lower = run.reversed().map { "\(x($0)),\(y(ranges[$0]?.low ?? low))" }
      paths += "<polygon points=\"\((upper + lower).joined(separator: " "))\" fill=\"var(--fill)\" stroke=\"none\"/>"
      paths += run.count == 1
        ? "<circle cx=\"\(x(first))\" cy=\"\(y(ranges[first]?.low ?? low))\" r=\"1\" fill=\"var(--line)\"/>"
        : "<polyline points=\"\(lower.joined(separator: " "))\" fill=\"none\" stroke=\"var(--line)\" stroke-width=\"1.2\"/>"
      run = []
    }
    for column in ranges.indices { if ranges[column] == nil { end() } else { run.append(column) } }
    end()
    var marks = ""
    for pair in (ScoreSummary(metric, comparison.pairs)?.worst ?? []).prefix(5) {
      guard let value = pair[metric], value.isFinite else { continue }
      marks += "<circle cx=\"\(x(pair.candidate * columns / frames))\" cy=\"\(y(value))\" r=\"3\" fill=\"var(--bad)\">"
        + "<title>#\(pair.candidate): \(ComparisonText.number(value))</title></circle>"
    }
    let end = ComparisonText.time(measured.last?.2 ?? 0)
    return """
      <h3>\(metric.rawValue)</h3>
      <svg viewBox="0 -4 \(Int(Self.plotWidth)) \(Int(Self.plotHeight) + 22)" role="img" aria-label="\(metric.rawValue) over time">
      <path d="M0 0H\(Int(Self.plotWidth))M0 \(Int(Self.plotHeight))H\(Int(Self.plotWidth))" stroke="var(--grid)"/>
      \(paths)\(marks)
      <text x="4" y="12">\(ComparisonText.number(high))</text><text x="4" y="\(Int(Self.plotHeight) - 4)">\(ComparisonText.number(low))</text>
      <text x="0" y="\(Int(Self.plotHeight) + 15)">0:00</text>
      <text x="\(Int(Self.plotWidth))" y="\(Int(Self.plotHeight) + 15)" text-anchor="end">\(end)</text>
      </svg>

      """
  }

  private static func coordinate(_ value: Double) -> String { ComparisonText.number((value * 10).rounded() / 10) }

  private func events(_ map: AlignmentMap, framesPerSecond: Double) -> String {
    guard !map.events.isEmpty else { return "<p>No frames are missing, repeated, inserted or moved.</p>\n" }
    var rows = "<tr><th>event</th><th>candidate</th><th>time</th><th>reference</th></tr>\n"
    for event in map.events.prefix(Self.maxEvents) {
      let time = framesPerSecond > 0 ? ComparisonText.time(Double(event.candidate.lowerBound) / framesPerSecond) : ""
      rows += "<tr><td>\(event.kind.rawValue)\(event.isSure ? "" : ", unsure")</td>"
        + "<td>\(ComparisonText.frames(event.candidate))</td><td>\(time)</td><td>\(ComparisonText.frames(event.reference))</td></tr>\n"
    }
    let rest = map.events.count - Self.maxEvents
    let more = rest > 0 ? "<p>And \(rest) more.</p>\n" : ""
    return "<h3>Events</h3>\n<div class=scroll><table>\n\(rows)</table></div>\n\(more)"
  }

  /// The matched frames as lines: the candidate's from left to right, the reference's from bottom to top.
  private func map(_ map: AlignmentMap) -> String {
    guard map.pairCount > 0, map.referenceCount > 0 else { return "" }
    let size = 320.0
    func place(_ candidate: Int, _ reference: Int) -> String {
      "\(Self.coordinate(Double(candidate) / Double(map.frames.count) * size)) "
        + Self.coordinate(size - Double(reference) / Double(map.referenceCount) * size)
    }
    var paths: [Bool: String] = [true: "", false: ""]
    var begin: (candidate: Int, reference: Int, isSure: Bool)?, last = (candidate: 0, reference: 0)
    func end() {
      guard let run = begin else { return }
      paths[run.isSure, default: ""] += "M\(place(run.candidate, run.reference))L\(place(last.candidate + 1, last.reference + 1))"
      begin = nil
    }
    let step = max(1, Int(map.rate.rounded()))
    for (candidate, frame) in map.frames.enumerated() {
      guard let reference = frame.reference else {
        end()
        continue
      }
      if begin?.isSure != frame.isSure || reference != last.reference + step { end() }
      if begin == nil { begin = (candidate, reference, frame.isSure) }
      last = (candidate, reference)
    }
    end()
    return """
      <h3>Map</h3>
      <svg class=map viewBox="-1 -1 322 338" role="img" aria-label="which frames belong together">
      <rect width="320" height="320" fill="none" stroke="var(--grid)"/>
      <path d="\(paths[true] ?? "")" stroke="var(--line)" stroke-width="2" fill="none"/>
      <path d="\(paths[false] ?? "")" stroke="var(--unsure)" stroke-width="2" fill="none"/>
      <text x="320" y="334" text-anchor="end">candidate →</text><text x="4" y="14">↑ reference</text>
      </svg>

      """
  }

  // MARK: - Pictures

  private func picture(_ picture: Picture) throws -> String {
    let difference = Self.difference(picture.reference, picture.candidate)
    let images = try [("reference", picture.reference), ("candidate", picture.candidate), ("difference", difference)].map { name, image in
      let data = Data(try ImageFile.encode(image, as: .jpeg)).base64EncodedString()
      return "<img alt=\"\(name)\" src=\"data:image/jpeg;base64,\(data)\">"
    }
    let value = picture.pair[picture.metric].map(ComparisonText.number) ?? ""
    return """
      <figure><div class=pictures>\(images.joined())</div>
      <figcaption>\(picture.metric.rawValue) \(value): candidate #\(picture.pair.candidate) (\(ComparisonText.time(picture.pair.time))), \
      reference #\(picture.pair.reference)</figcaption></figure>

      """
  }

  /// The differences of the channels, multiplied.
  static func difference(_ one: PixelImage, _ other: PixelImage) -> PixelImage {
    let size = PixelSize(width: min(one.width, other.width), height: min(one.height, other.height))
    return PixelImage(size: size) { out in
      one.withBytes { a in
        other.withBytes { b in
          for y in 0..<size.height {
            for x in 0..<3 * size.width {
              let distance = abs(Int(a[y * one.width * 3 + x]) - Int(b[y * other.width * 3 + x]))
              out[y * size.width * 3 + x] = UInt8(min(255, distance * gain))
            }
          }
        }
      }
    }
  }
}
