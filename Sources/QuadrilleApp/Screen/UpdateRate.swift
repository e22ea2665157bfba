import CellGraphics
import Glibc
import Playback

/// Which frames the panes on the screen want to show.
enum FrameDemand: Equatable {
  /// So many a second.
  case playing(Double)
  /// Those on the screen, as they are meant, but a new place soon.
  case resting
  /// One of each place that a hand scrubs over, however coarse, but soon.
  case scrubbing
}

/// How many updates a second are worth their bytes.
///
/// Where much of each frame is lost, fewer updates with more bytes each show more: the worse the frame, the fewer.
/// A value with a hand-moved clock.
struct UpdateRate {
  /// The peak signal-to-noise ratio of the last updates, in decibels.
  private var psnr = Self.clear
  private var last: HostTime?

  /// From here on, every frame is shown.
  private static let clear = 40.0
  /// Where this is reached, no more than `least` are.
  private static let poor = 16.0
  /// Updates a second while something moves, if the clip has as many frames.
  private static let least = 8.0
  private static let range = 5.0...60
  /// Where a hand scrubs.
  private static let scrubbing = 30.0
  /// Where nothing moves: an update that has to be there before one of another place is not large, nor that one.
  private static let resting = 20.0
  /// The time in which an update is forgotten by two thirds, in nanoseconds.
  private static let memory = 500e6

  /// Learns what an update has lost.
  mutating func add(_ loss: ImageLoss, at now: HostTime) {
    let passed = Double(now - (last ?? now - HostTime(Self.memory)))
    last = now
    psnr += (min(loss.psnr, Self.clear) - psnr) * (1 - exp(-max(0, passed) / Self.memory))
  }

  /// Updates a second for what is wanted: 5 to 60.
  func rate(of demand: FrameDemand) -> Double {
    switch demand {
    case .playing(let frames): rate(of: min(max(frames, Self.range.lowerBound), Self.range.upperBound))
    case .resting: Self.resting
    case .scrubbing: Self.scrubbing
    }
  }

  private func rate(of frames: Double) -> Double {
    let part = min(max((psnr - Self.poor) / (Self.clear - Self.poor), 0), 1)
    return frames <= Self.least ? frames : Self.least + (frames - Self.least) * part
  }
}
