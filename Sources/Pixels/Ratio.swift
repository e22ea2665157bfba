/// A fraction as containers and codecs store it, such as a time base in seconds or a pixel aspect ratio.
public struct Ratio: Hashable, Sendable {
  /// The numerator.
  public var numerator: Int32
  /// The denominator; 0 if the file does not specify it.
  public var denominator: Int32

  /// Creates a fraction without reducing it.
  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// True if the numerator and denominator are both above 0.
  public var isPositive: Bool { numerator > 0 && denominator > 0 }
  /// The reciprocal, such as seconds per frame for frames per second.
  package var inverse: Ratio { Ratio(denominator, numerator) }
  /// The fraction as a number; 0 if the denominator is 0.
  public var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
}
