/// A request for an image of the difference of two frames.
public struct DifferenceRequest: Hashable, Sendable {
  /// The appearance of differences.
  public enum Style: String, CaseIterable, Hashable, Sendable {
    /// Black where both are equal; brighter for greater differences.
    case absolute
    /// Mid-grey (128) where both are equal; brighter where the clip's values are greater, darker where the reference's are.
    case signed
    /// Absolute differences in the colours of `HeatScale`.
    case heat
  }

  /// The values that are compared.
  public enum Planes: String, CaseIterable, Hashable, Sendable {
    /// Brightness alone: Y′, or the same computed from RGB with BT.709's weights.
    case luma
    /// All components. Of Y′CbCr frames, the image shows the component with the greatest difference; of RGB frames, each
    /// component in its own colour (by heat, the greatest). Opacity is not compared.
    case all
  }

  /// The value that stands for all differences in the block of samples that an output pixel covers.
  public enum Reduction: String, CaseIterable, Hashable, Sendable {
    /// The greatest difference; signed, the one farthest from 0.
    case maximum
    /// The mean of the differences; signed ones cancel each other out.
    case mean
  }

  /// The factors by which differences can be amplified.
  public static let gains = 1...64

  /// Size of the output image, after rotation.
  public var size: PixelSize
  /// The part of the displayed frame to use.
  public var region = FrameRegion.whole
  /// The orientation of the clip.
  public var orientation = Orientation.upright
  /// The orientation of the reference; both are compared as displayed.
  public var referenceOrientation = Orientation.upright
  /// The appearance of differences.
  public var style = Style.absolute
  /// The factor by which differences are amplified, clamped to `gains`. It applies to values of 0…255; deeper frames are scaled
  /// to that without losing their low bits. Signed differences are amplified by half of it.
  public var gain = 1
  /// The values that are compared.
  public var planes = Planes.luma
  /// The value that stands for those that an output pixel covers.
  public var reduction = Reduction.maximum

  /// Creates a request for absolute differences of luma, of the whole frame.
  public init(size: PixelSize) { self.size = size }

  /// Size of the image before rotation.
  package var sizeBeforeTurning: PixelSize {
    orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

/// An image of the difference of two frames.
public struct FrameDifference: Sendable {
  /// The differences.
  public var image: PixelImage
  /// The conversions of the reference, or of both, before they could be compared; empty if the decoded values were compared.
  public var conversions: ComparisonConversions

  /// Creates a difference.
  public init(image: PixelImage, conversions: ComparisonConversions) {
    self.image = image
    self.conversions = conversions
  }
}

/// Conversions that make two frames comparable.
public struct ComparisonConversions: OptionSet, Hashable, Sendable {
  /// The members as bits.
  public let rawValue: Int

  /// Creates a set from its raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The reference was scaled to the clip's size.
  public static let scaled = ComparisonConversions(rawValue: 1 << 0)
  /// The chroma sampling, depth or kind (RGB, Y′CbCr, grey) was converted. Formats that only arrange samples differently do not
  /// count.
  public static let format = ComparisonConversions(rawValue: 1 << 1)
  /// The colour matrix was converted.
  public static let matrix = ComparisonConversions(rawValue: 1 << 2)
  /// The range was converted from full to limited or the reverse.
  public static let range = ComparisonConversions(rawValue: 1 << 3)
  /// Both were converted to RGB of standard dynamic range.
  public static let toneMapped = ComparisonConversions(rawValue: 1 << 4)
}
