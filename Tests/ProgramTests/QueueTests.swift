import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Panes that play lists of clips, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct QueueTests {
  /// Clips of 30 numbered frames a second for 2 s, and one that is broken.
  private final class Clips {
    let folder: TemporaryFolder

    init(_ names: [String] = ["a.mp4", "b.mp4", "c.mp4"]) throws {
      folder = try TemporaryFolder()
      for name in names { _ = try PlayerClips.copy(in: folder, named: name) }
    }

    func list(_ names: String...) -> String { names.map(folder.path).joined(separator: ",") }

    func write(_ text: String, _ name: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
      return folder.path(name)
    }
  }

  private func output(of run: PlayerRun) -> String { String(decoding: run.process.rawOutput, as: UTF8.self) }

  @Test func goingThroughAList() throws {
    let clips = try Clips()
    let run = try PlayerRun(["--paused", clips.list("a.mp4", "b.mp4", "c.mp4")], columns: 80, rows: 24)
    try run.wait("the first") { $0.contains("1/3 a.mp4") && $0.contains("#0") }
    run.process.send(".....")
    try run.wait(for: "#5")
    run.process.send(")")
    try run.wait("the second, from its beginning") { $0.contains("2/3 b.mp4") && $0.contains("clip 2/3: b.mp4") && $0.contains("#0") }
    run.process.send("(")
    try run.wait("back") { $0.contains("1/3 a.mp4") && $0.contains("#0") }
    // There is none before it, nor behind the last.
    run.process.send("(")
    try run.wait(for: "already at the first clip")
    run.process.send("))")
    try run.wait("the last") { $0.contains("3/3 c.mp4") && $0.contains("#0") }
    run.process.send(")")
    try run.wait(for: "already at the last clip")
    run.process.send("L)")
    try run.wait("round") { $0.contains("1/3 a.mp4") && $0.contains("repeat all") && $0.contains("#0") }
    try run.quitAndCompare()
  }

  @Test func aListIsPlayedThrough() throws {
    let clips = try Clips()
    let run = try PlayerRun(["--exit-at-end", clips.list("a.mp4", "c.mp4")], columns: 80, rows: 24)
    try run.wait(for: "1/2 a.mp4")
    try run.wait("the second by itself") { $0.contains("2/2 c.mp4") && $0.contains("►") }
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let statistics = try run.statistics()
    #expect(statistics.panes.count == 1 && statistics.panes[0].clip.hasSuffix("c.mp4"))
  }

  @Test func playedOutItBeginsAnew() throws {
    let clips = try Clips()
    let run = try PlayerRun(["--start", "1.8", clips.list("a.mp4", "b.mp4")], columns: 80, rows: 24)
    try run.wait("the end of the last") { $0.contains("2/2 b.mp4") && $0.contains("■") }
    run.process.send(" ")
    try run.wait("from the first") { $0.contains("1/2 a.mp4") && $0.contains("►") }
    run.process.send("L")
    try run.wait(for: "repeat the list")
    // It comes round by itself.
    try run.wait(for: "2/2 b.mp4")
    try run.wait(for: "1/2 a.mp4")
    run.process.send("L")
    try run.wait(for: "repeat this clip")
    run.process.send("L")
    try run.wait(for: "repeat off")
    run.quit()
  }

  @Test func untimedListsEnd() throws {
    let clips = try Clips()
    let run = try PlayerRun(["--untimed", clips.list("a.mp4", "b.mp4")], columns: 80, rows: 24)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let statistics = try run.statistics()
    #expect(statistics.panes[0].clip.hasSuffix("b.mp4") && statistics.panes[0].shown == 120)
  }

  @Test(arguments: [20, 80], ["mono", "8", "16", "256", "24bit"])
  func theListAtEveryDepthAndWidth(columns: Int, depth: String) throws {
    let clips = try Clips()
    let run = try PlayerRun(["--paused", "--colors", depth, clips.list("a.mp4", "b.mp4", "c.mp4")], columns: columns, rows: 12)
    try run.waitUntilPaused()
    run.process.send("P")
    try run.wait("the list") { screen in ["•1  a.mp4", "2  b.mp4", "3  c.mp4"].allSatisfy(screen.contains) }
    run.process.press(.end)
    run.process.send("\r")
    try run.wait("the last one") { $0.contains("clip 3/3: c.mp4") && !$0.contains("2  b.mp4") }
    try run.quitAndCompare()
  }

  /// Clips that cannot be played are named and skipped, and marked in the list.
  @Test func aBrokenClipOnTheWay() throws {
    let clips = try Clips()
    let broken = try clips.write("no clip at all, but words in a line\n", "broken.mp4")
    let run = try PlayerRun(["--speed", "2", clips.list("a.mp4", "broken.mp4", "none.mp4", "b.mp4")], columns: 100, rows: 24)
    try run.wait("why") { $0.contains("\(broken): ") || $0.contains("none.mp4: no such file") }
    try run.wait(for: "4/4 b.mp4")
    run.process.send("P")
    try run.wait("the list") { screen in
      ["1  a.mp4", "2  broken.mp4  cannot be played", "3  none.mp4  cannot be played", "•4  b.mp4"].allSatisfy(screen.contains)
    }
    run.process.press(.home)
    run.process.send("\r")
    try run.wait(for: "1/4 a.mp4")
    // Chosen by hand it is tried once more, and passed over again.
    run.process.send("P")
    try run.wait(for: "•1  a.mp4")
    run.process.press(.down)
    run.process.send("\r")
    try run.wait(for: "4/4 b.mp4")
    run.quit()
  }

  /// It stands in the pane, and others can be gone to.
  @Test(arguments: ["broken.mp4", "none.mp4"]) func theLastClipIsBroken(name: String) throws {
    let clips = try Clips(["a.mp4"])
    _ = try clips.write("no clip at all, but words in a line\n", "broken.mp4")
    let run = try PlayerRun(["--paused", clips.list("a.mp4", name)], columns: 100, rows: 24)
    try run.wait("the first") { $0.contains("1/2 a.mp4") && $0.contains("#0") }
    func waitUntilBroken() throws {
      try run.wait("why") { $0.contains("✗ cannot be played") && $0.contains("\(name): ") }
    }
    run.process.send(")")
    try waitUntilBroken()
    run.process.send(".s(")
    try run.wait("back") { $0.contains("1/2 a.mp4") && $0.contains("#0") && !$0.contains("cannot be played") }
    run.process.send("P")
    try run.wait(for: "•1  a.mp4")
    run.process.press(.end)
    run.process.send("\r")
    try waitUntilBroken()
    try run.quitAndCompare()
  }

  @Test func playingComesToABrokenClipAtTheEnd() throws {
    let clips = try Clips(["a.mp4"])
    let list = clips.list("a.mp4", "none.mp4")
    let run = try PlayerRun(["--start", "1.5", list], columns: 100, rows: 24)
    try run.wait("why") { $0.contains("✗ cannot be played") && $0.contains("none.mp4: no such file") }
    run.process.send("(")
    try run.wait(for: "1/2 a.mp4")
    run.quit()
    let other = try PlayerRun(["--exit-at-end", list])
    #expect(other.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(output(of: other).contains("none.mp4: no such file"))
  }

  @Test func nothingOfAListCanBePlayed() throws {
    let clips = try Clips([])
    let run = try PlayerRun(["--loop", clips.list("x.mp4", "y.mp4")])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(output(of: run).contains("y.mp4: no such file"))
  }

  @Test func foldersAndFilesThatListClips() throws {
    let clips = try Clips(["b10.mp4", "b9.mp4"])
    let list = try clips.write("#EXTM3U\n#EXTINF:2,A \u{1B}[31mname\nb9.mp4\nb10.mp4\n", "l.txt")
    let run = try PlayerRun(["--paused", "--layout", "row", clips.folder.path, "--queue", list], columns: 120, rows: 24)
    try run.wait("both") { $0.contains("1/2 b9.mp4") && $0.contains("1/2 A ") && !$0.contains("1/2 A name") }
    // Keys steer all panes.
    run.process.send(")")
    try run.wait("both go on") { $0.text.joined().ranges(of: "2/2 ").count >= 2 }
    run.process.send("P")
    try run.wait(for: "1  b9.mp4")
    run.process.send("P\tP")
    try run.wait("its own") { $0.contains("•2  b10.mp4") && !$0.contains("1  b9.mp4") }
    run.process.send("q")
    try run.wait("closed") { !$0.contains("•2  b10.mp4") }
    try run.quitAndCompare()
  }

  @Test func listsThatAreRefused() throws {
    let clips = try Clips([])
    let hls = try clips.write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", "hls.m3u8")
    for (arguments, reason) in [
      ([hls], "hls.m3u8: is an HLS playlist, which is not supported yet"),
      (["--queue", clips.folder.path("none")], "none: no such file"),
    ] {
      let run = try PlayerRun(arguments)
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
      #expect(output(of: run).contains(reason), "\(output(of: run))")
    }
  }

  @Test func aFolderIsOpenedBesideOthers() throws {
    let clips = try Clips()
    let run = try PlayerRun(["--paused", clips.list("b.mp4")], columns: 120, rows: 24)
    try run.wait(for: "#0")
    run.process.send("o\(clips.folder.path)/\r")
    try run.wait("its first") { $0.contains("2 1/3 a.mp4") }
    run.process.send("o\(clips.list("b.mp4", "c.mp4"))\r")
    try run.wait("its first") { $0.contains("3 1/2 b.mp4") }
    let hls = try clips.write("#EXT-X-STREAM-INF:\n", "hls.m3u8")
    run.process.send("o\(hls)\r")
    try run.wait("it says why") { $0.contains("is an HLS playlist") && $0.contains("Open clip: ") }
    run.process.send("\u{1B}")
    try run.wait("gone") { !$0.contains("Open clip") }
    try run.quitAndCompare()
  }

  @Test func inAnyOrder() throws {
    let names = (1...9).map { "\($0).mp4" }
    let clips = try Clips(names)
    let run = try PlayerRun(["--paused", "--shuffle", clips.folder.path], columns: 80, rows: 30)
    try run.wait(for: "1/9 1.mp4")
    run.process.send("P")
    try run.wait("all of them") { screen in screen.contains("shuffled") && names.allSatisfy(screen.contains) }
    run.process.send("PS")
    try run.wait(for: "shuffle off")
    run.process.send("P")
    try run.wait("in order") { screen in zip(1...9, names).allSatisfy { screen.contains("\($0)  \($1)") } }
    run.process.send("P")
    run.quit()
  }

  @Test(arguments: [20, 36]) func inNarrowPanes(columns: Int) throws {
    let clips = try Clips()
    let run = try PlayerRun(
      ["--paused", "--colors", "mono", clips.list("a.mp4", "b.mp4"), clips.folder.path("c.mp4")], columns: columns, rows: 24)
    try run.wait(for: "1/2 a.m")
    run.process.send(")")
    try run.wait(for: "2/2 b.m")
    try run.quitAndCompare()
  }

  /// A list whose last clip is broken begins anew with space, as others do.
  @Test func aListThatEndsWithABrokenClip() throws {
    let folder = try TemporaryFolder()
    let good = try PlayerClips.copy(in: folder, named: "good.mp4")
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.path("broken.mp4")))
    let run = try PlayerRun(["--speed", "16", "\(good),\(folder.path("broken.mp4"))"])
    try run.wait(for: "is damaged or not a clip")
    run.process.send(" ")
    try run.wait("from the beginning") { !$0.contains("damaged") && $0.contains("good") }
    run.quit()
  }
}
