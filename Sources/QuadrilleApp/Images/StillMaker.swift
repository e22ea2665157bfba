import DecodePool
import Pixels
import Playback

/// Gets single frames of a clip with blocking calls, for commands with nothing else to do.
public struct StillMaker {
  private let generator: ImageGenerator
  private let asset: Asset

  /// - Parameters:
  ///   - maximumSize: Maximum size of frames; a side of 0 is unlimited.
  ///   - frameRate: That of an image sequence.
  ///   - network: Access to servers; nil for local files only.
  public init(
    clip: String, frameRate: Ratio = ImageSequence.defaultFrameRate, network: Network? = nil,
    maximumSize: PixelSize = PixelSize(width: 0, height: 0)
  ) {
    self.init(asset: Asset.clip(clip, frameRate: frameRate, options: .init(network: network)), maximumSize: maximumSize)
  }

  init(asset: Asset, maximumSize: PixelSize) {
    self.asset = asset
    generator = ImageGenerator(asset: asset, decoderThreads: SystemResources.processorCount)
    generator.maximumSize = maximumSize
  }

  /// True if the file is shorter than its headers claim, as far as they have been read.
  public var isCutOff: Bool { asset.loadedValue(of: .facts)?.isCutOff ?? false }

  /// The frame displayed at a position; one relative to the current position counts from the first frame.
  ///
  /// - Throws: `PlaybackError`, also if the position is outside the clip.
  public func still(at target: GoToTarget) throws -> Still {
    switch target {
    case .position(.time(let time)), .seconds(let time): return try still(atTime: time)
    case .position(.frame(let number)), .frames(let number):
      return try waitForAnswer { generator.generateImage(ofFrame: number, completion: $0) }.get()
    case .fraction(let fraction): return try still(atTime: asset.measuredDuration() * fraction)
    }
  }

  private func still(atTime time: MediaTime) throws -> Still {
    guard time >= .zero else { throw PlaybackError(.noSuchFrame, "has no frame before 0") }
    let still = try stills(at: [time])[0].get()
    guard time > still.timing.end else { return still }
    // The last frame stays on display while sound continues.
    let facts = asset.loadedValue(of: .facts)
    let length = facts.flatMap { $0.durationIsEstimate || !$0.duration.isNumeric ? nil : $0.duration } ?? .zero
    let end = max(still.timing.end, length)
    guard time <= end else { throw PlaybackError(.noSuchFrame, "ends at \(end.clockText(fractionDigits: 3))") }
    return still
  }

  /// The frames for several times, in order.
  ///
  /// - Parameter tolerance: Maximum distance of a frame's display time from the requested time.
  func stills(at times: [MediaTime], tolerance: MediaTime = .zero) -> [GeneratedImage] {
    generator.requestedTimeToleranceBefore = tolerance
    generator.requestedTimeToleranceAfter = tolerance
    let monitor = Monitor<[GeneratedImage]>([])
    generator.generateImages(at: times) { answer in
      monitor.withLock { $0.append(answer) }
      monitor.signal()
    }
    return monitor.wait { $0.count == times.count ? $0 : nil }
  }
}
