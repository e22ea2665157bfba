/// The form of sound on its way to a device: interleaved 32-bit floats, full scale from -1 to 1.
///
/// A *sample* is one moment of sound, with a value for each channel.
package struct SoundFormat: Hashable, Sendable {
  /// Samples per second.
  package let rate: Int
  /// Values per sample, in the order left, right.
  package let channels: Int

  /// The rates that are passed to devices.
  package static let rates = 8_000...384_000

  /// Creates a format; a rate outside `rates` becomes the nearest one, and there are one or two channels.
  package init(rate: Int, channels: Int = 2) {
    self.rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
    self.channels = min(max(channels, 1), 2)
  }

  /// The format in use until a device names its own.
  package static let standard = SoundFormat(rate: 48_000)

  /// The duration of one sample in nanoseconds.
  package var sampleDuration: Double { 1e9 / Double(rate) }

  /// The number of whole samples in a duration given in nanoseconds.
  package func sampleCount(nanoseconds: Int64) -> Int { Int((Double(nanoseconds) * Double(rate) / 1e9).rounded(.down)) }
}
