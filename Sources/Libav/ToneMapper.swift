import CFFmpeg
import Glibc

/// The two transfer functions that SDR displays cannot show unchanged.
enum HDRTransfer: Hashable {
  /// SMPTE ST 2084.
  case pq
  /// ARIB STD-B67, hybrid log-gamma.
  case hlg

  init?(_ transfer: AVColorTransferCharacteristic) {
    switch transfer {
    case AVCOL_TRC_SMPTE2084: self = .pq
    case AVCOL_TRC_ARIB_STD_B67: self = .hlg
    default: return nil
    }
  }
}

/// Tone-maps PQ or HLG pixels to BT.709 for an SDR display.
///
/// Diffuse white is at 203 cd/m² (ITU-R BT.2408). The result is encoded for a display of gamma 2.4 (ITU-R BT.1886).
///
/// PQ is rolled off with the curve of ITU-R BT.2390 (annex 5, "EETF") on the largest component, which preserves hues.
///
/// HLG is shown as on a display of 1000 cd/m² (ITU-R BT.2100), and each component is then compressed by a logarithm, as HLG
/// itself compresses highlights. Cameras use all of its range for a scene, and with the other curve most of that above diffuse
/// white would be one tone; on the largest component, its slightest tint would become a colour.
struct ToneMapper {
  struct Settings: Hashable {
    var transfer: HDRTransfer
    /// True if the primaries are those of BT.2020 and must be converted.
    var isWideGamut: Bool
    /// The peak luminance of the content, in cd/m².
    var peak: Float

    init(transfer: HDRTransfer, isWideGamut: Bool, peak: Float) {
      self.transfer = transfer
      self.isWideGamut = isWideGamut
      self.peak = peak
    }

    init(frame: UnsafeMutablePointer<AVFrame>, transfer: HDRTransfer) {
      let primaries = frame.pointee.color_primaries
      self.init(
        transfer: transfer, isWideGamut: primaries != AVCOL_PRI_BT709,
        peak: transfer == .hlg ? ToneMapper.peakHLG : Self.masteringPeak(frame))
    }

