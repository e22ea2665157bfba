import CellGraphics
import Glibc
import Playback

/// What goes to the terminal, and how much of the frames is lost on the way there.
struct LinkFigures: Equatable {
  /// Bytes a second that frames took lately, and updates a second.
  var bytesPerSecond = 0.0
  var updatesPerSecond = 0.0
  /// Peak signal-to-noise ratio, in decibels, of what was shown lately against what was meant; infinite where it was exact.
  var quality = Double.infinity
  /// The least time lately in which the terminal answered; nil before it ever has.
  var roundTrip: HostTime?

  var bytesPerUpdate: Double { updatesPerSecond > 0 ? bytesPerSecond / updatesPerSecond : 0 }
}

/// Counts the updates that go to the terminal. Only those with frames: a figure that counts its own drawing would never rest.
struct LinkMeter {
  /// Updates so far.
  private(set) var count = 0
  /// Updates by tenths of decibels; the last entry has those that are as good as exact.
  private var qualities = [Int](repeating: 0, count: 601)

  /// What the last period came to, for as long as it is of interest.
  private var last = Period()
  private var current = Period()
  private var start: HostTime = 0
  private var lastNanoseconds: HostTime = 1

  private struct Period {
    var updates = 0
    var bytes = 0
    var loss = PictureLoss()
  }

  private static let period: HostTime = 1_000_000_000

  mutating func add(_ result: EncodeResult, at now: HostTime) {
    roll(at: now)
    count += 1
    let tenths = result.loss.quality * 10
    qualities[tenths < 600 ? max(0, Int(tenths)) : 600] += 1
    current.updates += 1
    current.bytes += result.bytes
    current.loss += result.loss
  }

  /// Begins a new period where the present one has lasted.
  mutating func roll(at now: HostTime) {
    let passed = now - start
    guard passed >= Self.period else { return }
    last = passed > 3 * Self.period ? Period() : current
    lastNanoseconds = passed
    current = Period()
    start = now
  }

  /// The figures of the last second or two.
  func figures(roundTrip: HostTime?) -> LinkFigures {
    let seconds = Double(lastNanoseconds) / 1e9
    return LinkFigures(
      bytesPerSecond: Double(last.bytes) / seconds, updatesPerSecond: Double(last.updates) / seconds,
      quality: last.loss.quality, roundTrip: roundTrip)
  }

  /// The quality, in decibels, that this part of all updates did not reach; 60 for 60 and more, nil before any.
  func quality(percentile: Double) -> Double? {
    guard count > 0 else { return nil }
    var left = Int(Double(count - 1) * percentile / 100)
    for (tenths, updates) in qualities.enumerated() {
      left -= updates
      if left < 0 { return Double(tenths) / 10 }
    }
    return nil
  }
}
