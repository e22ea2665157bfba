/// The latest samples rendered, by their index: those that a rewrite may replace. Not safe from threads.
final class MixHistory {
  private let channels: Int
  private let capacity: Int
  /// The index after the newest sample; nil if there are none.
  private var end: Int64?
  // Owned.
  private let values: UnsafeMutablePointer<Float>
  /// A sample that stands for those after the newest one.
  private let held: UnsafeMutablePointer<Float>

  init(format: SoundFormat) {
    channels = format.channels
    // A power of two of at least a second, more than any output queues.
    var capacity = 1
    while capacity < format.rate { capacity *= 2 }
    self.capacity = capacity
    values = .allocate(capacity: capacity * channels)
    values.initialize(repeating: 0, count: capacity * channels)
    held = .allocate(capacity: channels)
    held.initialize(repeating: 0, count: channels)
  }

  deinit {
    values.deallocate()
    held.deallocate()
  }

  /// Replaces the samples from an index on.
  func store(_ buffer: UnsafeMutableBufferPointer<Float>, at index: Int64) {
    let count = buffer.count / channels
    for sample in max(0, count - capacity)..<max(0, count) {
      let place = Int((index + Int64(sample)) & Int64(capacity - 1)) * channels
      for channel in 0..<channels { values[place + channel] = buffer[sample * channels + channel] }
    }
    end = index + Int64(count)
  }

  /// Makes the newest sample stand for all later ones.
  func holdNewest() {
    guard let end else { return }
    held.update(from: values + Int((end - 1) & Int64(capacity - 1)) * channels, count: channels)
  }

  /// Calls `body` with the sample at an index.
  func withSample(at index: Int64, _ body: (UnsafePointer<Float>) -> Void) {
    guard let end, index < end, index >= end - Int64(capacity) else { return body(held) }
    body(values + Int(index & Int64(capacity - 1)) * channels)
  }
}
