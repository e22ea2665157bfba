import Glibc

/// A 32×32 blue-noise threshold matrix that tiles the screen.
///
/// Made by void-and-cluster (R. Ulichney, "The void-and-cluster method for dither array generation", 1993):
/// every rank stands as far as possible from its neighbours in rank, so thresholding shows no pattern and,
/// being fixed to the screen, does not shimmer.
enum DitherMatrix {
  static let side = 32

  /// Thresholds 0–1023, each of them at one place; (x, y) is at `(y % 32) * 32 + x % 32`.
  static let thresholds: [UInt16] = ranks().map(UInt16.init)

  /// A permutation of 0..<1024.
  private static func ranks() -> [Int] {
    let count = side * side
    var field = Field()
    // Any scattered start will do; a fixed generator makes it the same everywhere.
    var state: UInt32 = 0x2545_F491
    var ones = 0
    while ones < count / 10 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let place = Int(state >> 22)
      if !field.isOne[place] {
        field.toggle(place)
        ones += 1
      }
    }
    // Move the tightest cluster into the largest void until that changes nothing.
    for _ in 0..<count {
      let cluster = field.tightestCluster()
      field.toggle(cluster)
      let void = field.largestVoid()
      field.toggle(void)
      if void == cluster { break }
    }
    var ranks = [Int](repeating: 0, count: count)
    var taken = field
    for rank in stride(from: ones - 1, through: 0, by: -1) {
      let cluster = taken.tightestCluster()
      taken.toggle(cluster)
      ranks[cluster] = rank
    }
    for rank in ones..<count {
      let void = field.largestVoid()
      field.toggle(void)
      ranks[void] = rank
    }
    return ranks
  }

  /// A binary pattern on a torus and how crowded each place of it is.
  private struct Field {
    var isOne = [Bool](repeating: false, count: side * side)
    private var energy = [Int32](repeating: 0, count: side * side)
    private let kernel: [Int32]

    init() {
      let sigma = 1.5
      kernel = (0..<(side * side)).map { place in
        let dx = Double(min(place % side, side - place % side))
        let dy = Double(min(place / side, side - place / side))
        // Whole numbers, so that the matrix does not depend on the order of additions.
        return Int32((exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)) * 1_000_000).rounded())
      }
    }

    mutating func toggle(_ place: Int) {
      isOne[place].toggle()
      let sign: Int32 = isOne[place] ? 1 : -1
      let px = place % side
      let py = place / side
      energy.withUnsafeMutableBufferPointer { energy in
        kernel.withUnsafeBufferPointer { kernel in
          for y in 0..<side {
            let source = ((y - py) & (side - 1)) * side
            for x in 0..<side {
              energy[y * side + x] += sign &* kernel[source + ((x - px) & (side - 1))]
            }
          }
        }
      }
    }

    func tightestCluster() -> Int {
      var best = 0
      var most = Int32.min
      for place in 0..<(side * side) where isOne[place] && energy[place] > most {
        (best, most) = (place, energy[place])
      }
      return best
    }

    func largestVoid() -> Int {
      var best = 0
      var least = Int32.max
      for place in 0..<(side * side) where !isOne[place] && energy[place] < least {
        (best, least) = (place, energy[place])
      }
      return best
    }
  }
}
