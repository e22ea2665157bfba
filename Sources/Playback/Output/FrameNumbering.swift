/// The frames of a clip with numbers that they have in common with frames of another one: equal numbers show the same.
package struct FrameNumbering: Hashable, Sendable {
  /// Presentation times in nanoseconds of the item, ascending.
  package let times: [Int64]
  /// A number for each frame; nil for one that the other clip lacks.
  package let numbers: [Int?]

  /// The distance below which two times are the same, in nanoseconds.
  private static let rounding: Int64 = 50_000

  /// - Parameters:
  ///   - times: presentation times in nanoseconds. Those that go back count as the latest before.
  ///   - numbers: a number for each frame; missing ones are nil.
  package init(times: [Int64], numbers: [Int?]) {
    var latest = Int64.min
    self.times = times.map { time in
      latest = max(latest, time)
      return latest
    }
    self.numbers = times.indices.map { numbers.indices.contains($0) ? numbers[$0] : nil }
  }

  /// The index of the frame on display at a time in nanoseconds, the first one before the beginning; nil without frames.
  package func frame(at time: Int64) -> Int? {
    let limit = time.saturatingAdd(Self.rounding)
    var low = 0, high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return times.isEmpty ? nil : max(0, low - 1)
  }

  /// The number of the frame on display at a time; nil if it has none.
  package func number(at time: Int64) -> Int? { frame(at: time).flatMap { numbers[$0] } }
}
