import Foundation
import Testing

@testable import Metrics

/// Figures against those that FFmpeg 9.0.2 and its libvmaf print for the same frames.
///
/// With `QUADRILLE_RAW_FRAMES` naming a folder, the frames are written there instead, as raw video to be measured again.
@Suite(.timeLimit(.minutes(20))) struct RecordedFigureTests {
  struct Clip: Sendable, CustomTestStringConvertible {
    let format: String
    let width, height, rate: Int
    /// The XPSNR of the planes of four frames, printed with four decimals.
    let xpsnr: [[String]]
    /// The MS-SSIM of the frames, printed with six decimals; none for frames that are too small.
    var multiScale: [Double] = []

    var testDescription: String { "\(format) \(width)x\(height) \(rate)" }
  }

  static let clips: [Clip] = [
    Clip(
      format: "yuv420p", width: 352, height: 288, rate: 25,
      xpsnr: [
        ["43.2375", "43.1791", "43.2146"],
        ["32.7166", "32.5127", "32.6044"],
        ["30.8978", "30.7213", "30.7570"],
        ["29.4449", "29.3548", "29.2513"],
      ], multiScale: [0.994396, 0.990554, 0.985887, 0.980399]),
    Clip(
      format: "yuv420p10le", width: 361, height: 203, rate: 50,
      xpsnr: [
        ["42.8368", "42.7988", "42.8408"],
        ["40.4115", "40.3789", "40.4089"],
        ["28.2283", "28.4668", "28.4385"],
        ["26.6652", "27.0105", "26.8841"],
      ], multiScale: [0.994501, 0.990753, 0.986248, 0.980887]),
    Clip(
      format: "yuv444p12le", width: 400, height: 300, rate: 25,
      xpsnr: [
        ["43.6100", "43.6266", "43.6207"],
        ["33.3987", "33.3692", "33.4349"],
        ["31.5414", "31.5529", "31.5494"],
        ["30.1110", "30.1199", "30.0820"],
      ], multiScale: [0.994911, 0.991420, 0.987187, 0.982180]),
    Clip(
      format: "yuv422p", width: 1280, height: 720, rate: 50,
      xpsnr: [
        ["45.8539", "45.8601", "45.8520"],
        ["43.5149", "43.5220", "43.5091"],
        ["36.5164", "36.5024", "36.5209"],
        ["35.0204", "35.0071", "34.9943"],
      ], multiScale: [0.994756, 0.991166, 0.986755, 0.981617]),
    Clip(
      format: "yuv420p", width: 2560, height: 1440, rate: 25,
      xpsnr: [
        ["47.3560", "47.3712", "47.3582"],
        ["40.2236", "40.2652", "40.2634"],
        ["38.3865", "38.4368", "38.4382"],
        ["36.8853", "36.9399", "36.9313"],
      ]),
    Clip(
      format: "yuv420p10le", width: 2620, height: 1440, rate: 50,
      xpsnr: [
        ["47.4336", "47.4422", "47.4293"],
        ["45.1051", "45.1014", "45.0989"],
        ["38.7672", "38.7715", "38.7725"],
        ["37.2699", "37.2766", "37.2681"],
      ]),
    Clip(
      format: "yuv444p", width: 38, height: 40, rate: 25,
      xpsnr: [
        ["40.2537", "40.3977", "40.2630"],
        ["37.8734", "37.8899", "38.1828"],
        ["36.2515", "36.1769", "36.2889"],
        ["34.7278", "34.9418", "34.7268"],
      ]),
  ]

  @Test(arguments: clips) func figures(clip: Clip) throws {
    let form = try MetricForm(clip.format, width: clip.width, height: clip.height)
    let frames = (0..<4).map {
      (OwnedFrame(picture: $0, form, padding: 5), OwnedFrame(picture: $0, form, strength: 3 + $0, padding: 11))
    }
    if let folder = ProcessInfo.processInfo.environment["QUADRILLE_RAW_FRAMES"] {
      let name = "\(folder)/\(clip.format)-\(clip.width)x\(clip.height)-\(clip.rate)"
      try Data(frames.map(\.0.rawBytes).joined()).write(to: URL(fileURLWithPath: name + ".reference"))
      try Data(frames.map(\.1.rawBytes).joined()).write(to: URL(fileURLWithPath: name + ".candidate"))
      Issue.record("frames were written, not measured")
      return
    }
    let meter = XPSNRMeter(form: form, framesPerSecond: Double(clip.rate))
    for (pair, expected) in zip(frames, clip.xpsnr) {
      let measured = try meter.measure(reference: pair.0.frame, candidate: pair.1.frame)
      #expect(form.planes.indices.map { String(format: "%.4f", measured.decibels(ofPlane: $0)) } == expected)
    }
    guard !clip.multiScale.isEmpty else { return }
    let scales = try MultiScaleSSIMMeter(form: form)
    for (pair, expected) in zip(frames, clip.multiScale) {
      #expect(abs(try scales.measure(reference: pair.0.frame, candidate: pair.1.frame) - expected) < 2e-6)
    }
  }
}
