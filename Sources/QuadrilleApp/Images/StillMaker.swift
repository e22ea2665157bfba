import DecodePool
import Pixels
import Playback

/// Gets single frames of a clip for commands that have nothing else to do meanwhile: its calls block.
public struct StillMaker {
  private let generator: ImageGenerator
  private let asset: Asset

  /// - Parameter maximumSize: frames are scaled down to fit in; a side of 0 is free.
  public init(clip: String, maximumSize: PixelSize = PixelSize(width: 0, height: 0)) {
    self.init(asset: Asset.clip(clip), maximumSize: maximumSize)
  }

  init(asset: Asset, maximumSize: PixelSize) {
    self.asset = asset
    generator = ImageGenerator(asset: asset, decoderThreads: SystemResources.processorCount)
    generator.maximumSize = maximumSize
  }

  /// Whether the file is shorter than its headers say, as far as they have been read.
  public var isCutOff: Bool { asset.loadedValue(of: .facts)?.isCutOff ?? false }

  /// The frame that is on display at a time, or that has a number.
  ///
  /// - Throws: `PlaybackError`.
  public func still(at position: StartPosition) throws -> Still {
    switch position {
    case .time(let time): return try stills(at: [time])[0].get()
    case .frame(let number):
      return try waitForAnswer { generator.generateImage(ofFrame: number, completion: $0) }.get()
    }
  }

  /// The answers for several times, in order.
  ///
  /// - Parameter tolerance: how far a frame's time on display may be from the time asked for.
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
