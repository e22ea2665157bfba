@testable import Alignment
import TestSupport

/// A made clip: boxes of several greys move over a texture, differently in each scene. A frame's picture depends on its number
/// alone.
struct SyntheticClip {
  private struct Box {
    var x: Double, y: Double, dx: Double, dy: Double, width: Double, height: Double, level: Double
  }

  private struct Scene {
    var ground: [Double]
    var boxes: [Box]
  }

  private let scenes: [Scene]
  private let sceneLength: Int
  private let seed: UInt64

  init(seed: UInt64, sceneCount: Int = 4, sceneLength: Int = 50) {
    self.seed = seed
    self.sceneLength = sceneLength
    var random = SeededGenerator(seed: seed)
    scenes = (0..<sceneCount).map { _ in
      let coarse = (0..<10 * 6).map { _ in Double.random(in: 40...180, using: &random) }
      let ground = (0..<64 * 36).map { i -> Double in
        let row = i / 64 / 6, column = i % 64 / 7
        return coarse[row * 10 + column]
      }
      let boxes = (0..<6).map { _ in
        Box(
          x: .random(in: 0...64, using: &random), y: .random(in: 0...36, using: &random),
          dx: .random(in: -0.9...0.9, using: &random), dy: .random(in: -0.5...0.5, using: &random),
          width: .random(in: 4...14, using: &random), height: .random(in: 3...10, using: &random),
          level: .random(in: 20...230, using: &random))
      }
      return Scene(ground: ground, boxes: boxes)
    }
  }

  var count: Int { scenes.count * sceneLength }

  /// A frame's luma at 64 × 36; frames outside `0..<count` belong to the first and last scene.
  func frame(_ number: Int) -> [Double] {
    let scene = scenes[min(scenes.count - 1, max(0, number / sceneLength))]
    var picture = scene.ground
    for box in scene.boxes {
      let left = box.x + box.dx * Double(number), top = box.y + box.dy * Double(number)
      for y in 0..<36 {
        // The covered share of a cell, so that parts of cells count; boxes come back on the other side.
        let down = Self.overlap(y, top, box.height, 36)
        guard down > 0 else { continue }
        for x in 0..<64 {
          let share = down * Self.overlap(x, left, box.width, 64)
          if share > 0 { picture[y * 64 + x] += (box.level - picture[y * 64 + x]) * share }
        }
      }
    }
    return picture
  }

  private static func overlap(_ cell: Int, _ start: Double, _ length: Double, _ size: Double) -> Double {
    let start = start - (start / size).rounded(.down) * size
    return [start, start - size].reduce(0) { sum, start in
      sum + max(0, min(Double(cell) + 1, start + length) - max(Double(cell), start))
    }
  }

  /// A clip of some frames; nil stands for black. Noise has a deviation of about `noise`.
  func sequence(
    _ numbers: [Int?], frameRate: Double = 25, noise: Double = 0.7, change: ([Double]) -> [Double] = { $0 }
  ) -> SignatureSequence {
    var random = SeededGenerator(seed: seed &* 31 &+ UInt64(numbers.count))
    var sequence = SignatureSequence(frameRate: frameRate, aspect: 16.0 / 9)
    for (i, number) in numbers.enumerated() {
      let picture = number.map { change(frame($0)) } ?? [Double](repeating: 16, count: 64 * 36)
      let luma = picture.map { value -> UInt8 in
        let error = noise * (Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random))
        return UInt8(min(255, max(0, value + error + 0.5)))
      }
      sequence.append(FrameSignature(luma: luma), time: Int64(Double(i) / frameRate * 1e9))
    }
    return sequence
  }

  /// Reads `picture` at a place by mixing the four cells around it.
  static func sample(_ picture: [Double], _ x: Double, _ y: Double) -> Double {
    let x = min(63, max(0, x)), y = min(35, max(0, y))
    let left = min(62, Int(x)), top = min(34, Int(y))
    let a = x - Double(left), b = y - Double(top)
    let upper = picture[top * 64 + left] * (1 - a) + picture[top * 64 + left + 1] * a
    let lower = picture[(top + 1) * 64 + left] * (1 - a) + picture[(top + 1) * 64 + left + 1] * a
    return upper * (1 - b) + lower * b
  }
}
