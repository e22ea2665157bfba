/// The files of an image sequence, as they were when its folder was listed.
///
/// A frame is an image's time on display. If `holdsMissing`, frame 0 is that of the first number, and a missing number shows
/// the image before it; otherwise each image is one frame.
public struct SequenceFiles: Hashable, Sendable {
  public let name: NumberedName
  /// The numbers that exist, in increasing order; at least one.
  public let numbers: [Int]
  /// The sizes of the files in bytes, in the same order.
  public let byteCounts: [Int64]
  /// A hash of the files' identities and modification times.
  public let stamp: Int64
  public let holdsMissing: Bool
  /// The missing numbers between the first and the last, as ranges in increasing order.
  public let missing: [ClosedRange<Int>]

  /// The maximum number of frames if missing numbers are held.
  private static let maxFrames = 1_000_000
  /// The maximum number of frames per image, on average, if missing numbers are held. Larger gaps are those of times of day
  /// and the like, not of images that have not been made.
  private static let maxFramesPerImage = 100

  public init(_ name: NumberedName, numbers: [Int], byteCounts: [Int64], stamp: Int64) {
    precondition(!numbers.isEmpty && numbers.count == byteCounts.count, "a sequence has an image, and each image a size")
    (self.name, self.numbers, self.byteCounts, self.stamp) = (name, numbers, byteCounts, stamp)
    let (gap, isTooFar) = numbers[numbers.count - 1].subtractingReportingOverflow(numbers[0])
    missing = zip(numbers, numbers.dropFirst()).compactMap { $1 - 1 > $0 ? $0 + 1...$1 - 1 : nil }
    holdsMissing = !isTooFar && gap < min(Self.maxFrames, numbers.count * Self.maxFramesPerImage)
  }

  public var frameCount: Int { holdsMissing ? numbers[numbers.count - 1] - numbers[0] + 1 : numbers.count }
  public var byteCount: Int64 { byteCounts.reduce(0, &+) }

  /// Returns the path of an image, counted from 0.
  public func path(ofImage image: Int) -> String { name.name(numbers[image]) }

  /// Returns the image that a frame shows: its own, or the last one before it.
  public func image(ofFrame frame: Int) -> Int {
    guard holdsMissing else { return frame }
    let number = numbers[0] + frame
    var (low, high) = (0, numbers.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if numbers[middle] <= number { low = middle } else { high = middle }
    }
    return low
  }
}
