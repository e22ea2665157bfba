/// The loading status of a property.
public enum AssetPropertyStatus: Hashable, Sendable {
  /// Not requested yet.
  case unknown
  /// Being read; further requests share the load.
  case loading
  /// Known; not read again.
  case loaded
  /// Cannot be read. This status is final: further requests fail immediately.
  case failed(PlaybackError)
  /// Loading was cancelled; a further request starts over.
  case cancelled
}

/// A property of an asset that loads asynchronously: `try await asset.load(.duration)`.
public struct AssetProperty<Value: Sendable>: Sendable {
  let needsScan: Bool
  let value: @Sendable (LoadedAsset) -> Value
}

/// The loaded properties of an asset.
struct LoadedAsset: Sendable {
  var facts: AssetFacts
  var scannedDuration: MediaTime?
}

extension AssetProperty where Value == MediaTime {
  /// The duration from the first frame on; indefinite if unknown. Found by reading all packets if the asset's options
  /// request precise durations.
  public static var duration: Self {
    Self(needsScan: true) { $0.scannedDuration ?? $0.facts.duration }
  }
}

extension AssetProperty where Value == [AssetTrack] {
  /// All streams of the container.
  public static var tracks: Self { Self(needsScan: false) { $0.facts.tracks } }
}

extension AssetProperty where Value == Bool {
  /// True if there is video that can be decoded, or else sound that can be shown.
  public static var isPlayable: Self { Self(needsScan: false) { $0.facts.isPlayable } }
}

extension AssetProperty where Value == [String: String] {
  /// Metadata such as the title; keys are lower case, and values are untrusted text that may include control characters.
  public static var metadata: Self { Self(needsScan: false) { $0.facts.metadata } }
}

extension AssetProperty where Value == [Chapter] {
  /// The chapters, in order.
  public static var chapters: Self { Self(needsScan: false) { $0.facts.chapters } }
}

extension AssetProperty where Value == Set<MediaCharacteristic> {
  /// The purposes of the tracks.
  public static var characteristics: Self { Self(needsScan: false) { $0.facts.characteristics } }
}

extension AssetProperty where Value == AssetFacts {
  /// Everything in the headers.
  public static var facts: Self { Self(needsScan: false) { $0.facts } }
}
