import Alignment
import Pixels
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SignatureTests {
  /// Plain arithmetic: the mean of each cell, with parts of samples at its edges.
  private func plainSignature(_ samples: [UInt16], width: Int, height: Int, bits: Int, range: LumaPlane.Range) -> [Double] {
    (0..<36).flatMap { y in
      (0..<64).map { x in
        var sum = 0.0, weights = 0.0
        let left = Double(x * width) / 64, right = Double((x + 1) * width) / 64
        let top = Double(y * height) / 36, bottom = Double((y + 1) * height) / 36
        for v in Int(top)..<min(height, Int(bottom.rounded(.up))) {
          for u in Int(left)..<min(width, Int(right.rounded(.up))) {
            let weight = (min(right, Double(u + 1)) - max(left, Double(u))) * (min(bottom, Double(v + 1)) - max(top, Double(v)))
            sum += weight * Double(samples[v * width + u])
            weights += weight
          }
        }
        let mean = sum / weights
        return switch range {
        case .limited: mean / Double(1 << (bits - 8))
        case .full: mean / Double((1 << bits) - 1) * 219 + 16
        }
      }
    }
  }

  @Test func signaturesAreMeans() throws {
    var random = SeededGenerator(seed: 9)
    for bits in [8, 10, 12, 16] {
      for range in [LumaPlane.Range.limited, .full] {
        for _ in 0..<6 {
          let width = Int.random(in: 3...700, using: &random), height = Int.random(in: 3...400, using: &random)
          let samples = (0..<width * height).map { _ in UInt16.random(in: 0...UInt16((1 << bits) - 1), using: &random) }
          let sampleSize = bits > 8 ? 2 : 1
          let stride = width * sampleSize + 2 * Int.random(in: 0...30, using: &random) + (bits == 8 ? 1 : 0)
          var bytes = [UInt8](repeating: 0xAB, count: stride * height)
          for y in 0..<height {
            for x in 0..<width {
              let value = samples[y * width + x], at = y * stride + x * sampleSize
              bytes[at] = UInt8(truncatingIfNeeded: value)
              if bits > 8 { bytes[at + 1] = UInt8(value >> 8) }
            }
          }
          var signer = FrameSigner()
          let made = bytes.withUnsafeBytes { bytes in
            signer.signature(
              of: LumaPlane(bytes: bytes, stride: stride, width: width, height: height, bitDepth: bits, range: range))
          }
          let signature = try #require(made)
          let plain = plainSignature(samples, width: width, height: height, bits: bits, range: range)
          let worst = zip(signature.luma, plain).map { abs(Double($0) - min(255, $1)) }.max() ?? 0
          #expect(worst < 0.52, "\(width)×\(height) of \(bits) bits: \(worst)")
        }
      }
    }
  }

  /// A frame that is stored turned has the signature of the upright one.
  @Test(arguments: (0..<8).map { Orientation(quarterTurns: $0, isMirrored: $0 >= 4) })
  func framesAreSignedAsDisplayed(orientation: Orientation) throws {
    var random = SeededGenerator(seed: 12)
    for (width, height) in [(320, 180), (317, 239), (101, 333)] {
      let displayed = PixelSize(width: width, height: height)
      let stored = orientation.swapsSides ? PixelSize(width: displayed.height, height: displayed.width) : displayed
      let samples = (0..<displayed.area).map { _ in UInt8.random(in: 16...235, using: &random) }
      var turned = [UInt8](repeating: 0, count: stored.area)
      for y in 0..<displayed.height {
        for x in 0..<displayed.width {
          let place = orientation.sourcePixel(x: x, y: y, displayed: displayed)
          turned[place.y * stored.width + place.x] = samples[y * displayed.width + x]
        }
      }
      func signature(_ samples: [UInt8], _ size: PixelSize, _ orientation: Orientation) throws -> FrameSignature {
        var signer = FrameSigner(orientation: orientation)
        let made = samples.withUnsafeBytes { bytes in
          signer.signature(of: LumaPlane(bytes: bytes, stride: size.width, width: size.width, height: size.height))
        }
        return try #require(made)
      }
      let upright = try signature(samples, displayed, .upright), own = try signature(turned, stored, orientation)
      let worst = zip(upright.luma, own.luma).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(worst <= 1, "\(displayed): \(worst)")
    }
  }

  @Test func rowsMayRunUpwards() throws {
    let width = 80, height = 50
    let samples = (0..<width * height).map { UInt8($0 / width * 5) }
    var signer = FrameSigner()
    func signature(stride: Int) throws -> FrameSignature {
      let made = samples.withUnsafeBytes { bytes in
        signer.signature(of: LumaPlane(bytes: bytes, stride: stride, width: width, height: height))
      }
      return try #require(made)
    }
    let up = try signature(stride: -width).luma, down = try signature(stride: width).luma
    for y in 0..<36 {
      #expect(Array(up[y * 64..<(y + 1) * 64]) == Array(down[(35 - y) * 64..<(36 - y) * 64]))
    }
  }

  @Test func planesOutsideTheirMemoryAreRefused() {
    var signer = FrameSigner()
    let bytes = [UInt8](repeating: 0, count: 1000)
    bytes.withUnsafeBytes { bytes in
      for plane in [
        LumaPlane(bytes: bytes, stride: 100, width: 100, height: 11),
        LumaPlane(bytes: bytes, stride: 50, width: 100, height: 2),
        LumaPlane(bytes: bytes, stride: .max, width: 10, height: 3),
        LumaPlane(bytes: bytes, stride: .min, width: 10, height: 3),
        LumaPlane(bytes: bytes, stride: 10, width: 0, height: 3),
        LumaPlane(bytes: bytes, stride: 10, width: 10, height: 3, bitDepth: 17),
        LumaPlane(bytes: bytes, stride: 15, width: 7, height: 3, bitDepth: 10),
        LumaPlane(bytes: UnsafeRawBufferPointer(start: nil, count: 0), stride: 10, width: 10, height: 3),
      ] {
        #expect(signer.signature(of: plane) == nil)
      }
    }
  }

  private func sample(_ count: Int) -> SignatureSequence {
    SyntheticClip(seed: 3).sequence(Array(0..<count))
  }

  @Test func sequencesAreReadAsTheyWereWritten() throws {
    for count in [0, 1, 7] {
      var sequence = sample(count)
      #expect(try SignatureSequence(decoding: sequence.encoded()) == sequence)
      sequence.coarsen()
      #expect(try SignatureSequence(decoding: sequence.encoded()) == sequence)
      // A slice that does not begin at 0.
      #expect(try SignatureSequence(decoding: ([1, 2, 3] + sequence.encoded())[3...]) == sequence)
    }
  }

  @Test func damagedBytesAreRefused() {
    let bytes = sample(3).encoded()
    for count in 0..<bytes.count where count % 97 == 0 || count < 60 {
      #expect(throws: SignatureSequence.DecodingFailure.self) { try SignatureSequence(decoding: bytes[..<count]) }
    }
    #expect(throws: SignatureSequence.DecodingFailure.damaged) { try SignatureSequence(decoding: bytes + [0]) }
    for (index, value) in [(0, 0), (4, 9), (5, 7), (6, 1), (11, 255), (19, 255), (27, 255)] as [(Int, UInt8)] {
      var changed = bytes
      changed[index] = value
      if index == 19 || index == 27 { changed[index - 1] = 255 }
      #expect(throws: SignatureSequence.DecodingFailure.self) { try SignatureSequence(decoding: changed) }
    }
  }

  @Test func coarseSignaturesAreMeansOfFine() {
    let fine = sample(2)
    var coarse = fine
    coarse.coarsen()
    #expect(coarse.count == 2 && coarse.luma.count == 2 * 576)
    for (x, y) in [(0, 0), (31, 17), (5, 9)] {
      let at = 2304 + 2 * y * 64 + 2 * x
      let mean = [0, 1, 64, 65].reduce(0.0) { $0 + Double(fine.luma[at + $1]) } / 4
      #expect(abs(Double(coarse.luma[576 + y * 32 + x]) - mean) <= 0.5)
    }
  }

  @Test func theUsualFrameRateIgnoresGaps() {
    var sequence = SignatureSequence(frameRate: 20)
    let signature = FrameSignature(luma: [UInt8](repeating: 0, count: 2304))
    for i in 0..<100 where i % 7 != 3 { sequence.append(signature, time: Int64(i) * 40_000_000) }
    #expect(abs(sequence.usualFrameRate - 25) < 0.01)
    #expect(SignatureSequence(frameRate: 30).usualFrameRate == 30)
  }
}
