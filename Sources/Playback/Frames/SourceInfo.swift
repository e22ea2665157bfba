import Pixels

/// Properties of a source that are known before its first frame.
public struct SourceInfo: Hashable, Sendable {
  /// Displayed size, in square pixels.
  public var presentationSize: PixelSize
  /// The duration; indefinite if unknown.
  public var duration: MediaTime
  /// Nominal frame rate in frames per second; 0 if unknown.
  public var nominalFrameRate: Double
  /// Short name of the codec: "h264".
  public var codec: String
  /// True if `duration` is only estimated from the bit rate, so that an earlier end is no error.
  public var durationIsEstimate: Bool
  /// True if the source can seek; a pipe cannot.
  public var canSeek: Bool
  /// True if `DiscardLevel.nonReference` leaves the remaining frames unchanged.
  public var canSkipNonReference: Bool
  /// The time at which playback begins: later than zero for a live stream, whose earlier part can be sought.
  public var startPosition = MediaTime.zero

  /// Creates the properties of a source; by default it can seek and skips nothing.
  public init(
    presentationSize: PixelSize, duration: MediaTime, nominalFrameRate: Double, codec: String = "",
    durationIsEstimate: Bool = false, canSeek: Bool = true, canSkipNonReference: Bool = false
  ) {
    self.presentationSize = presentationSize
    self.duration = duration
    self.durationIsEstimate = durationIsEstimate
    self.nominalFrameRate = nominalFrameRate
    self.codec = codec
    self.canSeek = canSeek
    self.canSkipNonReference = canSkipNonReference
  }
}
