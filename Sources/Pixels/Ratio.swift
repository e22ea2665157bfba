/// A fraction as containers and codecs write it: of a second, for one tick of a stream, or width over height.
public struct Ratio: Hashable, Sendable {
  /// What stands above the line.
  public var numerator: Int32
  /// What stands below the line; 0 where the file does not say.
  public var denominator: Int32

  /// The fraction as it is, not reduced.
  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Whether both numbers are above 0.
  public var isPositive: Bool { numerator > 0 && denominator > 0 }
  /// The fraction turned round: seconds a frame for frames a second.
  package var inverse: Ratio { Ratio(denominator, numerator) }
  /// The fraction as a number; 0 where the denominator is 0.
  public var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
}
