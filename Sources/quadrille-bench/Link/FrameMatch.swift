import Foundation
import Pixels
import Playback
import TerminalHarness

/// One place of the terminal's screen at one moment.
struct Snapshot {
  /// Seconds of the monotonic clock.
  var time: Double
  var pixels: ScreenPixels
}

/// The frame that a snapshot resembles most.
struct FrameMatch {
  /// Decibels over the three colours of all pixels, at most `Self.cap`.
  var psnr: Double
  /// Seconds from when the frame was due until the snapshot.
  var lag: Double
  /// The frame's time, in seconds.
  var pts: Double

  /// The PSNR of an exact frame.
  static let cap = 60.0

  /// Returns the PSNR of the shown image against the intended one, in decibels, at most `cap`; the sizes must be the same.
  static func psnr(_ shown: ScreenPixels, _ meant: PixelImage) -> Double {
    precondition(shown.width == meant.width && shown.height == meant.height)
    return meant.withBytes { meant in shown.bytes.withUnsafeBufferPointer { psnr($0, meant) } }
  }

  /// Returns the PSNR of the shown image against the one before.
  static func psnr(_ shown: ScreenPixels, _ before: ScreenPixels) -> Double {
    precondition(shown.width == before.width && shown.height == before.height)
    return before.bytes.withUnsafeBufferPointer { before in
      shown.bytes.withUnsafeBufferPointer { psnr($0, before) }
    }
  }

  private static func psnr(_ shown: UnsafeBufferPointer<UInt8>, _ meant: UnsafeBufferPointer<UInt8>) -> Double {
    var squares = 0
    for index in 0..<shown.count {
      let difference = Int(shown[index]) - Int(meant[index])
      squares += difference * difference
    }
    guard squares > 0 else { return cap }
    return min(cap, 10 * log10(255 * 255 * Double(shown.count) / Double(squares)))
  }

  /// Finds the frame that each snapshot resembles most, among those that were due within `limit` seconds before.
  ///
  /// Holds no more frames than are due within `limit`.
  ///
  /// - Parameters:
  ///   - snapshots: in the order of their times, cut out to the size of the request.
  ///   - start: when the clip's first frame was due, or would have been.
  ///   - earliest: seconds into the clip at which it was begun.
  static func matches(
    _ snapshots: [Snapshot], clip: String, _ request: RenderRequest, start: Double, limit: Double,
    earliest: Double = 0
  ) throws -> [FrameMatch] {
    guard let first = snapshots.first else { return [] }
    // What the start is known to: a frame may seem to be shown before it is due.
    let slack = 0.02
    var held: [(pts: Double, image: PixelImage)] = []
    var waiting = snapshots[...]
    var found: [FrameMatch] = []
    func match(_ snapshot: Snapshot) {
      let clock = snapshot.time - start
      held.removeAll { $0.pts < clock - limit }
      let matches = held.filter { $0.pts <= clock + slack }.map {
        FrameMatch(psnr: psnr(snapshot.pixels, $0.image), lag: clock - $0.pts, pts: $0.pts)
      }
      if let best = matches.max(by: { $0.psnr < $1.psnr }) { found.append(best) }
    }
    try ReferenceFrames(clip, request).forEach(from: max(earliest, first.time - start - limit)) { frame in
      let pts = frame.timing.pts.seconds
      while let snapshot = waiting.first, pts > snapshot.time - start + slack {
        match(snapshot)
        waiting.removeFirst()
      }
      held.append((pts, frame.image))
      return !waiting.isEmpty
    }
    // Behind the last frame nothing is due.
    for snapshot in waiting where snapshot.time - start <= (held.last?.pts ?? -.infinity) + 0.2 { match(snapshot) }
    return found
  }

  /// Returns the number of frames due in a span of time that differ from the one before in a part of the frame.
  static func changes(
    clip: String, _ request: RenderRequest, in part: PixelRect, start: Double, from: Double, to: Double
  ) throws -> Int {
    var last: ScreenPixels?
    var count = 0
    try ReferenceFrames(clip, request).forEach(from: from - start - 0.1) { frame in
      let image = ScreenPixels(
        width: frame.image.width, height: frame.image.height, bytes: frame.image.withBytes(Array.init))
      let pixels = image.part(x: part.x, y: part.y, width: part.width, height: part.height)
      let time = frame.timing.pts.seconds + start
      if time >= from, time < to, let last, pixels != last { count += 1 }
      last = pixels
      return time < to
    }
    return count
  }
}
