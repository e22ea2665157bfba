import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Sources whose connections are cut, stall, drip or are refused at random: every frame arrives all the same, once and in order.
@Suite(.timeLimit(.minutes(20))) struct BreakingLinkTests {
  enum Source: String, CaseIterable {
    case indexInFront, indexBehind, fragmented, noRanges, stream

    /// The files of the source; the first one is what is opened.
    func files() throws -> [(name: String, bytes: [UInt8])] {
      let clip = try PlayerClips.timeline()
      let folder = try TemporaryFolder()
      let options: [String] =
        switch self {
        case .indexInFront, .noRanges: ["-movflags", "+faststart", folder.path("clip.mp4")]
        case .indexBehind: [folder.path("clip.mp4")]
        case .fragmented: ["-movflags", "+frag_keyframe+empty_moov", folder.path("clip.mp4")]
        case .stream: ["-f", "hls", "-hls_time", "5", "-hls_playlist_type", "vod", folder.path("clip.m3u8")]
        }
      _ = try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", clip, "-c", "copy"] + options)
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted { ($0.contains(".ts") ? 1 : 0, $0) < ($1.contains(".ts") ? 1 : 0, $1) }.map {
        ($0, try Array(Data(contentsOf: URL(fileURLWithPath: folder.path($0)))))
      }
    }
  }

  @Test(arguments: Source.allCases) func everyFrameArrives(_ source: Source) throws {
    let files = try source.files()
    let whole = try TestServer()
    for file in files { whole.on("/\(file.name)") { $1.respond(to: $0, file: file.bytes, tag: "1") } }
    let expected = try CommandRun(["frames", whole.url("/\(files[0].name)")])
    #expect(expected.status == .exited(0) && expected.output.split(separator: "\n").count > 1500, "\(expected.errors)")

    // Under scripts/soak, all sources together take the whole time.
    let end = ContinuousClock.now + (Soak.isOn ? .seconds(Soak.seconds / Double(Source.allCases.count)) : .zero)
    var seed: UInt64 = 1
    var accidents = 0
    repeat {
      let server = try TestServer(), link = BreakingLink(seed: seed, longestStall: Soak.cases(3000, else: 100), hangs: Soak.isOn)
      for file in files {
        server.on("/\(file.name)") { link.serve(file.bytes, acceptsRanges: source != .noRanges, to: $0, over: $1) }
      }
      let address = server.url("/\(files[0].name)")
      let listed = try CommandRun(["frames", address], patience: 300)
      #expect(listed.status == .exited(0), "seed \(seed): \(listed.errors)")
      #expect(listed.output == expected.output, "seed \(seed): \(listed.errors)")
      try play(address, seed: seed)
      accidents += link.accidents
      seed += 1
    } while ContinuousClock.now < end
    #expect(accidents > 0)
    if Soak.isOn { print("\(source): \(seed - 1) rounds, \(accidents) accidents") }
  }

  /// Plays, jumps and steps at random, and compares the frame on the screen with the time below it.
  private func play(_ address: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let run = try PlayerRun(["--paused", address])
    try run.wait("the first frame, seed \(seed)") { _ in run.frameNumber() == 0 }
    var log = ""
    func press(_ keys: [String], times: Int) {
      for _ in 1...times {
        let key = (keys + ["\(Int.random(in: 0...8, using: &random))"]).randomElement(using: &random) ?? "."
        let pause = Double.random(in: 0...Soak.cases(1, else: 0.2), using: &random)
        log += "\(key.debugDescription) \(pause) "
        run.process.send(key)
        run.process.run(seconds: pause)
      }
    }
    press([".", ",", "\u{1B}[C", "\u{1B}[D"], times: Soak.cases(20, else: 6))
    run.process.send(" ")
    press([], times: Soak.cases(5, else: 2))
    run.process.send(" ")
    let tenth = Int.random(in: 1...8, using: &random)
    run.process.send("\(tenth)")
    let time = tenth * 15
    try run.wait("frame \(tenth * 150) with its time, seed \(seed), after \(log)") { screen in
      screen.contains("\(time / 60):\(time % 60 < 10 ? "0" : "")\(time % 60).000") && run.frameNumber() == tenth * 150
    }
    let asked = ContinuousClock.now
    run.quit()
    if Soak.isOn { #expect(ContinuousClock.now - asked < .milliseconds(500), "seed \(seed)") }
  }
}
