import Metrics
import TestSupport

/// A frame in memory of its own, without room behind its last sample.
final class OwnedFrame {
  let frame: MetricFrame

  private final class Memory {
    let planes: [UnsafeMutableRawPointer]

    init(_ planes: [UnsafeMutableRawPointer]) { self.planes = planes }
    deinit { for bytes in planes { bytes.deallocate() } }
  }

  /// - Parameters:
  ///   - padding: bytes between rows.
  ///   - isUpsideDown: true if the first row is the last one in memory.
  init(
    _ form: MetricForm, padding: Int = 0, isUpsideDown: Bool = false, sample: (_ plane: Int, _ x: Int, _ y: Int) -> Int
  ) {
    var planes: [MetricPlane] = [], memory: [UnsafeMutableRawPointer] = []
    let bytesPerSample = form.depth > 8 ? 2 : 1
    for (index, size) in form.planes.enumerated() {
      let line = size.width * bytesPerSample, stride = line + padding
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: (size.height - 1) * stride + line, alignment: 1)
      memory.append(bytes)
      for y in 0..<size.height {
        let row = bytes + (isUpsideDown ? size.height - 1 - y : y) * stride
        for x in 0..<size.width {
          let value = sample(index, x, y)
          (row + x * bytesPerSample).storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
          if bytesPerSample == 2 { (row + 2 * x + 1).storeBytes(of: UInt8(value >> 8), as: UInt8.self) }
        }
      }
      planes.append(
        MetricPlane(
          bytes: isUpsideDown ? bytes + (size.height - 1) * stride : bytes, stride: isUpsideDown ? -stride : stride,
          width: size.width, height: size.height, depth: form.depth))
    }
    frame = MetricFrame(planes, owner: Memory(memory))
  }

  /// A frame of random samples, with random padding. Some are all white, so that sums are as large as they get.
  convenience init(random form: MetricForm, _ dice: inout SeededGenerator) {
    let padding = Int.random(in: 0...37, using: &dice), isUpsideDown = Bool.random(using: &dice)
    let isWhite = Int.random(in: 0..<4, using: &dice) == 0, peak = form.peak
    var own = dice
    self.init(form, padding: padding, isUpsideDown: isUpsideDown) { _, _, _ in isWhite ? peak : Int(own.next() >> 32) & peak }
    dice = own
  }

  /// A sample of the picture with a number, in a clip that moves, with texture, flat parts and grain. `strength` is that of a
  /// distortion, 0 for the reference.
  convenience init(picture number: Int, _ form: MetricForm, strength: Int = 0, padding: Int = 0) {
    let shift = form.depth - 8
    self.init(form, padding: padding) { plane, x, y in
      let (u, v) = (x + 3 * number, y + number)
      var value = plane == 0 ? (u * 5 + v * 3) % 160 + 40 : 128 + (x / 4 + y / 8 + plane * 9) % 40
      if (u / 24 + v / 16) % 3 == 0 { value += (u * v) % 37 - 18 }
      if x % 97 < 40 { value = 90 + plane * 5 + number * 2 }
      var hash = UInt32(truncatingIfNeeded: x &* 0x9E3779 ^ y &* 0x85EBCA ^ (number * 3 + plane) &* 0xC2B2AE)
      hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
      hash ^= hash >> 12
      value = value << shift + Int(hash & 3) << shift / 2
      if strength > 0 { value += (Int(hash >> 8) % (2 * strength + 1) - strength + (x / 8 % 5 == 0 ? strength : 0)) << shift }
      return min(max(value, 0), form.peak)
    }
  }

  /// The samples of a plane, row by row.
  func samples(_ plane: Int) -> [[Int]] {
    let view = frame.planes[plane]
    return (0..<view.height).map { y in
      let row = view.bytes + y * view.stride
      return (0..<view.width).map { x in
        guard view.depth > 8 else { return Int((row + x).loadUnaligned(as: UInt8.self)) }
        return Int((row + 2 * x).loadUnaligned(as: UInt16.self))
      }
    }
  }

  /// The samples of all planes as they follow each other in a raw video file.
  var rawBytes: [UInt8] {
    frame.planes.flatMap { view in
      (0..<view.height).flatMap { y in
        UnsafeRawBufferPointer(start: view.bytes + y * view.stride, count: view.width * (view.depth > 8 ? 2 : 1))
      }
    }
  }
}

extension MetricForm {
  /// A form by the name of a pixel format: yuv420p, yuv422p10le, gray12le…
  init(_ format: String, width: Int, height: Int) throws {
    let depth = [16, 14, 12, 10, 9].first { format.contains("p\($0)") || format.contains("gray\($0)") }
    let luma = PlaneSize(width: width, height: height)
    let across = format.contains("444") ? 1 : 2, down = format.contains("420") ? 2 : 1
    let chroma = PlaneSize(width: (width + across - 1) / across, height: (height + down - 1) / down)
    try self.init(planes: format.hasPrefix("gray") ? [luma] : [luma, chroma, chroma], depth: depth ?? 8)
  }
}
