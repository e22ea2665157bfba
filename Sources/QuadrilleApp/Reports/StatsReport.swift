import Glibc
import Playback

/// The report of `--stats`, written as JSON on exit.
struct StatsReport: Codable {
  struct Durations: Codable {
    var count: Int?
    var p50: Double
    var p95: Double
    var max: Double

    /// In milliseconds.
    init(_ durations: PaneFigures.Durations, withCount: Bool) {
      func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds / 1000) / 1000 }
      count = withCount ? durations.count : nil
      p50 = milliseconds(durations.median)
      p95 = milliseconds(durations.percentile95)
      max = milliseconds(durations.maximum)
    }
  }

  struct PaneReport: Codable {
    var clip: String
    var decoded: Int
    var shown: Int
    var skipped: Int
    var played_s: Double
    var late_ms: Durations
    var seek_ms: Durations
    var error: String?
    /// Events of a storyboard; omitted if there is none.
    var story: [String]?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(clip, forKey: .clip)
      try container.encode(decoded, forKey: .decoded)
      try container.encode(shown, forKey: .shown)
      try container.encode(skipped, forKey: .skipped)
      try container.encode(played_s, forKey: .played_s)
      try container.encode(late_ms, forKey: .late_ms)
      try container.encode(seek_ms, forKey: .seek_ms)
      try container.encodeIfPresent(story, forKey: .story)
      // null if absent, so that every report has the same keys.
      try container.encode(error, forKey: .error)
    }
  }

  /// The median and the 5th percentile; null if there was none.
  struct Spread: Codable {
    var p50: Double?
    var p5: Double?

    init(_ histogram: Histogram, decimals: Double = 0) {
      let scale = pow(10, decimals)
      func rounded(_ value: Double?) -> Double? { value.map { ($0 * scale).rounded() / scale } }
      (p50, p5) = (rounded(histogram.percentile(50)), rounded(histogram.percentile(5)))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(p50, forKey: .p50)
      try container.encode(p5, forKey: .p5)
    }
  }

  /// A number or null, so that every report has the same keys.
  struct Figure: Codable {
    var value: Double?

    init(value: Double?) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double?.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  var panes: [PaneReport]
  var bytes: UInt64
  var frames_sent: Int
  /// Per update; 60 means 60 or more.
  var psnr_db: Spread
  /// Per update.
  var update_bytes: Spread
  /// Per second in which frames were sent.
  var bytes_per_s: Spread
  /// The minimum over the last seconds; null if the terminal never replied.
  var round_trip_ms: Figure
  var cpu_s: Double
  var peak_rss_mb: Double
  var wall_s: Double

  init(panes: [PaneReport], bytes: UInt64, link: LinkMeter, roundTrip: HostTime?, wallNanoseconds: HostTime) {
    self.panes = panes
    self.bytes = bytes
    frames_sent = link.count
    psnr_db = Spread(link.psnr, decimals: 1)
    update_bytes = Spread(link.updateBytes)
    bytes_per_s = Spread(link.rates)
    round_trip_ms = Figure(value: roundTrip.map { Double($0 / 1000) / 1000 })
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    peak_rss_mb = Double(Self.peakMemory() / 1024)
    wall_s = Double(wallNanoseconds / 1_000_000) / 1000
  }

  /// Peak memory in KiB; 0 if the kernel does not report it.
  ///
  /// Unlike getrusage(2), this excludes the program that the process ran before exec.
  private static func peakMemory() -> Int {
    guard let file = fopen("/proc/self/status", "re") else { return 0 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    let peak = lines.first { $0.hasPrefix("VmHWM:") }
    return peak?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The report as file contents.
  func text() throws -> String { "\(try JSONText.encoded(self, isPretty: false))\n" }
}

extension StatsReport.PaneReport {
  /// - Parameter pane: A model with statistics.
  init(_ pane: PaneModel) {
    let figures = pane.figures ?? PaneFigures()
    self.init(
      clip: pane.clip.path, decoded: figures.decoded, shown: figures.shown, skipped: figures.dropped,
      played_s: Double(figures.played / 1_000_000) / 1000, late_ms: .init(figures.lateness, withCount: false),
      seek_ms: .init(figures.seeks, withCount: true), error: pane.error ?? pane.clip.earlyEnd, story: pane.figures?.story)
  }
}
