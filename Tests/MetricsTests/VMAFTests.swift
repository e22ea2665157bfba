import Foundation
import TestSupport
import Testing

@testable import Metrics

/// VMAF by programs that stand in for ffmpeg, and by what is installed.
@Suite(.timeLimit(.minutes(20))) struct VMAFTests {
  private let folder: TemporaryFolder
  private let form: MetricForm
  private let frame: OwnedFrame

  init() throws {
    folder = try TemporaryFolder()
    form = try MetricForm("yuv420p", width: 200, height: 180)
    frame = OwnedFrame(picture: 0, form)
  }

  /// A shell script; it leaves its process number in a file.
  private func program(_ text: String) throws -> String {
    let path = folder.path("program")
    try "#!/bin/sh\necho $$ > \(folder.path("number"))\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  private func measurement(
    _ text: String, patience: Duration = .seconds(60), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> ProgramMeasurement {
    try ProgramMeasurement(
      program(text), form: form, options: VMAFOptions(), patience: patience, isCancelled: isCancelled)
  }

  /// True if neither the script nor a zombie of it is left.
  private var hasEnded: Bool {
    guard let text = try? String(contentsOfFile: folder.path("number"), encoding: .utf8),
      let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return true }
    return kill(number, 0) != 0
  }

  @Test func scoresAreReadFromTheTable() throws {
    let measurement = try measurement(
      """
      head -c 54049 <&3 > \(folder.path("first")) & cat <&4 > \(folder.path("second")); wait
      printf 'Frame,motion,vmaf,\\n0,0.0,12.5,\\n1,3.25,99.75,\\n' > /dev/fd/5
      """)
    for _ in 0..<2 { try measurement.add(reference: frame.frame, candidate: frame.frame) }
    #expect(try measurement.finish() == [12.5, 99.75])
    #expect(hasEnded)
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("second")))
    let header = Data("YUV4MPEG2 W200 H180 F25:1 Ip A1:1 C420jpeg\nFRAME\n".utf8), luma = Data(frame.rawBytes.prefix(36_000))
    let chroma = Data(repeating: 128, count: 18_000)
    #expect(data == header + luma + chroma + Data("FRAME\n".utf8) + luma + chroma)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("first"))) == data.prefix(54_049))
  }

  @Test func deepFramesAreLittleEndian() throws {
    let deep = try MetricForm("yuv420p10le", width: 2, height: 2)
    let frame = OwnedFrame(deep) { _, x, y in 0x201 + x + 2 * y }
    let measurement = try ProgramMeasurement(
      program("cat <&3 >/dev/null & cat <&4 > \(folder.path("second")); wait; printf 'vmaf\\n1\\n' >&5"), form: deep,
      options: VMAFOptions(), isCancelled: { false })
    try measurement.add(reference: frame.frame, candidate: frame.frame)
    #expect(try measurement.finish() == [1])
    let samples = Data([1, 2, 2, 2, 3, 2, 4, 2, 0, 2, 0, 2])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("second"))).suffix(12) == samples)
  }

  @Test func aProgramThatFailsIsQuoted() throws {
    let measurement = try measurement("echo first >&2; echo 'No such filter: libvmaf' >&2; exit 3")
    let error = #expect(throws: VMAFError.self) {
      for _ in 0..<100 { try measurement.add(reference: frame.frame, candidate: frame.frame) }
      _ = try measurement.finish()
    }
    #expect(error == .programFailed(program: folder.path("program"), text: "No such filter: libvmaf"))
    #expect(hasEnded)
  }

  @Test func missingScoresAreNoticed() throws {
    let measurement = try measurement("cat <&3 >/dev/null & cat <&4 >/dev/null; wait; printf 'vmaf\\n50\\nnan\\n' >&5")
    for _ in 0..<3 { try measurement.add(reference: frame.frame, candidate: frame.frame) }
    #expect(throws: VMAFError.wrongCount(scores: 1, frames: 3)) { try measurement.finish() }
  }

  @Test func aProgramThatHangsIsEnded() throws {
    let measurement = try measurement("exec sleep 1000", patience: .milliseconds(200))
    #expect(throws: VMAFError.stalled(program: folder.path("program"))) {
      for _ in 0..<1000 { try measurement.add(reference: frame.frame, candidate: frame.frame) }
    }
    #expect(hasEnded)
    let atTheEnd = try self.measurement("cat <&3 >/dev/null & cat <&4 >/dev/null; exec sleep 1000", patience: .milliseconds(200))
    try atTheEnd.add(reference: frame.frame, candidate: frame.frame)
    #expect(throws: VMAFError.stalled(program: folder.path("program"))) { try atTheEnd.finish() }
    #expect(hasEnded)
  }

  @Test func cancelling() throws {
    let measurement = try measurement("exec sleep 1000", isCancelled: { true })
    #expect(throws: VMAFError.cancelled) { try measurement.add(reference: frame.frame, candidate: frame.frame) }
    #expect(hasEnded)
  }

  @Test func aMeasurementThatIsGivenUpEndsItsProgram() throws {
    var measurement: ProgramMeasurement? = try measurement("sleep 1000 & cat <&3 >/dev/null & cat <&4 >/dev/null; wait")
    try measurement?.add(reference: frame.frame, candidate: frame.frame)
    measurement = nil
    #expect(hasEnded)
  }

  @Test func enginesThatAreOfNoUse() throws {
    #expect(VMAFLibrary.find(path: "/nonexistent/libvmaf.so") == nil)
    // A library without the functions.
    #expect(VMAFLibrary.find(path: "libc.so.6") == nil)
    let missing = #expect(throws: VMAFError.self) { try VMAFEngine.find(program: folder.path("missing")) }
    #expect("\(try #require(missing))".hasSuffix("No such file or directory"))
    let without = try program("echo ' .. ssim VV->V SSIM'")
    let error = #expect(throws: VMAFError.self) { try VMAFEngine.find(program: without) }
    #expect(error == .unusable(program: without, reason: "this ffmpeg has no libvmaf filter"))
    let with = try program("echo ' .. libvmaf VV->V VMAF'")
    guard case .program(with) = try VMAFEngine.find(program: with) else {
      Issue.record("the program was not taken")
      return
    }
  }

  @Test func optionsThatCannotBe() throws {
    var options = VMAFOptions()
    options.model = "vmaf:path=/etc/passwd"
    #expect(throws: VMAFError.invalidModel) { try VMAFEngine.program("/bin/true").measurement(of: form, options: options) }
    let deep = try MetricForm("yuv420p14le", width: 64, height: 64)
    #expect(throws: VMAFError.unsupportedDepth(14)) { try VMAFEngine.program("/bin/true").measurement(of: deep) }
  }

  private static let engine = try? VMAFEngine.find(
    program: ProcessInfo.processInfo.environment["QUADRILLE_VMAF_FFMPEG"])

  @Test(
    .enabled(if: engine != nil, "neither libvmaf nor an ffmpeg with its filter is installed"),
    arguments: ["yuv420p", "gray10le"])
  func scores(format: String) throws {
    let form = try MetricForm(format, width: 352, height: 288)
    let engine = try #require(Self.engine)
    let scores = try [0, 12].map { strength in
      let measurement = try engine.measurement(of: form)
      for number in 0..<3 {
        try measurement.add(
          reference: OwnedFrame(picture: number, form).frame,
          candidate: OwnedFrame(picture: number, form, strength: strength).frame)
      }
      return try measurement.finish()
    }
    #expect(scores.allSatisfy { $0.count == 3 })
    #expect(scores[0][1] > 95 && scores[0][1] > scores[1][1] + 10)
  }
}
