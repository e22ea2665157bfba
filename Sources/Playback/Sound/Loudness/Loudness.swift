import Glibc

/// The loudness of sound at a moment, in LUFS, as EBU R 128 and EBU Tech 3341 define it; −∞ for silence.
public struct Loudness: Hashable, Sendable {
  /// The loudness of the 400 ms before.
  public var momentary: Double
  /// The loudness of the 3 s before.
  public var shortTerm: Double

  /// Creates a loudness.
  public init(momentary: Double, shortTerm: Double) { (self.momentary, self.shortTerm) = (momentary, shortTerm) }

  /// Returns the loudness of a K-weighted power.
  static func units(ofPower power: Double) -> Double { power > 0 ? -0.691 + 10 * log10(power) : -.infinity }

  /// Returns the K-weighted power of a loudness.
  static func power(ofUnits units: Double) -> Double { pow(10, (units + 0.691) / 10) }
}

/// The loudness of a whole clip, by ITU-R BS.1770-4: the mean of overlapping blocks of 400 ms, without those that are silent or much
/// quieter than the rest.
///
/// Keeps a histogram in steps of 0.01 LU instead of all blocks.
struct IntegratedLoudness: Hashable, Sendable {
  /// The K-weighted power of the latest blocks of 100 ms, at most four.
  private var latest: [Double] = []
  private var counts = [UInt32](repeating: 0, count: size)
  private var powers = [Double](repeating: 0, count: size)

  /// Blocks below are silent, in LUFS.
  private static let floor = -70.0
  /// The relative gate, in LU.
  private static let gate = -10.0
  private static let stepsPerUnit = 100.0
  /// Up to 30 LUFS, which is louder than full scale in all channels.
  private static let size = 10_000

  /// Takes the mean K-weighted power of the next 100 ms.
  mutating func add(power: Double) {
    if latest.count == 4 { latest.removeFirst() }
    latest.append(power)
    guard latest.count == 4 else { return }
    let mean = latest.reduce(0, +) / 4, units = Loudness.units(ofPower: mean)
    guard units > Self.floor else { return }
    let index = Self.index(of: units)
    counts[index] &+= 1
    powers[index] += mean
  }

  /// The loudness in LUFS; nil if all was silent.
  var units: Double? {
    guard let all = mean(from: 0) else { return nil }
    return mean(from: Self.index(of: Loudness.units(ofPower: all) + Self.gate)).map(Loudness.units)
  }

  private func mean(from index: Int) -> Double? {
    var count = 0, sum = 0.0
    for place in index..<Self.size where counts[place] > 0 {
      count += Int(counts[place])
      sum += powers[place]
    }
    return count > 0 ? sum / Double(count) : nil
  }

  private static func index(of units: Double) -> Int {
    Int(min(max((units - floor) * stepsPerUnit, 0), Double(size - 1)))
  }
}
