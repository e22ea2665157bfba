#if canImport(Glibc)
  import Glibc
#endif

/// The light of values of full-range sRGB, and back.
enum LinearLight {
  /// The linear light of each value, 0…65535.
  static let decoding: [UInt16] = (0...255).map { value in
    let v = Double(value) / 255
    let light = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    return UInt16((light * 65535).rounded())
  }

  /// The value for each amount of linear light.
  static let encoding: [UInt8] = (0...65535).map { light in
    let l = Double(light) / 65535
    let value = l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }
}
