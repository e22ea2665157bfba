import Foundation
import TestSupport
import Testing

@testable import Metrics

/// Figures against those that the installed ffmpeg prints for the same frames, digit by digit.
@Suite(.timeLimit(.minutes(20))) struct FFmpegAgreementTests {
  /// Two clips in files, as raw frames.
  private final class RawPair {
    let folder: TemporaryFolder
    let frames: [(reference: OwnedFrame, candidate: OwnedFrame)]
    let input: [String]

    init(_ form: MetricForm, format: String, rate: Int, count: Int) throws {
      folder = try TemporaryFolder()
      frames = (0..<count).map {
        (OwnedFrame(picture: $0, form, padding: 5), OwnedFrame(picture: $0, form, strength: 3 + $0, padding: 11))
      }
      for (name, bytes) in [
        ("reference", frames.map(\.reference.rawBytes)), ("candidate", frames.map(\.candidate.rawBytes)),
      ] {
        try Data(bytes.joined()).write(to: URL(fileURLWithPath: folder.path(name)))
      }
      input = ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(form.luma.width)x\(form.luma.height)", "-r", "\(rate)", "-i"]
    }

    /// The lines that a filter writes about frames. Processors' vectors are not used: they round differently in version 5.1.
    func lines(_ filter: String, first: String, second: String) throws -> [[String]] {
      let log = folder.path(filter)
      try MediaTool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-cpuflags", "0"] + input + [folder.path(first)] + input + [folder.path(second)]
          + ["-lavfi", "\(filter)=stats_file=\(log)", "-f", "null", "-"])
      return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("n:") }.map {
        $0.replacing(": ", with: ":").split(separator: " ").map(String.init)
      }
    }
  }

  private static let hasXPSNR: Bool = {
    let list = (try? MediaTool.run("ffmpeg", ["-v", "error", "-filters"])).map { String(decoding: $0, as: UTF8.self) }
    return list?.contains(" xpsnr ") ?? false
  }()

  /// Formats, sizes and frame rates. Widths whose quarter is 2 modulo 4 are those that version 5.1 gets wrong in vector code.
  private static let cases: [(format: String, width: Int, height: Int, rate: Int)] = [
    ("yuv420p", 352, 288, 25), ("yuv420p", 361, 203, 50), ("yuv422p", 104, 90, 25), ("yuv444p", 131, 77, 50),
    ("gray", 200, 120, 25), ("yuv420p10le", 352, 288, 50), ("yuv420p10le", 361, 203, 25), ("yuv422p10le", 161, 91, 25),
    ("yuv444p12le", 131, 77, 25), ("yuv420p12le", 360, 100, 50), ("gray10le", 99, 101, 25), ("yuv420p", 40, 30, 25),
    ("yuv420p", 720, 404, 25),
  ]

  @Test(arguments: cases) func psnrAndSSIM(format: String, width: Int, height: Int, rate: Int) throws {
    let form = try MetricForm(format, width: width, height: height)
    let pair = try RawPair(form, format: format, rate: rate, count: 2)
    let psnr = try pair.lines("psnr", first: "candidate", second: "reference")
    let ssim = try pair.lines("ssim", first: "candidate", second: "reference")
    #expect(psnr.count == 2 && ssim.count == 2)
    let meter = FidelityMeter(form: form)
    for (i, frames) in pair.frames.enumerated() {
      let measured = try meter.measure(reference: frames.reference.frame, candidate: frames.candidate.frame)
      let names = form.planes.count == 1 ? ["y"] : ["y", "u", "v"]
      var fields = ["n:\(i + 1)", format2("mse_avg", measured.psnr.meanSquaredError)]
      fields += names.indices.map { format2("mse_\(names[$0])", measured.psnr.meanSquaredError(ofPlane: $0)) }
      fields.append(format2("psnr_avg", measured.psnr.decibels))
      fields += names.indices.map { format2("psnr_\(names[$0])", measured.psnr.decibels(ofPlane: $0)) }
      #expect(psnr[i] == fields)
      let planes = names.indices.map { names[$0].uppercased() + String(format: ":%.6f", measured.ssim.planes[$0]) }
      #expect(Array(ssim[i].dropFirst().prefix(names.count)) == planes)
      // Versions before 9 weigh planes in 32 bits.
      let all = try #require(Double(ssim[i][names.count + 1].dropFirst(4)))
      #expect(abs(all - measured.ssim.all) < 1.6e-6)
    }
  }

  @Test(.enabled(if: hasXPSNR, "the installed ffmpeg has no xpsnr filter"), arguments: cases + [("yuv420p", 2560, 1440, 25)])
  func xpsnr(format: String, width: Int, height: Int, rate: Int) throws {
    let form = try MetricForm(format, width: width, height: height)
    let pair = try RawPair(form, format: format, rate: rate, count: 4)
    let lines = try pair.lines("xpsnr", first: "reference", second: "candidate")
    let meter = XPSNRMeter(form: form, framesPerSecond: Double(rate))
    for (i, frames) in pair.frames.enumerated() {
      let measured = try meter.measure(reference: frames.reference.frame, candidate: frames.candidate.frame)
      let numbers = lines[i].filter { $0.contains(":") && !$0.hasPrefix("n:") }
      let expected = form.planes.indices.map {
        ["y", "u", "v"][$0] + String(format: ":%.4f", measured.decibels(ofPlane: $0))
      }
      #expect(numbers == expected)
    }
  }

  private func format2(_ name: String, _ value: Double) -> String { name + String(format: ":%.2f", value) }
}
