import DecodePool
import Pixels
import Playback

/// Gets single frames of a clip with blocking calls, for commands with nothing else to do.
public struct StillMaker {
  private let generator: ImageGenerator
  private let asset: Asset

  /// - Parameter maximumSize: Maximum size of frames; a side of 0 is unlimited.
  public init(clip: String, maximumSize: PixelSize = PixelSize(width: 0, height: 0)) {
    self.init(asset: Asset.clip(clip), maximumSize: maximumSize)
  }

  init(asset: Asset, maximumSize: PixelSize) {
    self.asset = asset
    generator = ImageGenerator(asset: asset, decoderThreads: SystemResources.processorCount)
    generator.maximumSize = maximumSize
  }

  /// True if the file is shorter than its headers claim, as far as they have been read.
  public var isCutOff: Bool { asset.loadedValue(of: .facts)?.isCutOff ?? false }

  /// The frame displayed at a time, or with a number.
  ///
  /// - Throws: `PlaybackError`.
  public func still(at position: StartPosition) throws -> Still {
    switch position {
    case .time(let time): return try stills(at: [time])[0].get()
    case .frame(let number):
      return try waitForAnswer { generator.generateImage(ofFrame: number, completion: $0) }.get()
    }
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
