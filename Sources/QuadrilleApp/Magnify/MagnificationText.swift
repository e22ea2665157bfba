import Pixels

/// Magnification as text in options and settings.
extension Magnification {
  /// A crop such as "640x360+100+50": size and position in pixels.
  public static func crop(_ text: String) -> PixelRect? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 1, sides.count == 2, let width = number(sides[0]), let height = number(sides[1]),
      width > 0, height > 0
    else { return nil }
    guard parts.count == 3 else { return PixelRect(x: 0, y: 0, width: width, height: height) }
    guard let x = number(parts[1]), let y = number(parts[2]) else { return nil }
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// A centre such as "0.3,0.7": fractions of the frame's sides from the top left.
  public static func center(_ text: String) -> Point? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) else { return nil }
    return Point(x: x, y: y)
  }

  /// A scale such as "fit" or "2".
  public static func scale(_ text: String) -> Scale? {
    if text == "fit" { return .fit }
    guard let factor = number(text[...]), validFactors.contains(factor) else { return nil }
    return .pixels(factor)
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.count <= 6, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
