/// The slow change of a device's origin against the host's clock, from readings over seconds to hours.
struct DriftEstimate {
  /// Means of many readings each.
  private var blocks: [Mean] = []
  private var current = Mean()
  private var blockDuration = DriftEstimate.firstBlock
  /// Nanoseconds per nanosecond; nil until measured. Outlives `restart`.
  private(set) var value: Double?

  private struct Mean {
    var start: Double?
    var count = 0.0
    var host = 0.0
    var origin = 0.0

    mutating func add(_ origin: Double, at host: Double, count added: Double = 1) {
      if start == nil { start = host }
      count += added
      self.host += (host - self.host) * added / count
      self.origin += (origin - self.origin) * added / count
    }
  }

  private static let firstBlock = 2e9
  private static let maxBlocks = 32
  private static let minBlocks = 6
  /// Clocks of real devices differ by less.
  private static let limit = 0.001

  /// Forgets all readings, since the origin is another one.
  mutating func restart() {
    blocks.removeAll(keepingCapacity: true)
    current = Mean()
    blockDuration = Self.firstBlock
  }

  mutating func add(_ origin: Double, at host: Double) {
    if let start = current.start, host - start >= blockDuration {
      if blocks.count == Self.maxBlocks { halve() }
      blocks.append(current)
      current = Mean()
      if blocks.count >= Self.minBlocks { measure() }
    }
    current.add(origin, at: host)
  }

  private mutating func halve() {
    for index in 0..<Self.maxBlocks / 2 {
      var mean = blocks[2 * index]
      let second = blocks[2 * index + 1]
      mean.add(second.origin, at: second.host, count: second.count)
      blocks[index] = mean
    }
    blocks.removeLast(Self.maxBlocks / 2)
    blockDuration *= 2
  }

  /// Fits a line by least squares, without the first block, in which devices settle.
  private mutating func measure() {
    let used = blocks.dropFirst()
    let count = Double(used.count)
    let host = used.reduce(0) { $0 + $1.host } / count
    let origin = used.reduce(0) { $0 + $1.origin } / count
    let product = used.reduce(0) { $0 + ($1.host - host) * ($1.origin - origin) }
    let square = used.reduce(0) { $0 + ($1.host - host) * ($1.host - host) }
    guard square > 0 else { return }
    value = min(max(product / square, -Self.limit), Self.limit)
  }
}
