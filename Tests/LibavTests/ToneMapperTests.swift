import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// HDR on an SDR display: the formulas, and what must hold for any frame.
@Suite(.timeLimit(.minutes(20))) struct ToneMapperTests {
  // ITU-R BT.2100 in doubles.
  private func pqToLight(_ e: Double) -> Double {
    let m1 = 0.1593017578125
    let m2 = 78.84375
    let c1 = 0.8359375
    let c2 = 18.8515625
    let c3 = 18.6875
    let p = pow(e, 1 / m2)
    return 10_000 * pow(max(p - c1, 0) / (c2 - c3 * p), 1 / m1)
  }

  private func hlgToScene(_ e: Double) -> Double {
    let a = 0.17883277
    let b = 1 - 4 * 0.17883277
    let c = 0.5 - 0.17883277 * log(4 * 0.17883277)
    return e <= 0.5 ? e * e / 3 : (exp((e - c) / a) + b) / 12
  }

  @Test func theCurvesAreThoseOfTheStandards() {
    for i in 0...1000 {
      let e = Double(i) / 1000
      let pq = pqToLight(e)
      let hlg = hlgToScene(e)
      #expect(abs(Double(ToneMapper.lightPQ(Float(e))) - pq) <= 0.002 * pq + 1e-4)
      #expect(abs(Double(ToneMapper.sceneHLG(Float(e))) - hlg) <= 1e-4 * hlg + 1e-6)
      #expect(abs(Double(ToneMapper.signalPQ(ToneMapper.lightPQ(Float(e)))) - e) < 1e-3)
    }
    #expect(abs(ToneMapper.lightPQ(1) - 10_000) < 5 && ToneMapper.lightPQ(0) == 0)
    #expect(abs(ToneMapper.signalPQ(100) - 0.5081) < 1e-3 && abs(ToneMapper.signalPQ(203) - 0.5807) < 1e-3)
    #expect(abs(ToneMapper.sceneHLG(1) - 1) < 1e-4 && abs(ToneMapper.sceneHLG(0.5) - 1.0 / 12) < 1e-6)
  }

  @Test(arguments: [300, 600, 1000, 4000, 10_000] as [Float]) func theRollOff(peak: Float) {
    var last: Float = -1
    for i in 0...2000 {
      let root = Float(i) / 2000
      let light = root * root * peak
      let out = ToneMapper.rollOff(light, peak: peak)
      #expect(out >= 0 && out <= ToneMapper.white + 0.01 && out <= light * 1.001 + 1e-3)
      #expect(out >= last - 0.02, "not monotone at \(light)")
      last = out
    }
    #expect(ToneMapper.rollOff(0, peak: peak) == 0)
    #expect(ToneMapper.rollOff(peak, peak: peak) > ToneMapper.white * 0.98)
    // The dark part stays what it is.
    #expect(abs(ToneMapper.rollOff(5, peak: peak) - 5) < 0.01)
  }

  private func map(_ pixels: [[Double]], _ settings: ToneMapper.Settings) -> [[Int]] {
    var row = pixels.flatMap { $0.map { UInt16(($0 * 65535).rounded()) } }
    let mapper = ToneMapper(settings)
    row.withUnsafeMutableBufferPointer {
      if let base = $0.baseAddress { mapper.map(base, count: pixels.count) }
    }
    return pixels.indices.map { i in (0..<3).map { Int(row[3 * i + $0] >> 8) } }
  }

  private static let settings: [ToneMapper.Settings] = [HDRTransfer.pq, .hlg].flatMap { transfer in
    [false, true].flatMap { wide in
      (transfer == .hlg ? [1000] : [300, 1000, 4000, 10_000]).map {
        ToneMapper.Settings(transfer: transfer, isWideGamut: wide, peak: $0)
      }
    }
  }

  @Test(arguments: settings.indices) func greysStayGreysAndInOrder(index: Int) {
    let settings = Self.settings[index]
    let out = map((0...1023).map { Array(repeating: Double($0) / 1023, count: 3) }, settings)
    #expect(out[0] == [0, 0, 0])
    #expect(out[1023].allSatisfy { $0 >= 250 })
    for i in out.indices {
      #expect(abs(out[i][0] - out[i][1]) <= 1 && abs(out[i][1] - out[i][2]) <= 1)
      // But for one step of the tables.
      if i > 0 { #expect(out[i][1] >= out[i - 1][1] - 1) }
    }
  }

  @Test func diffuseWhiteIsNearTheTop() {
    // 203 cd/m² is 58 % of PQ and 75 % of HLG.
    for (transfer, signal) in [(HDRTransfer.pq, 0.5807), (.hlg, 0.75)] {
      let out = map([[signal, signal, signal]], .init(transfer: transfer, isWideGamut: true, peak: 1000))
      #expect(out[0][1] > 200 && out[0][1] < 250, "\(out)")
    }
    // 18 % grey, 26 cd/m², is a middle grey.
    let signal = Double(ToneMapper.signalPQ(26))
    let grey = map([[signal, signal, signal]], .init(transfer: .pq, isWideGamut: true, peak: 1000))[0][1]
    #expect(grey > 90 && grey < 130, "\(grey)")
  }

  /// Patches of a grey card with a slight tint, as a camera records them in HLG: each a tone of its own, and grey.
  @Test func greysOfACameraStayApartAndGrey() {
    let patches = [[0.928, 0.925, 0.904], [0.894, 0.891, 0.874], [0.818, 0.815, 0.798], [0.664, 0.663, 0.647]]
    let out = map(patches, .init(transfer: .hlg, isWideGamut: true, peak: 1000))
    for (brighter, darker) in zip(out, out.dropFirst()) { #expect(brighter[1] - darker[1] >= 6, "\(out)") }
    for patch in out { #expect(patch[0] < 250 && patch[0] - patch[2] <= 7, "\(out)") }
  }

  @Test func compressedHighlights() {
    let lights = (0...1000).map(Float.init), shown = lights.map(ToneMapper.compress)
    #expect(shown[0] == 0 && shown[40] == 40 && abs(shown[1000] - ToneMapper.white) < 0.1)
    for (former, next) in zip(shown, shown.dropFirst()) { #expect(next > former && next - former <= 1.001) }
    #expect(ToneMapper.compress(3000) == ToneMapper.white)
  }

  @Test(arguments: settings.indices) func channelsKeepTheirOrder(index: Int) {
    let settings = Self.settings[index]
    var random = SeededGenerator(seed: 1)
    let colours = (0..<4000).map { _ in (0..<3).map { _ in Double.random(in: 0...1, using: &random) } }
    let out = map(colours, settings)
    for (before, after) in zip(colours, out) {
      let order = before.indices.sorted { before[$0] > before[$1] }
      let (most, middle, least) = (order[0], order[1], order[2])
      if settings.isWideGamut {
        // What the smaller gamut cannot show is cut; the strongest stays the strongest.
        guard before[most] - before[middle] > 0.25 else { continue }
        #expect(after[most] >= max(after[middle], after[least]) - 1, "\(before) became \(after)")
      } else {
        #expect(
          after[most] >= after[middle] - 1 && after[middle] >= after[least] - 1, "\(before) became \(after)")
      }
    }
  }

  @Test func saturatedColoursStayThemselves() {
    for settings in Self.settings {
      for level in [0.3, 0.5, 0.7, 0.9, 1] {
        let out = map([[level, 0, 0], [0, level, 0], [0, 0, level]], settings)
        for channel in 0..<3 {
          let others = [0, 1, 2].filter { $0 != channel }
          #expect(
            others.allSatisfy { out[channel][$0] <= out[channel][channel] / 2 },
            "\(settings) \(level): \(out)")
        }
      }
    }
  }

  @Test(arguments: ["smpte2084", "arib-std-b67"]) func throughTheScaler(transfer: String) throws {
    // A ramp from black to the peak in ten bits of limited range.
    let clip = try SampleMedia.clip(
      name: "ramp.mkv",
      arguments: [
        "-f", "lavfi", "-i",
        "color=black:s=256x32:d=0.04:r=25,format=yuv444p10le,geq=lum='64+876*X/255':cb=512:cr=512",
        "-frames:v", "1", "-c:v", "ffv1", "-color_trc", transfer, "-color_primaries", "bt2020", "-colorspace",
        "bt2020nc",
        "-color_range", "tv",
      ])
    let reader = try ClipReader(clip)
    let image = try reader.image(0, ScaleRequest(size: PixelSize(width: 256, height: 32)))
    #expect(image[0, 5] == (0, 0, 0) && image[255, 5].green >= 248)
    for x in 1..<256 {
      let (r, g, b) = image[x, 9]
      #expect(
        Int(g) >= Int(image[x - 1, 9].green) - 1 && abs(Int(r) - Int(g)) <= 3 && abs(Int(b) - Int(g)) <= 3)
    }
  }

  @Test(arguments: [SampleClip.hdrPQ, .hdrHLG]) func numbersCanStillBeRead(clip: SampleClip) throws {
    let image = try ClipReader(try clip.path()).image(
      7, ScaleRequest(size: PixelSize(width: 160, height: 90)))
    #expect(FrameNumber.read(image) == 7)
  }
}
