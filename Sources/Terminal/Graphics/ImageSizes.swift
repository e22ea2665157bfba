/// Estimates how many bytes images take, from those sent before: a value.
struct ImageSizes {
  /// Bytes of each pixel sent, by reduction; nil before the first.
  private var densities: [Double?] = [1.0] + Array(repeating: nil, count: maxReduction - 1)

  /// The largest square of pixels, by its side, that one pixel stands for.
  private static let maxReduction = 16
  private static let range = 0.005...12.0

  /// The bytes of an image whose pixels are reduced.
  private func bytes(of pixels: Int, at reduction: Int) -> Double {
    // Pixels of small images have less in common, which shows when they have been sent.
    let known = densities[..<reduction].last { $0 != nil } ?? nil
    return (known ?? 1) * Double(pixels) / Double(reduction * reduction)
  }

  /// The least reduction with which an image takes no more than a number of bytes.
  func reduction(of pixels: Int, to limit: Int) -> Int {
    (1..<Self.maxReduction).first { bytes(of: pixels, at: $0) <= Double(limit) } ?? Self.maxReduction
  }

  /// The number of pixels that a number of bytes suffices for, not reduced.
  func pixels(in bytes: Int) -> Int { Int(Double(bytes) / (densities[0] ?? 1)) }

  /// Records an image.
  mutating func learn(_ bytes: Int, of pixels: Int, at reduction: Int) {
    guard pixels > 0 else { return }
    let density = Double(bytes * reduction * reduction) / Double(pixels)
    densities[reduction - 1] = min(Self.range.upperBound, max(Self.range.lowerBound, density))
  }
}
