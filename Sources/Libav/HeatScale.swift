/// Colours for amounts: black, blue, magenta, orange, yellow, white. Lightness grows evenly with the amount, so that the order is
/// visible without colours too. The corners of the scale are colours of xterm's palette of 256, or near them.
public enum HeatScale {
  private static let corners: [(amount: Int, color: [Int])] = [
    (0, [0, 0, 0]), (64, [0, 0, 215]), (120, [215, 0, 175]), (176, [255, 135, 0]), (232, [255, 255, 0]), (255, [255, 255, 255]),
  ]

  /// The bytes R, G, B of each amount, 0…255.
  static let bytes: [UInt8] = zip(corners, corners.dropFirst()).flatMap { from, to in
    (from.amount..<to.amount).flatMap { amount in
      (0..<3).map { i in
        let share = Double(amount - from.amount) / Double(to.amount - from.amount)
        return UInt8((Double(from.color[i]) + Double(to.color[i] - from.color[i]) * share).rounded())
      }
    }
  } + [255, 255, 255]

  /// Returns the colour of an amount, for legends.
  public static func color(of amount: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let i = 3 * Int(amount)
    return (bytes[i], bytes[i + 1], bytes[i + 2])
  }
}
