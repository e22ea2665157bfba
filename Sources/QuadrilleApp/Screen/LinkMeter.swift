import CellGraphics
import Glibc
import Playback
import Terminal

/// Statistics of the output to the terminal.
struct LinkFigures: Equatable {
  /// Recent bytes per second of frames, and updates per second.
  var bytesPerSecond = 0.0
  var updatesPerSecond = 0.0
  /// Peak signal-to-noise ratio, in decibels, of recent output against the source; infinite if exact.
  var psnr = Double.infinity
  /// Recent minimum round-trip time; nil if the terminal has not replied, or something else replies for it.
  var roundTrip: HostTime?
  /// The protocol of frames in pixels, and whether they have all their pixels; nil for cells.
  var pixels: TerminalText?

  var bytesPerUpdate: Double { updatesPerSecond > 0 ? bytesPerSecond / updatesPerSecond : 0 }
}

/// Counts updates to the terminal. Only those with frames: counting its own drawing would cause endless updates.
struct LinkMeter {
  /// Updates so far.
  private(set) var count = 0
  /// Peak signal-to-noise ratio of each update, in decibels; 60 for 60 and more.
  private(set) var psnr = Histogram(binsPerUnit: 10, most: Self.maxPSNR)
  /// Bytes of each update.
  private(set) var updateBytes = Histogram.ofSizes
  /// Bytes per second, for each period in which something was sent.
  private(set) var rates = Histogram.ofSizes

  /// Totals of the last period, while relevant.
  private var last = Period()
  private var current = Period()
  private var start: HostTime = 0
  private var lastNanoseconds: HostTime = 1

  private struct Period {
    var updates = 0
    var bytes = 0
    var loss = ImageLoss()
  }

  private static let period: HostTime = 1_000_000_000
  private static let maxPSNR = 60.0

  mutating func add(_ result: EncodeResult, at now: HostTime) {
    roll(at: now)
    count += 1
    psnr.add(min(result.loss.psnr, Self.maxPSNR))
    updateBytes.add(Double(result.bytes))
    current.updates += 1
    current.bytes += result.bytes
    current.loss += result.loss
  }

  /// Starts a new period when the current one is over.
  mutating func roll(at now: HostTime) {
    let passed = now - start
    guard passed >= Self.period else { return }
    if current.bytes > 0, passed < 2 * Self.period { rates.add(Double(current.bytes) * 1e9 / Double(passed)) }
    last = passed > 3 * Self.period ? Period() : current
    lastNanoseconds = passed
    current = Period()
    start = now
  }

  /// Statistics of the last second or two.
  func figures(roundTrip: HostTime?) -> LinkFigures {
    let seconds = Double(lastNanoseconds) / 1e9
    return LinkFigures(
      bytesPerSecond: Double(last.bytes) / seconds, updatesPerSecond: Double(last.updates) / seconds,
      psnr: last.loss.psnr, roundTrip: roundTrip)
  }
}
