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

  /// Adds a sample of all channels.
  mutating func add(_ sample: UnsafePointer<Float>) {
    for channel in places.indices {
      let value = sample[channel]
      peak = max(peak, abs(value))
      squares += Double(value * value)
      guard weights[channel] > 0 else { continue }
      let heard = filters[channel].apply(value)
      weighted += weights[channel] * heard * heard
    }
    count += 1
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
