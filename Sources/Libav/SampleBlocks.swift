import CPixelLoops

/// The samples that each of some output pixels covers along one axis.
struct SampleBlocks {
  /// One block of whole samples for each output pixel.
  let blocks: [qd_block]

  /// Divides a part of an axis into blocks without gaps. If there are fewer samples than blocks, each has the nearest sample.
  ///
  /// - Parameters:
  ///   - start: the part's beginning as a fraction of the axis.
  ///   - length: its length likewise.
  init(start: Double, length: Double, samples: Int, parts: Int) {
    let begin = start * Double(samples), span = length * Double(samples)
    func place(_ part: Double) -> Double { begin + part * span / Double(parts) }
    let last = samples - 1
    func sample(_ place: Double) -> Int { min(last, max(0, Int(place))) }
    blocks = (0..<parts).map { i in
      if span <= Double(parts) {
        let nearest = sample(place(Double(i) + 0.5))
        return qd_block(first: UInt32(nearest), end: UInt32(nearest + 1))
      }
      let first = sample(place(Double(i)))
      // The last block has the rest of a sample that is cut by the part's end.
      let end = i == parts - 1 ? place(Double(parts)).rounded(.up) : place(Double(i + 1))
      return qd_block(first: UInt32(first), end: UInt32(min(samples, max(first + 1, Int(end)))))
    }
  }

  /// The blocks of a component with a sample for each 2^`shift` of these.
  func shared(_ shift: Int) -> [qd_block] {
    shift == 0 ? blocks : blocks.map { qd_block(first: $0.first >> shift, end: (($0.end - 1) >> shift) + 1) }
  }

  /// True if each block is one sample, and that after the one of the block before.
  static func areSingle(_ blocks: [qd_block]) -> Bool {
    guard let start = blocks.first?.first else { return false }
    return blocks.enumerated().allSatisfy { $1.first == start + UInt32($0) && $1.end == $1.first + 1 }
  }
}
