/// Memory for numbers that one owner works with.
final class ScratchMemory<Number: BitwiseCopyable> {
  let numbers: UnsafeMutablePointer<Number>
  let count: Int

  init(count: Int, filledWith number: Number) {
    numbers = .allocate(capacity: count)
    numbers.initialize(repeating: number, count: count)
    self.count = count
  }

  deinit { numbers.deallocate() }
}
