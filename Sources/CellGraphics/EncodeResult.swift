/// The outcome of one call of `DifferenceEncoder.encode`.
public struct EncodeResult: Equatable, Sendable {
  /// Total bytes appended.
  public var bytes = 0
  /// Bytes that count against the image budget.
  public var imageBytes = 0
  /// Cells sent, including unchanged ones that were cheaper to send than to skip.
  public var cellsSent = 0
  /// Cells that still differ from what the terminal shows; always image cells.
  public var cellsLeft = 0
  /// Image cells left because they differ too little to see (`ImageQuality.high`).
  public var cellsNear = 0
  /// The error in the target's image cells.
  public var loss = ImageLoss()

  /// Creates the result of an empty update.
  public init() {}

  /// True if the terminal shows the target exactly once it has processed the bytes.
  public var isExact: Bool { cellsLeft == 0 && cellsNear == 0 }
}
