import CellGraphics
import Glibc
import Playback

/// The frames that the visible panes want to show.
enum FrameDemand: Equatable {
  /// A number of frames per second.
  case playing(Double)
  /// The current frames, exact, but a new position soon.
  case resting
  /// A frame at each scrub position, however coarse, but soon.
  case scrubbing
}

/// The number of updates per second that is worth its bytes.
///
/// If much of each frame is lost, fewer updates with more bytes each show more: the worse the frame, the fewer.
/// A value with a manual clock.
struct UpdateRate {
  /// Peak signal-to-noise ratio of recent updates, in decibels.
  private var psnr = Self.clear
  private var last: HostTime?

  /// At this ratio and above, every frame is shown.
  private static let clear = 40.0
  /// At this ratio and below, only `least` are.
  private static let poor = 16.0
  /// Updates per second during motion, if the clip has as many frames.
  private static let least = 8.0
  private static let range = 5.0...60
  /// During scrubbing.
  private static let scrubbing = 30.0
  /// If nothing moves: an update that must precede one of another position is small, and so is that one.
  private static let resting = 20.0
  /// Time constant, in nanoseconds, in which an update's weight falls to a third.
  private static let memory = 500e6

  /// Records the loss of an update.
  mutating func add(_ loss: ImageLoss, at now: HostTime) {
    let passed = Double(now - (last ?? now - HostTime(Self.memory)))
    last = now
    psnr += (min(loss.psnr, Self.clear) - psnr) * (1 - exp(-max(0, passed) / Self.memory))
  }

  /// Updates per second for a demand: 5 to 60.
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
