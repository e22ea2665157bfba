import Libav

/// Remarks about an image sequence: "3 numbers missing: 7, 12–13".
struct SequenceRemarks {
  /// The remarks; empty if there is nothing to say.
  let all: [String]

  /// The maximum number of ranges in a remark.
  private static let maxRanges = 8

  init(_ input: SequenceInput) {
    let files = input.files
    var all: [String] = []
    if files.holdsMissing {
      let count = files.frameCount - files.numbers.count
      if count > 0 { all.append("\(count) number\(count == 1 ? "" : "s") missing: \(Self.words(files.missing))") }
    } else {
      all.append("numbers are far apart: images follow each other directly")
    }
    let damaged = input.damagedImages.map { files.numbers[$0] }
    if !damaged.isEmpty {
      all.append("\(damaged.count) image\(damaged.count == 1 ? "" : "s") damaged or incomplete: \(Self.words(Self.ranges(damaged)))")
    }
    self.all = all
  }

  /// - Parameter numbers: in increasing order.
  private static func ranges(_ numbers: [Int]) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }

  private static func words(_ ranges: [ClosedRange<Int>]) -> String {
    let shown = ranges.prefix(maxRanges).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    let more = ranges.dropFirst(maxRanges).reduce(0) { $0 + $1.count }
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
