/// A fraction as containers and codecs write it: of a second, for one tick of a stream, or width over height.
public struct Ratio: Hashable, Sendable {
  public var numerator: Int32
  /// 0 where the file does not say.
  public var denominator: Int32

  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public var isPositive: Bool { numerator > 0 && denominator > 0 }
  /// 0 where the denominator is.
  public var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
}
