/// What one call of `DifferenceEncoder.encode` did.
public struct EncodeResult: Equatable, Sendable {
  /// Bytes appended in all.
  public var bytes = 0
  /// Those of them that count against the image budget.
  public var imageBytes = 0
  /// Cells sent, with those sent only because that was cheaper than stepping over them.
  public var cellsSent = 0
  /// Cells that still differ from what the terminal shows; all of them image cells.
  public var cellsLeft = 0
  /// Image cells that differ so little that they are left (`ImageQuality.high`).
  public var cellsNear = 0
  /// What is lost in the image cells of the target.
  public var loss = ImageLoss()

  /// The result of sending nothing where there is nothing.
  public init() {}

  /// Whether the terminal shows the target once it has taken the bytes.
  public var isExact: Bool { cellsLeft == 0 && cellsNear == 0 }
}
