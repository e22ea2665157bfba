import Libav

/// Computes levels of decoded samples: peak, mean power, and power as heard.
struct SoundMeter {
  let sampleRate: Int
  private let places: [ChannelPlace]
  private let weights: [Double]
  private var filters: [KWeighting]
  // For the level being computed.
  private var squares = 0.0
  private var weighted = 0.0
  private var peak: Float = 0
  private var count = 0

  /// The weight of a channel at the side of or behind a listener, by ITU-R BS.1770-4: 1.5 dB.
  private static let surround = 1.41

  init(sampleRate: Int, places: [ChannelPlace]) {
    self.sampleRate = sampleRate
    self.places = places
    filters = places.map { _ in KWeighting(sampleRate: sampleRate) }
    let hasSides = places.contains(.side)
    weights = places.map { place in
      switch place {
      case .front: 1
      case .side: Self.surround
      // Surround channels of 5.1 are often called so. Beside those at the sides, they are what is farther behind.
      case .back: hasSides ? 1 : Self.surround
      case .lowFrequency: 0
      }
    }
  }

  /// Returns true if the meter is for frames of this form.
  func isFor(sampleRate: Int, places: [ChannelPlace]) -> Bool { self.sampleRate == sampleRate && self.places == places }

  /// Adds samples of all channels, interleaved.
  mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    for channel in places.indices {
      let weight = weights[channel]
      // Local, so that the loop keeps them in registers.
      var filter = filters[channel], place = channel
      var (highest, sum, heard) = (Float(0), 0.0, 0.0)
      for _ in 0..<count {
        let value = samples[place]
        place += places.count
        highest = max(highest, abs(value))
        sum += Double(value) * Double(value)
        guard weight > 0 else { continue }
        let output = filter.apply(value)
        heard += output * output
      }
      filters[channel] = filter
      peak = max(peak, highest)
      squares += sum
      weighted += weight * heard
    }
    self.count += count
  }

  var isEmpty: Bool { count == 0 }

  /// Returns the level of the samples since the last one, and begins another; silence if there are none.
  mutating func take() -> SoundLevel {
    for channel in filters.indices { filters[channel].settle() }
    defer { (squares, weighted, peak, count) = (0, 0, 0, 0) }
    guard count > 0 else { return SoundLevel() }
    let power = (squares / Double(count * max(1, places.count))).squareRoot()
    return SoundLevel(peak: min(1, peak), power: Float(min(1, power)), weighted: Float(weighted / Double(count)))
  }
}
