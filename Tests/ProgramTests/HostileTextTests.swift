import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Names and arguments that would steer the terminal are never printed as they came.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  /// ESC, C1, DEL, a change of direction and a line end.
  static let name = "a\u{1B}[31m\u{9B}2J\u{7F}\u{202E}\u{2066}\nb\u{1B}]0;x\u{7}"

  @Test(arguments: [
    ["info"], ["info", "--json"], ["info", "--precise"], ["frames"], ["frames", "--order", "shuffle"], ["thumbnails"],
    ["thumbnails", "--count", "1", "-o", "/dev/full.png"], ["frame", "--at", "0", "-o", "\(name).png"], [],
    ["--stats", "/nowhere/\(name)"], ["--settings", "/nowhere/\(name)"], ["--log", "/nowhere/\(name)"],
    ["info", "--log", "/nowhere/\(name)"], ["--\(name)"], ["-\(name)"], ["--colors", name], ["--speed", name],
    ["--start", name], ["--layout", name], ["--cache", name], ["info", "--\(name)"], ["frame", "--at", name, "-o", name],
    ["thumbnails", "--size", name], ["frames", "--order", name], ["help", name], ["--generate-completion-script", name],
    ["--threads", name], ["info", name, "--json", "--json=\(name)"],
  ])
  func nothingSteers(arguments: [String]) throws {
    let missing = try CommandRun(arguments + ["/nowhere/\(Self.name).mp4"])
    #expect(missing.status != .exited(0) || arguments[0] == "help")
    expectHarmless(missing)
    // A clip of that name that exists, but is none.
    let folder = try TemporaryFolder()
    let text = folder.path("\(Self.name).mp4")
    try "no clip".write(toFile: text, atomically: false, encoding: .utf8)
    expectHarmless(try CommandRun(arguments + [text]))
  }

  @Test(arguments: [
    ["info"], ["info", "--json"], ["frames"], ["thumbnails", "--colors", "mono"], ["--untimed"],
    ["frame", "--at", "#99999", "-o", "/nowhere/x.png"],
  ])
  func norInAClip(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("\(Self.name).mp4")
    let titled = try SampleMedia.clip(
      name: "hostile-title.mkv",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", "-c:v", "mpeg4", "-metadata",
        "title=\(Self.name)", "-metadata", "COMMENT\u{9B}=\(Self.name)", "-metadata:s:v", "title=\(Self.name)",
      ])
    try FileManager.default.copyItem(atPath: titled, toPath: clip)
    let run = try CommandRun(arguments + [clip])
    expectHarmless(run)
    if arguments.contains("--json") {
      let reports = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
      #expect(reports?.first?["clip"] as? String == clip)
      #expect((reports?.first?["title"] as? String)?.contains("\u{9B}2J\u{7F}\u{202E}") ?? false)
    }
  }

  @Test func theStatsKeepTheName() throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("\(Self.name).mp4")
    try FileManager.default.copyItem(atPath: PlayerClips.short(), toPath: clip)
    let stats = folder.path("stats.json")
    expectHarmless(try CommandRun(["--untimed", "--stats", stats, clip]))
    let text = try String(contentsOfFile: stats, encoding: .utf8)
    #expect(harmful(text).isEmpty)
    #expect(try JSONDecoder().decode(RunStatistics.self, from: Data(text.utf8)).panes.map(\.clip) == [clip])
  }

  @Test func usageErrorsEndWith64() throws {
    #expect(try CommandRun(["--colors", "\u{1B}[31m", "x.mp4"]).status == .exited(64))
    #expect(try CommandRun(["--wat", "x.mp4"]).status == .exited(64))
  }

  private func expectHarmless(_ run: CommandRun, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(harmful(run.output) == [], "\(run.output.debugDescription)", sourceLocation: sourceLocation)
    #expect(harmful(run.errors) == [], "\(run.errors.debugDescription)", sourceLocation: sourceLocation)
  }

  private func harmful(_ text: String) -> [UInt32] {
    text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return scalar != "\n"
      default: return false
      }
    }.map(\.value)
  }
}
