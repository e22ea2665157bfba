/// Finds frames of a long reference that look like some frames of a candidate.
///
/// Frames are compared by 32 means of their pictures. The number of frames that are sought is limited, so the time grows with the
/// length of the reference.
struct SignatureIndex {
  static let length = 32
  /// At most so many frames of a candidate are sought.
  static let mostQueries = 2048
  /// The best so many places of each are kept.
  private static let kept = 8

  /// A place where a candidate frame may be.
  struct Hit {
    var reference: Int
    var likeness: Float
  }

  private let reference: VectorRows

  init(_ pictures: Pictures, _ rect: PictureRect, _ use: [Bool]) {
    reference = Self.descriptors(pictures, Array(0..<pictures.count), rect, use)
  }

  /// Means of 8 × 4 parts of the normalised pictures of some frames.
  static func descriptors(_ pictures: Pictures, _ frames: [Int], _ rect: PictureRect, _ use: [Bool]) -> VectorRows {
    let weights = Registration.weights(use), width = SignatureGrid.coarse.width, height = SignatureGrid.coarse.height
    var result = VectorRows(count: frames.count, length: length)
    let step = 512
    for first in stride(from: 0, to: frames.count, by: step) {
      let some = Array(frames[first..<min(frames.count, first + step)])
      let rows = pictures.frames(some).resampled(rect, on: .coarse).rows.normalised(weights)
      for i in 0..<rows.count {
        var squares: Float = 0
        let at = (first + i) * length
        for p in 0..<rows.length {
          result.values[at + p / width * 4 / height * 8 + p % width / 4] += rows.values[i * rows.length + p]
        }
        for k in 0..<length { squares += result.values[at + k] * result.values[at + k] }
        let factor = 1 / (squares + 0.02).squareRoot()
        for k in 0..<length { result.values[at + k] *= factor }
      }
    }
    return result
  }

  /// The best places of each query, at least some frames apart.
  func hits(_ queries: VectorRows, _ supervision: PairAligner.Supervision) throws -> [[Hit]] {
    var result: [[Hit]] = []
    let batch = 48
    for first in stride(from: 0, to: queries.count, by: batch) {
      try supervision.reached(0.1 + 0.2 * Double(first) / Double(queries.count))
      let some = queries.rows(Array(first..<min(queries.count, first + batch)))
      let windows = CellWindows(candidateCount: some.count, referenceCount: reference.count)
      let products = PairCosts.products(reference, some, windows)
      for q in 0..<some.count {
        let row = products[q * reference.count..<(q + 1) * reference.count]
        var best: [Hit] = []
        // The best frame of each 16.
        for block in stride(from: 0, to: reference.count, by: 16) {
          let end = min(reference.count, block + 16)
          var top = Hit(reference: block, likeness: -2)
          for r in block..<end where row[row.startIndex + r] > top.likeness {
            top = Hit(reference: r, likeness: row[row.startIndex + r])
          }
          guard best.count < Self.kept || top.likeness > best[best.count - 1].likeness else { continue }
          let place = best.firstIndex { $0.likeness < top.likeness } ?? best.count
          best.insert(top, at: place)
          if best.count > Self.kept { best.removeLast() }
        }
        result.append(best)
      }
    }
    return result
  }
}
