import Pixels

/// Preferences for streams with variants, such as HTTP Live Streaming. Items of one asset share them.
extension PlayerItem {
  /// The highest bit rate of the variant to play, in bits per second; 0 for no limit. If all variants need more, the one that
  /// needs least plays.
  public var preferredPeakBitRate: Double {
    get { asset?.input.preferences.peakBitRate ?? 0 }
    set { asset?.input.updatePreferences { $0.peakBitRate = newValue.isFinite ? max(0, newValue) : 0 } }
  }

  /// The largest size of the frames of the variant to play; empty for no limit. Of smaller variants, one no larger than the
  /// player's outputs need plays anyway.
  public var preferredMaximumResolution: PixelSize {
    get { asset?.input.preferences.maximumResolution ?? PixelSize(width: 0, height: 0) }
    set { asset?.input.updatePreferences { $0.maximumResolution = newValue.isEmpty ? nil : newValue } }
  }

  /// The playback time to load ahead, in seconds; 0 for an automatic one.
  public var preferredForwardBufferDuration: Double {
    get { asset?.input.preferences.forwardBuffer ?? 0 }
    set { asset?.input.updatePreferences { $0.forwardBuffer = newValue.isFinite ? max(0, newValue) : 0 } }
  }

  /// The variant to play from the next segment on, one of the asset's tracks; nil to choose automatically.
  public var selectedVariant: AssetTrack? {
    get { asset?.input.preferences.variant.flatMap(variant) }
    set {
      var index: Int?
      if case .variant(let number)? = newValue?.streamPart { index = number }
      asset?.input.updatePreferences { $0.variant = index }
    }
  }

  /// The variant of the segment being played; nil if there are no variants, or before the item is ready.
  public var playedVariant: AssetTrack? { (session?.segments?.video.playedStream).flatMap(variant) }

  private func variant(_ number: Int) -> AssetTrack? {
    asset?.loadedValue(of: .facts)?.tracks.first { $0.streamPart == .variant(number) }
  }

  /// Notes the images that outputs ask for, which decide about the size of the frames to load.
  func noteRequests(_ requests: [RenderRequest]) {
    let size = requests.map(\.neededSize).max { $0.area < $1.area }
    asset?.input.updatePreferences { $0.displaySize = size }
  }
}

extension RenderRequest {
  /// The size of the whole frame whose visible part needs no enlarging.
  fileprivate var neededSize: PixelSize {
    func side(_ pixels: Int, _ share: Double) -> Int { Int(min(16384, (Double(pixels) / max(share, 0.01)).rounded(.up))) }
    return PixelSize(width: side(box.width, region.width), height: side(box.height, region.height))
  }
}
