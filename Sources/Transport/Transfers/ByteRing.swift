/// A queue of bytes of a fixed capacity.
struct ByteRing {
  let capacity: Int
  private(set) var count = 0
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates an empty ring, which allocates its memory with the first bytes.
  init(capacity: Int) { self.capacity = capacity }

  var free: Int { capacity - count }

  /// Appends bytes.
  ///
  /// - Precondition: `free` is at least their number.
  mutating func append(_ source: UnsafeRawBufferPointer) {
    precondition(source.count <= free)
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: capacity) }
    let end = (start + count) % capacity
    let first = min(source.count, capacity - end)
    bytes.withUnsafeMutableBytes { memory in
      UnsafeMutableRawBufferPointer(rebasing: memory[end..<(end + first)]).copyMemory(from: .init(rebasing: source[..<first]))
      UnsafeMutableRawBufferPointer(rebasing: memory[..<(source.count - first)])
        .copyMemory(from: .init(rebasing: source[first...]))
    }
    count += source.count
  }

  /// Moves the oldest bytes to memory and returns their number, which is less than asked for only if there are no more.
  mutating func take(into target: UnsafeMutableRawBufferPointer) -> Int {
    let taken = min(target.count, count)
    guard taken > 0 else { return 0 }
    let first = min(taken, capacity - start)
    bytes.withUnsafeBytes { memory in
      UnsafeMutableRawBufferPointer(rebasing: target[..<first]).copyMemory(from: .init(rebasing: memory[start..<(start + first)]))
      UnsafeMutableRawBufferPointer(rebasing: target[first..<taken]).copyMemory(from: .init(rebasing: memory[..<(taken - first)]))
    }
    start = (start + taken) % capacity
    count -= taken
    return taken
  }

  /// Drops all bytes and frees the memory.
  mutating func removeAll() { self = ByteRing(capacity: capacity) }
}
