#if canImport(Glibc)
  import Glibc
#endif

/// Mixes colours of full-range sRGB in linear light.
enum LinearLight {
  /// The linear light of each value, 0…65535.
  private static let decoding: [UInt16] = (0...255).map { value in
    let v = Double(value) / 255
    let light = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    return UInt16((light * 65535).rounded())
  }

  /// The value for each amount of linear light.
  private static let encoding: [UInt8] = (0...65535).map { light in
    let l = Double(light) / 65535
    let value = l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }

  /// The unit of shares: all of the second colour.
  static let whole = 65536

  /// Converts a share of 0…1 to that unit.
  static func share(_ fraction: Double) -> Int { Int((max(0, min(1, fraction)) * Double(whole)).rounded()) }

  /// Mixes rows of values with one share; 0 gives exactly `a`, `whole` exactly `b`.
  static func mix(_ a: UnsafeMutableBufferPointer<UInt8>, with b: UnsafeBufferPointer<UInt8>, share: Int) {
    if share == 0 { return }
    if share == whole { return _ = a.update(from: b) }
    decoding.withUnsafeBufferPointer { decoding in
      encoding.withUnsafeBufferPointer { encoding in
        for i in 0..<min(a.count, b.count) {
          let from = Int(decoding[Int(a[i])]), to = Int(decoding[Int(b[i])])
          a[i] = encoding[from + ((to - from) * share + whole / 2) >> 16]
        }
      }
    }
  }
}
