/// How far a property of an asset has come.
public enum AssetPropertyStatus: Hashable, Sendable {
  /// Nobody has asked for it.
  case unknown
  /// It is being read; who asks now waits for the same load.
  case loading
  /// It is known, and is read no more.
  case loaded
  /// It cannot be read. That is for ever: who asks gets the error at once.
  case failed(PlaybackError)
  /// Loading was called off; who asks now begins anew.
  case cancelled
}

/// A property of an asset that loads asynchronously: `try await asset.load(.duration)`.
public struct AssetProperty<Value: Sendable>: Sendable {
  let needsScan: Bool
  let value: @Sendable (LoadedAsset) -> Value
}

/// What has been read of an asset.
struct LoadedAsset: Sendable {
  var facts: AssetFacts
  var scannedDuration: MediaTime?
}

extension AssetProperty where Value == MediaTime {
  /// Length, from the first frame on; indefinite when unknown. Scanned packet by packet when the asset was told to be
  /// precise.
  public static var duration: Self {
    Self(needsScan: true) { $0.scannedDuration ?? $0.facts.duration }
  }
}

extension AssetProperty where Value == [AssetTrack] {
  /// All streams of the container.
  public static var tracks: Self { Self(needsScan: false) { $0.facts.tracks } }
}

extension AssetProperty where Value == Bool {
  /// Whether there is video that can be decoded here.
  public static var isPlayable: Self { Self(needsScan: false) { $0.facts.isPlayable } }
}

extension AssetProperty where Value == [String: String] {
  /// Title and the like; keys in lower case, the values are as the file has them, control characters included.
  public static var metadata: Self { Self(needsScan: false) { $0.facts.metadata } }
}

extension AssetProperty where Value == [Chapter] {
  /// Chapters, in order.
  public static var chapters: Self { Self(needsScan: false) { $0.facts.chapters } }
}

extension AssetProperty where Value == Set<MediaCharacteristic> {
  /// What the tracks are for.
  public static var characteristics: Self { Self(needsScan: false) { $0.facts.characteristics } }
}

extension AssetProperty where Value == AssetFacts {
  /// All that the headers tell, at once.
  public static var facts: Self { Self(needsScan: false) { $0.facts } }
}