    private static func masteringPeak(_ frame: UnsafeMutablePointer<AVFrame>) -> Float {
      var peak: Double = 1000
      if let side = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) {
        side.pointee.data.withMemoryRebound(to: AVMasteringDisplayMetadata.self, capacity: 1) {
          let luminance = $0.pointee.max_luminance
          if $0.pointee.has_luminance != 0, luminance.den != 0, luminance.num > 0 {
            peak = Double(luminance.num) / Double(luminance.den)
          }
        }
      }
      if let side = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) {
        side.pointee.data.withMemoryRebound(to: AVContentLightMetadata.self, capacity: 1) {
          if $0.pointee.MaxCLL > 0 { peak = min(peak, Double($0.pointee.MaxCLL)) }
        }
      }
      return Float(min(10_000, max(300, peak)))
    }
  }

  /// The luminance of diffuse white, which becomes the display's white.
  static let white: Float = 203

  let settings: Settings
  /// Component → linear light in cd/m² (PQ) or scene light 0…1 (HLG), one entry per 12-bit step.
  private let linear: [Float]
  /// √(light / peak) → gain; the root gives the dark end its share of steps.
  private let gain: [Float]
  /// √(light / the brightest) → 8-bit display value.
  private let encode: [UInt8]

  private static let steps = 4096

  init(_ settings: Settings) {
    self.settings = settings
    let steps = Self.steps
    linear = (0..<steps).map { i in
      let e = Float(i) / Float(steps - 1)
      return settings.transfer == .pq ? Self.lightPQ(e) : Self.sceneHLG(e)
    }
    let peak = settings.peak
    gain = (0..<steps).map { i in
      let root = max(Float(i), 0.5) / Float(steps - 1)
      let light = root * root * peak
      return Self.rollOff(light, peak: peak) / light
    }
    encode = (0..<steps).map { i in
      let root = Float(i) / Float(steps - 1)
      let share = settings.transfer == .pq ? root * root : Self.compress(root * root * Self.peakHLG) / Self.white
      return UInt8((pow(min(1, share), 1 / 2.4) * 255).rounded())
    }
  }

  /// Maps a row of 16-bit RGB triples in place; the 8-bit result is in each high byte.
  func map(_ row: UnsafeMutablePointer<UInt16>, count: Int) {
    let top = Float(Self.steps - 1)
    linear.withUnsafeBufferPointer { linear in
      gain.withUnsafeBufferPointer { gain in
        encode.withUnsafeBufferPointer { encode in
          for i in 0..<count {
            let p = row + 3 * i
            var r = linear[Int(p[0]) >> 4], g = linear[Int(p[1]) >> 4], b = linear[Int(p[2]) >> 4]
            let factor: Float
            switch settings.transfer {
            case .hlg:
              // OOTF of BT.2100, as a share of the peak: system gamma 1.2.
              factor = pow(max(0.2627 * r + 0.6780 * g + 0.0593 * b, 1e-6), 0.2)
            case .pq:
              let light = max(r, max(g, b))
              let root = (min(light, settings.peak) / settings.peak).squareRoot()
              factor = gain[Int(root * top)] / Self.white * min(1, settings.peak / max(light, 1))
            }
            (r, g, b) = (r * factor, g * factor, b * factor)
            if settings.isWideGamut { (r, g, b) = Self.toBT709(r, g, b) }
            func code(_ v: Float) -> UInt16 {
              UInt16(encode[Int(min(max(v, 0), 1).squareRoot() * top + 0.5)]) << 8
            }
            (p[0], p[1], p[2]) = (code(r), code(g), code(b))
          }
        }
      }
    }
  }

  /// ITU-R BT.2087, linear light.
  private static func toBT709(_ r: Float, _ g: Float, _ b: Float) -> (Float, Float, Float) {
    (
      1.6605 * r - 0.5876 * g - 0.0728 * b,
      -0.1246 * r + 1.1329 * g - 0.0083 * b,
      -0.0182 * r - 0.1006 * g + 1.1187 * b
    )
  }

  /// The constants of PQ (SMPTE ST 2084).
  private enum PQ {
    static let m1: Float = 2610 / 16384, m2: Float = 2523 / 4096 * 128
    static let c1: Float = 3424 / 4096, c2: Float = 2413 / 4096 * 32, c3: Float = 2392 / 4096 * 32
  }

  /// PQ's EOTF: signal 0…1 to cd/m².
  static func lightPQ(_ e: Float) -> Float {
    let p = pow(e, 1 / PQ.m2)
    return 10_000 * pow(max(p - PQ.c1, 0) / (PQ.c2 - PQ.c3 * p), 1 / PQ.m1)
  }

  /// The inverse of PQ's EOTF.
  static func signalPQ(_ light: Float) -> Float {
    let y = pow(max(light, 0) / 10_000, PQ.m1)
    return pow((PQ.c1 + PQ.c2 * y) / (1 + PQ.c3 * y), PQ.m2)
  }

  /// HLG's inverse OETF: signal to scene light 0…1.
  static func sceneHLG(_ e: Float) -> Float {
    let a: Float = 0.17883277, b: Float = 0.28466892, c: Float = 0.55991073
    return e <= 0.5 ? e * e / 3 : (exp((e - c) / a) + b) / 12
  }

  /// The luminance of an HLG display for the signal 1, in cd/m².
  fileprivate static let peakHLG: Float = 1000

  /// The luminance from which HLG is compressed: where a logarithm that continues the line smoothly reaches white at the peak.
  private static let kneeHLG: Float = white * (0..<50).reduce(Float(0.5)) { share, _ in 1 / (1 + log(peakHLG / white / share)) }

  /// Compresses the highlights of an HLG display to a display whose peak is diffuse white.
  static func compress(_ light: Float) -> Float {
    light <= kneeHLG ? light : min(white, kneeHLG * (1 + log(light / kneeHLG)))
  }

  /// BT.2390's curve from content of `peak` to a display whose peak is diffuse white; black to black.
  static func rollOff(_ light: Float, peak: Float) -> Float {
    let sourcePeak = signalPQ(peak)
    let e1 = signalPQ(light) / sourcePeak
    let maxLum = signalPQ(white) / sourcePeak
    if maxLum >= 1 { return min(light, white) }
    let knee = 1.5 * maxLum - 0.5
    guard e1 > knee else { return light }
    let t = (e1 - knee) / (1 - knee)
    let t2 = t * t, t3 = t2 * t
    let e2 = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * maxLum
    return min(white, lightPQ(e2 * sourcePeak))
  }
}
