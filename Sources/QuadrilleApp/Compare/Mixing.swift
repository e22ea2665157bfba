import Pixels

extension PixelImage {
  enum EdgeAxis { case vertical, horizontal }

  static func wipe(_ a: PixelImage, _ b: PixelImage, edge: Double, axis: EdgeAxis) -> PixelImage {
    let whole = axis == .vertical ? a.width : a.height
    let count = Int((edge * Double(whole)).rounded())
    return PixelImage(size: a.size) { x, y in (axis == .vertical ? x : y) < count ? a[x, y] : b[x, y] }
  }

  static func mix(_ a: PixelImage, _ b: PixelImage, share: Double) -> PixelImage {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) * (1 - share) + Double(b) * share).rounded()) }
    return PixelImage(size: a.size) { x, y in
      let (p, q) = (a[x, y], b[x, y])
      return (mix(p.red, q.red), mix(p.green, q.green), mix(p.blue, q.blue))
    }
  }

  static func checkerboard(_ a: PixelImage, _ b: PixelImage, square: Int) -> PixelImage {
    PixelImage(size: a.size) { x, y in (x / square + y / square) % 2 == 0 ? a[x, y] : b[x, y] }
  }

  static func butterfly(_ a: PixelImage, _ b: PixelImage) -> PixelImage {
    PixelImage(size: a.size) { x, y in 2 * x < a.width ? a[x, y] : b[a.width - 1 - x, y] }
  }
}
