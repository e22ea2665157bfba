import CFFmpeg
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// Differences of random frames against plain loops.
@Suite(.timeLimit(.minutes(20))) struct FrameDifferencerRandomTests {
  /// The samples of an output pixel, where the whole frame is shown.
  private func block(_ i: Int, of parts: Int, _ samples: Int) -> Range<Int> {
    if samples > parts { return i * samples / parts..<(i + 1) * samples / parts }
    let nearest = (2 * i + 1) * samples / (2 * parts)
    return nearest..<nearest + 1
  }

  /// The differences of a component in a block, at 0…255.
  private func reduced(
    _ a: [[Int]], _ b: [[Int]], isChroma: Bool, _ descriptor: AVPixFmtDescriptor, _ columns: Range<Int>, _ rows: Range<Int>,
    _ request: DifferenceRequest
  ) -> Double {
    let across = isChroma ? Int(descriptor.log2_chroma_w) : 0, down = isChroma ? Int(descriptor.log2_chroma_h) : 0
    var sum = 0, count = 0, above = 0, below = 0
    for y in rows.lowerBound >> down...(rows.upperBound - 1) >> down {
      for x in columns.lowerBound >> across...(columns.upperBound - 1) >> across {
        let difference = a[y][x] - b[y][x]
        sum += request.style == .signed ? difference : abs(difference)
        count += 1
        (above, below) = (max(above, difference), max(below, -difference))
      }
    }
    let unit = pow(2, Double(8 - descriptor.comp.0.depth - descriptor.comp.0.shift))
    if request.reduction == .mean { return Double(sum) / Double(count) * unit }
    return Double(request.style == .signed ? (above >= below ? above : -below) : max(above, below)) * unit
  }

  @Test(arguments: [
    "gray", "gray10le", "yuv420p", "yuv422p", "yuv444p", "yuv410p", "yuv411p", "yuv440p", "yuv420p10le", "yuv444p12le",
    "yuv420p16le", "nv12", "p010le", "yuyv422", "yuva420p", "ya8", "rgb24", "bgra", "gbrp10le", "rgb48le",
  ])
  func againstLoops(format: String) throws {
    var dice = SeededGenerator(seed: UInt64(format.utf8.reduce(3) { $0 * 31 + Int($1) }))
    let descriptor = try #require(av_pix_fmt_desc_get(av_get_pix_fmt(format))).pointee
    let differencer = FrameDifferencer()
    for round in 0..<16 {
      func side(_ most: Int) -> Int { Int.random(in: 0..<4, using: &dice) == 0 ? 1 : Int.random(in: 1...most, using: &dice) }
      let size = PixelSize(width: side(150), height: side(40))
      let (a, b) = try (RandomFrame.make(format, size, &dice), RandomFrame.make(format, size, &dice))
      a.pointer.pointee.interlaced_frame = Int32(round % 2)
      var request = DifferenceRequest(size: round % 5 == 0 ? size : PixelSize(width: side(180), height: side(50)))
      request.style = Bool.random(using: &dice) ? .absolute : .signed
      request.gain = [1, 2, 3, 16].randomElement(using: &dice) ?? 1
      request.reduction = Bool.random(using: &dice) ? .maximum : .mean
      let isRGB = format.contains("rgb") || format.contains("bgr") || format.hasPrefix("gbr")
      request.planes = isRGB || Bool.random(using: &dice) ? .all : .luma
      let result = try differencer.difference(
        of: FramePixels(sharing: a), from: FramePixels(sharing: b), request)
      #expect(result.conversions == [] && result.image.size == request.size)
      let isGrey = format.hasPrefix("gray") || format.hasPrefix("ya")
      let components = request.planes == .luma || isGrey ? 1 : 3
      let factor = request.style == .signed ? Double(request.gain) / 2 : Double(request.gain)
      let samples = try (0..<components).map { try (RandomFrame.samples(a, $0), RandomFrame.samples(b, $0)) }
      for _ in 0..<20 {
        let x = Int.random(in: 0..<request.size.width, using: &dice), y = Int.random(in: 0..<request.size.height, using: &dice)
        let (columns, rows) = (block(x, of: request.size.width, size.width), block(y, of: request.size.height, size.height))
        let values = samples.enumerated().map { i, pair in
          reduced(pair.0, pair.1, isChroma: i > 0 && !isRGB, descriptor, columns, rows, request)
        }
        let shown = isRGB ? values : [values.reduce(0) { abs($1) > abs($0) ? $1 : $0 }]
        let pixel = result.image[x, y]
        let found = [pixel.red, pixel.green, pixel.blue].prefix(shown.count)
        #expect(isRGB || pixel.red == pixel.green && pixel.green == pixel.blue)
        for (value, byte) in zip(shown, found) {
          let expected = min(255, max(0, (request.style == .signed ? 128 : 0) + value * factor))
          // Means of opposite signs may be equally far from 0.
          let isClear = request.style == .absolute || components == 1 || isRGB || request.reduction == .maximum
          #expect(
            abs(Double(byte) - expected) <= 0.501 || !isClear && abs(Double(byte) - (256 - expected)) <= 0.501,
            "\(format) round \(round) \(size) as \(request), at \(x), \(y): \(byte), not \(expected)")
        }
      }
    }
  }

  @Test func regions() throws {
    var dice = SeededGenerator(seed: 5)
    let size = PixelSize(width: 100, height: 60)
    let (a, b) = try (RandomFrame.make("yuv420p", size, &dice), RandomFrame.make("yuv420p", size, &dice))
    let (first, second) = try (RandomFrame.samples(a, 0), RandomFrame.samples(b, 0))
    for orientation in [Orientation.upright, Orientation(quarterTurns: 1), Orientation(quarterTurns: 3, isMirrored: true)] {
      let shown = orientation.swapsSides ? PixelSize(width: 60, height: 100) : size
      // Single pixels of the middle, each shown by many.
      var request = DifferenceRequest(size: PixelSize(width: 40, height: 40))
      request.region = FrameRegion(x: 0.25, y: 0.25, width: 4 / Double(shown.width), height: 4 / Double(shown.height))
      (request.orientation, request.referenceOrientation) = (orientation, orientation)
      let image = try FrameDifferencer().difference(of: FramePixels(sharing: a), from: FramePixels(sharing: b), request).image
      for y in stride(from: 0, to: 40, by: 3) {
        for x in stride(from: 0, to: 40, by: 3) {
          let place = orientation.sourcePixel(x: shown.width / 4 + x / 10, y: shown.height / 4 + y / 10, displayed: shown)
          #expect(Int(image[x, y].red) == abs(first[place.y][place.x] - second[place.y][place.x]))
        }
      }
    }
  }

  /// Frames that look the same as displayed, but are coded in different orientations.
  @Test(arguments: ["gray", "gray10le", "yuv444p", "rgb24", "rgb48le", "nv12", "yuv422p"])
  func orientations(format: String) throws {
    var dice = SeededGenerator(seed: 9)
    let all = (0..<4).flatMap { [Orientation(quarterTurns: $0), Orientation(quarterTurns: $0, isMirrored: true)] }
    let displayed = PixelSize(width: 8, height: 4)
    let differencer = FrameDifferencer()
    func coded(_ orientation: Orientation) -> PixelSize { orientation.swapsSides ? PixelSize(width: 4, height: 8) : displayed }
    for first in all {
      let a = try RandomFrame.make(format, coded(first), &dice)
      let planes = try SamplePlanes(a.pointer, #require(SampleLayout(AVPixelFormat(rawValue: a.pointer.pointee.format))))
      for second in all {
        let b = try RandomFrame.make(format, coded(second), &dice)
        let others = try SamplePlanes(b.pointer, planes.layout)
        let component = planes.layout.components[0]
        let bytes = (planes.layout.components.count == 3 && component.step == 3 ? 3 : 1) * (planes.layout.isWide ? 2 : 1)
        for y in 0..<4 {
          for x in 0..<8 {
            let from = first.sourcePixel(x: x, y: y, displayed: displayed)
            let to = second.sourcePixel(x: x, y: y, displayed: displayed)
            let source = try #require(planes.bytes[0]) + from.y * planes.strides[0] + from.x * bytes
            let target = try #require(others.bytes[0]) + to.y * others.strides[0] + to.x * bytes
            UnsafeMutablePointer(mutating: target).update(from: source, count: bytes)
          }
        }
        var request = DifferenceRequest(size: displayed)
        (request.orientation, request.referenceOrientation) = (first, second)
        func image() throws -> PixelImage {
          try differencer.difference(of: FramePixels(sharing: a), from: FramePixels(sharing: b), request).image
        }
        #expect(try image().withBytes { $0.allSatisfy { $0 == 0 } }, "\(first), \(second)")
        // One pixel differs.
        let place = second.sourcePixel(x: 6, y: 1, displayed: displayed)
        let pixel = try #require(others.bytes[0]) + place.y * others.strides[0] + place.x * bytes
        for i in 0..<bytes { UnsafeMutablePointer(mutating: pixel)[i] ^= i % 2 == 0 && bytes % 2 == 0 ? 0 : 2 }
        request.gain = 64
        let found = try image()
        #expect(found.withBytes { $0.filter { $0 != 0 }.count } == 3 && found[6, 1].red > 0)
      }
    }
  }

  /// Anything can be compared with anything, or an error says why not.
  @Test(arguments: [
    "yuv411p", "pal8", "monow", "monob", "yuva420p", "yuva444p10le", "gray10le", "gray16be", "yuv420p16be", "rgb565le", "rgb8",
    "rgb4_byte", "x2rgb10le", "xyz12le", "grayf32le", "gbrpf32le", "bayer_rggb8", "ya16be", "uyyvyy411", "y210le", "gbrap12be",
    "rgba64be", "yuvj440p", "nv24", "0rgb",
  ])
  func oddFormats(format: String) throws {
    var dice = SeededGenerator(seed: UInt64(format.utf8.reduce(5) { $0 * 31 + Int($1) }))
    let differencer = FrameDifferencer()
    for size in [PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 5), PixelSize(width: 64, height: 34)] {
      let odd = try FramePixels(sharing: RandomFrame.make(format, size, &dice))
      for other in [format, "yuv420p", "rgb24", "gray", "yuv444p12le", "rgb565le"] {
        for otherSize in [size, PixelSize(width: 2, height: 2), PixelSize(width: 17, height: 9)] {
          let plain = try FramePixels(sharing: RandomFrame.make(other, otherSize, &dice))
          for (a, b) in [(odd, plain), (plain, odd)] {
            var request = DifferenceRequest(size: PixelSize(width: 7, height: 3))
            request.style = DifferenceRequest.Style.allCases.randomElement(using: &dice) ?? .heat
            request.planes = Bool.random(using: &dice) ? .all : .luma
            request.referenceOrientation = Orientation(
              quarterTurns: Int.random(in: 0..<4, using: &dice), isMirrored: Bool.random(using: &dice))
            do {
              #expect(try differencer.difference(of: a, from: b, request).image.size == request.size)
            } catch {
              #expect(error is AVError)
            }
          }
        }
      }
      var request = DifferenceRequest(size: size)
      (request.planes, request.gain) = (.all, 64)
      if let same = try? differencer.difference(of: odd, from: odd, request) {
        #expect(same.conversions == [] && same.image.withBytes { $0.allSatisfy { $0 == 0 } })
      }
    }
  }

  @Test func pixelsOutliveTheDecoder() throws {
    let reader = try ClipReader(try SampleClip.h264BFrames.path())
    var kept: [(FramePixels, UInt64)] = []
    while kept.count < 20, try reader.next() { kept.append((try FramePixels(sharing: reader.frame), reader.frame.quickHash())) }
    while try reader.next() {}
    for (pixels, hash) in kept {
      #expect(pixels.byteCount >= pixels.size.area * 3 / 2)
      let again = try DecodedFrame()
      try AVError.check(pixels.withFrame { av_frame_ref(again.pointer, $0) }, "a reference")
      #expect(again.quickHash() == hash)
    }
    #expect(throws: AVError.self) { try FramePixels(sharing: DecodedFrame()) }
    #expect(throws: AVError.self) {
      try FrameDifferencer().difference(
        of: kept[0].0, from: kept[1].0, DifferenceRequest(size: PixelSize(width: 0, height: 4)))
    }
  }
}
