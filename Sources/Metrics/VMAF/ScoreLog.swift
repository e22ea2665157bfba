/// Reads the scores from the table that libvmaf writes: lines of values between commas, of which the first one names the columns.
struct ScoreLog {
  private(set) var scores: [Double] = []
  private var line: [UInt8] = []
  /// The column with the score, once it is known.
  private var column: Int?

  /// No line is longer than this.
  private static let longestLine = 1 << 16

  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        take(line: String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
  }

  private mutating func take(line: String) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard let column else {
      column = fields.firstIndex(of: "vmaf")
      return
    }
    // A line without a number is missed when the scores are counted.
    if column < fields.count, let score = Double(fields[column]), score.isFinite { scores.append(score) }
  }
}
