import PlainText

/// Wipes by number (SMPTE 258M): those with a straight edge that moves over the whole frame.
enum EDLWipe {
  private static let angles: [(code: Int, angle: Double)] = [
    (1, 0), (2, 90), (3, 45), (4, 135), (101, 180), (102, 270), (103, 225), (104, 315),
  ]

  static func angle(of code: Int) -> Double? { angles.first { $0.code == code }?.angle }

  /// The number of the nearest wipe; `isExact` is true if its angle is the same.
  static func code(of angle: Double) -> (code: Int, isExact: Bool) {
    var turned = angle.truncatingRemainder(dividingBy: 360)
    if turned < 0 { turned += 360 }
    let eighth = (turned / 45).rounded() * 45
    let nearest = angles.first { $0.angle == eighth.truncatingRemainder(dividingBy: 360) }?.code ?? 1
    return (nearest, eighth == turned)
  }

  /// The number in "W001"; nil for other text.
  static func code(ofText text: String) -> Int? {
    let digits = text.utf8.dropFirst()
    guard digits.count == 3, text.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "w"), digits.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(Substring(digits))
  }

  /// "W001".
  static func text(_ code: Int) -> String { "W" + String(code, digits: 3) }
}
