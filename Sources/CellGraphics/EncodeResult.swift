import Glibc

/// What one call of `DifferenceEncoder.encode` did.
public struct EncodeResult: Equatable, Sendable {
  /// Bytes appended in all.
  public var bytes = 0
  /// Those of them that count against the picture budget.
  public var pictureBytes = 0
  /// Cells sent, with those sent only because that was cheaper than stepping over them.
  public var cellsSent = 0
  /// Cells that still differ from what the terminal shows; all of them picture cells.
  public var cellsLeft = 0
  /// Picture cells of the target.
  public var pictureCells = 0
  /// What is lost in them: the squared differences between what is shown and what is meant, summed over red, green and
  /// blue (0–255 each) of both halves of each cell. 0 where they look the same.
  public var squaredError = 0

  /// The result of sending nothing where there is nothing.
  public init() {}

  /// Whether the terminal shows the target once it has taken the bytes.
  public var isExact: Bool { cellsLeft == 0 }

  /// The peak signal-to-noise ratio of the pictures as shown, in decibels; infinite where they are as meant.
  public var pictureQuality: Double {
    guard squaredError > 0, pictureCells > 0 else { return .infinity }
    return 10 * log10(255 * 255 * 6 * Double(pictureCells) / Double(squaredError))
  }
}
