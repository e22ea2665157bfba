import CellGraphics
import Glibc
import Playback

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
  /// The time in which an update is forgotten by two thirds, in nanoseconds.
  private static let memory = 500e6

  /// Learns what an update has lost.
  mutating func add(_ loss: ImageLoss, at now: HostTime) {
    let passed = Double(now - (last ?? now - HostTime(Self.memory)))
    last = now
    psnr += (min(loss.psnr, Self.clear) - psnr) * (1 - exp(-max(0, passed) / Self.memory))
  }

  /// Updates a second where so many frames are due.
  func rate(of frames: Double) -> Double {
    let part = min(max((psnr - Self.poor) / (Self.clear - Self.poor), 0), 1)
    return frames <= Self.least ? frames : Self.least + (frames - Self.least) * part
  }
}
