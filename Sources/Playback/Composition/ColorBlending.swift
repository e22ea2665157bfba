import Pixels

/// The values that are mixed where transitions and transparent overlays show two images at once.
public enum ColorBlending: String, Hashable, Sendable, CaseIterable {
  /// The coded values, as in most editing programs and in FFmpeg: between black and white, the middle is the grey 128.
  case coded
  /// The light that the values stand for, as when a film is exposed twice: between black and white, the middle is the grey 188.
  case linear
}

extension ColorBlending {
  /// The unit of shares: all of the second colour.
  static let whole = ImageMixing.whole

  /// Converts a share of 0…1 to that unit.
  static func share(_ fraction: Double) -> Int { ImageMixing.share(fraction) }

  /// Mixes rows of values of full-range sRGB with one share; 0 gives exactly `a`, `whole` exactly `b`.
  func mix(_ a: UnsafeMutableBufferPointer<UInt8>, with b: UnsafeBufferPointer<UInt8>, share: Int) {
    if share == 0 { return }
    if share == Self.whole { return _ = a.update(from: b) }
    switch self {
    case .coded: ImageMixing.mix(a, with: b, share: share)
    case .linear:
      LinearLight.decoding.withUnsafeBufferPointer { decoding in
        LinearLight.encoding.withUnsafeBufferPointer { encoding in
          for i in 0..<min(a.count, b.count) {
            a[i] = encoding[Self.between(Int(decoding[Int(a[i])]), Int(decoding[Int(b[i])]), share)]
          }
        }
      }
    }
  }

  /// The rounded value at a share of the way from one value to another, thus never outside them.
  @inline(__always) private static func between(_ from: Int, _ to: Int, _ share: Int) -> Int {
    from + ((to - from) * share + whole / 2) >> 16
  }
}
