import CMetricLoops

/// Two rows of sums over blocks of 4×4 samples, on which SSIM's windows lie.
///
/// Sums of samples of 8 bits are whole numbers of 32 bits. Deeper ones are whole numbers in 64-bit floating point, which
/// represents all that is made of them exactly.
struct BlockRows {
  private enum Sums {
    case bytes(ScratchMemory<Int32>)
    case words(ScratchMemory<Double>, isUpTo12Bits: Bool)
  }

  private let sums: Sums
  private let capacity: Int
  private let c1, c2: Double

  /// - Parameter width: the most samples in a row.
  init(width: Int, depth: Int) {
    capacity = width / 4
    sums =
      depth > 8
      ? .words(ScratchMemory(count: max(8 * capacity, 1), filledWith: 0), isUpTo12Bits: depth <= 12)
      : .bytes(ScratchMemory(count: max(8 * capacity, 1), filledWith: 0))
    let square = Double(1 << depth - 1) * Double(1 << depth - 1)
    c1 = (0.01 * 0.01 * square * 64 + 0.5).rounded(.down)
    c2 = (0.03 * 0.03 * square * 64 * 63 + 0.5).rounded(.down)
  }

  /// Fills a row of sums with `count` blocks and returns the sum of squared differences in them.
  func fill(_ row: Int, _ pair: qd_plane_pair, count: Int) -> UInt64 {
    switch sums {
    case .bytes(let memory): qd_block_sums_8(pair, count, bytes(memory, row))
    case .words(let memory, true): qd_block_sums_12(pair, count, words(memory, row))
    case .words(let memory, false): qd_block_sums_16(pair, count, words(memory, row))
    }
  }

  /// The sum of the SSIM of all windows that lie on both rows.
  ///
  /// - Parameter map: where each window's SSIM is stored.
  func windows(count: Int, map: UnsafeMutablePointer<Float>? = nil) -> Double {
    switch sums {
    case .bytes(let memory): qd_windows_8(bytes(memory, 0), bytes(memory, 1), count, map)
    case .words(let memory, _): qd_windows_deep(words(memory, 0), words(memory, 1), count, c1, c2, map)
    }
  }

  private func bytes(_ memory: ScratchMemory<Int32>, _ row: Int) -> qd_block_sums {
    let first = memory.numbers + 4 * capacity * (row & 1)
    return qd_block_sums(a: first, b: first + capacity, squares: first + 2 * capacity, products: first + 3 * capacity)
  }

  private func words(_ memory: ScratchMemory<Double>, _ row: Int) -> qd_deep_block_sums {
    let first = memory.numbers + 4 * capacity * (row & 1)
    return qd_deep_block_sums(a: first, b: first + capacity, squares: first + 2 * capacity, products: first + 3 * capacity)
  }
}
