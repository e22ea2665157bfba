import Foundation

/// The table of the links, one line for each row.
struct LinkTable {
  private(set) var lines = [
    "| link | what | PSNR, dB | updates/s | lag, ms | kB/s | key, p95, ms | seek, held, ms | `q`, ms | paused: 40 dB, exact, s |",
    "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
  ]

  var markdown: String { lines.joined(separator: "\n") }

  /// Adds a row of the program: each figure is the median of the runs; one that misses its target is bold.
  mutating func add(_ link: String, _ what: String, _ runs: [LinkResult], _ targets: LinkTargets, roundTrip: Double) {
    guard let first = runs.first else { return }
    let panes = first.panes.indices.map { pane in
      (psnr: median(runs.map { $0.panes[pane].psnr }), lag: median(runs.map { $0.panes[pane].lag }))
    }
    let psnr = panes.enumerated().map { index, pane in
      Self.cell(
        pane.psnr, 1, targets.psnr.indices.contains(index) ? targets.psnr[index] : nil, isMet: >=, sign: "≥")
    }
    let lag = panes.map(\.lag).max() ?? 0
    let updates = runs.compactMap(\.updates)
    let rate = text(median(runs.map(\.rate)) / 1000, 0)
    let linkRates = runs.compactMap(\.linkRate)
    let limits = runs.compactMap(\.exactLimit)
    lines.append(
      Self.line([
        link, what, psnr.joined(separator: ", "),
        updates.isEmpty ? "–" : Self.updates(median(updates), of: median(runs.map(\.changes)), targets.updates),
        Self.cell(lag * 1000, 0, targets.lag * 1000, isMet: <=, sign: "≤"),
        linkRates.isEmpty ? rate : "\(rate), on the link \(text(median(linkRates) / 1000, 0))",
        Self.cell(
          median(runs.map(\.key)) * 1000, 0, (targets.key ?? roundTrip + 0.1) * 1000, isMet: <=, sign: "≤"),
        [runs.flatMap(\.seek), runs.map(\.scrub)].map {
          Self.cell(median($0.map { $0 ?? .infinity }) * 1000, 0, (roundTrip + 0.1) * 1000, isMet: <=, sign: "≤")
        }.joined(separator: ", "),
        Self.cell(
          median(runs.map(\.quit)) * 1000, 0, (targets.quit ?? roundTrip + 0.25) * 1000, isMet: <=, sign: "≤"),
        Self.seconds(runs.map(\.clear), atMost: targets.clear) + ", "
          + Self.seconds(runs.map(\.exact), atMost: limits.isEmpty ? nil : median(limits)),
      ]))
  }

  mutating func add(_ link: String, _ what: String, peer: LinkPeer.Figures) {
    lines.append(
      Self.line([
        link, what, text(peer.psnr, 1), text(peer.frames, 1), text(peer.lag * 1000, 0),
        text(peer.rate / 1000, 0), "–", "–",
        peer.quit.map { text($0 * 1000, 0) } ?? "> \(Int(LinkPeer.patience * 1000))", "–",
      ]))
  }

  /// Adds a row for what passes when nothing else limits it.
  mutating func add(_ link: String, _ what: String, rate: Double, linkRate: Double) {
    lines.append(
      Self.line([
        link, what, "–", "–", "–", "\(text(rate / 1000, 0)), on the link \(text(linkRate / 1000, 0))", "–", "–", "–", "–",
      ]))
  }

  /// Adds a row that could not be measured.
  mutating func add(_ link: String, _ what: String, failed: any Error) {
    lines.append(Self.line([link, what, "failed", "", "", "", "", "", "", ""]))
  }

  private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  private static func cell(
    _ value: Double, _ digits: Int, _ target: Double?, isMet: (Double, Double) -> Bool, sign: String, targetDigits: Int = 0
  ) -> String {
    let figure = value.isFinite ? text(value, digits) : "–"
    guard let target, target.isFinite else { return figure }
    // The target has the figure's unit; rounding keeps 0.35 · 1000 what it says.
    let limit = text(target, targetDigits)
    return "\(isMet(value, target) ? figure : "**\(figure)**") (\(sign) \(limit))"
  }

  /// Formats updates per second, and the frames per second that there were to show: no more than these are required.
  private static func updates(_ value: Double, of changes: Double, _ target: Double?) -> String {
    if let target, target < changes { return cell(value, 1, target, isMet: >=, sign: "≥") }
    let isMet = target == nil || value >= changes * 0.95
    return "\(isMet ? text(value, 1) : "**\(text(value, 1))**") of \(text(changes, 1))"
  }

  /// Formats the median, which is none if most runs have none.
  private static func seconds(_ values: [Double?], atMost target: Double?) -> String {
    cell(median(values.map { $0 ?? .infinity }), 2, target, isMet: <=, sign: "≤", targetDigits: 1)
  }
}
