import Glibc

/// Owns scratch memory with the alignment and padding that libswscale's fast paths need.
struct AlignedBuffer: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Reserves memory and returns the stride of a row, in bytes.
  ///
  /// - Throws: `AVError` if memory runs out.
  mutating func reserve(rowBytes: Int, rows: Int) throws -> Int {
    let stride = (rowBytes + 63) / 64 * 64
    let needed = stride * rows + 64
    if memory.count < needed {
      free(memory.baseAddress)
      memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      var start: UnsafeMutableRawPointer?
      guard posix_memalign(&start, 64, needed) == 0 else { throw AVError.outOfMemory("scaling") }
      memory = UnsafeMutableRawBufferPointer(start: start, count: needed)
    }
    return stride
  }

  var base: UnsafeMutablePointer<UInt8> {
    guard let base = memory.baseAddress else { preconditionFailure("call reserve(rowBytes:rows:) first") }
    return base.assumingMemoryBound(to: UInt8.self)
  }

  deinit { free(memory.baseAddress) }
}
