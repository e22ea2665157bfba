/// Owns scratch memory that is aligned and padded as libswscale's fast paths want it.
struct AlignedBuffer: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Makes room and returns the bytes from row to row.
  mutating func reserve(rowBytes: Int, rows: Int) -> Int {
    let stride = (rowBytes + 63) / 64 * 64
    let needed = stride * rows + 64
    if memory.count < needed {
      memory.deallocate()
      memory = .allocate(byteCount: needed, alignment: 64)
    }
    return stride
  }

  var base: UnsafeMutablePointer<UInt8> {
    guard let base = memory.baseAddress else { preconditionFailure("reserve first") }
    return base.assumingMemoryBound(to: UInt8.self)
  }

  deinit { memory.deallocate() }
}
