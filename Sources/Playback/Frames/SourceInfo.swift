import Pixels

/// What is known of a source before its first frame.
public struct SourceInfo: Hashable, Sendable {
  /// Size as it is to be seen, in square pixels.
  public var presentationSize: PixelSize
  /// Indefinite when not known.
  public var duration: MediaTime
  /// Frames a second, 0 when not known.
  public var nominalFrameRate: Double
  /// Short name of the codec: "h264".
  public var codec: String
  /// Whether `duration` is only worked out, from the bit rate: an end before it says nothing.
  public var durationIsEstimate: Bool
  /// Whether the source can go to other places than on; a pipe cannot.
  public var canSeek: Bool
  /// Whether, with `DiscardLevel.nonReference`, the frames that do come out are the same as ever.
  public var canSkipNonReference: Bool

  /// A source that can go anywhere and skips nothing, unless told otherwise.
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
