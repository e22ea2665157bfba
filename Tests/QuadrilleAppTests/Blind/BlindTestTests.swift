import CellGraphics
import Foundation
import Playback
import TestSupport
import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct BlindTestTests {
  private func vote(_ letter: String, _ path: String, at seconds: Double = 1.5) -> BlindTest.Vote {
    .init(letter: letter, path: path, time: 1_600_000_000, position: MediaTime(seconds: seconds, preferredTimescale: 1000))
  }

  @Test func votesAreCountedUntilTheNamesAreShown() {
    var test = BlindTest([["/c/one.mp4"], ["/c/two.mp4"]])
    #expect(test.contestants.map(\.letter) == ["A", "B"] && test.words == "blind, 0 votes")
    #expect(test.vote(vote("B", "/c/two.mp4")) == 1 && test.words == "blind, 1 vote")
    #expect(test.vote(vote("B", "/c/two.mp4")) == 2 && test.count("B") == 2 && test.count("A") == 0)
    test.reveal()
    #expect(test.vote(vote("A", "/c/one.mp4")) == nil && test.votes.count == 2 && test.words == "names shown")
    #expect(test.tally == "A (one.mp4): 0 votes, B (two.mp4): 2 votes")
  }

  @Test func theReportHasARowForEachClipAndEachVote() {
    var test = BlindTest([["/c/one, \"1\".mp4"], ["/c/a.mp4", "/c/b.mp4"]])
    _ = test.vote(vote("B", "/c/b.mp4"))
    _ = test.vote(vote("A", "/c/one, \"1\".mp4", at: 61))
    #expect(
      String(decoding: test.report, as: UTF8.self) == """
        row,pane,clip,votes,time,position
        clip,A,"/c/one, ""1"".mp4",1,,
        clip,B,/c/a.mp4,0,,
        clip,B,/c/b.mp4,1,,
        vote,B,/c/b.mp4,,2020-09-13T12:26:40Z,1.5
        vote,A,"/c/one, ""1"".mp4",,2020-09-13T12:26:40Z,1:01

        """)
  }

  @Test func whatIsGivenForAClipStaysWithIt() throws {
    var options = PlayOptions()
    options.clips = (0..<4).map { ClipList("\($0)") }
    options.beginning.starts = (0..<4).map { .frame($0) }
    options.beginning.offsets = [try #require(PaneOffset("2:+2f")), try #require(PaneOffset("4:+4f"))]
    var random = SeededGenerator(seed: 7)
    options.shufflePanes(using: &random)
    let order = options.clipOrder
    #expect(order.sorted() == [0, 1, 2, 3] && order != [0, 1, 2, 3])
    for offset in options.beginning.offsets { #expect(offset.amount == .frames(order[offset.pane - 1] + 1)) }
    for index in order { #expect(options.start(ofClip: index) == .frame(index)) }
  }

  // MARK: - On the screen

  private func workspace(_ clips: [ClipList]) throws -> Workspace {
    var options = PlayOptions()
    options.clips = clips
    options.beginning.isPaused = true
    options.evaluation.isBlind = true
    options.view.showsInfo = true
    let theme = ChromeTheme(depth: .trueColor, glyphSet: .unicode)
    let metrics = ScreenMetrics(
      columns: 120, rows: 36, cellAspect: 0.5, blitter: theme.blitter, colorDepth: theme.depth, help: HelpText(.standard, theme: theme))
    let resources = try PlaybackResources(threads: 1, paneCount: clips.count, indexFolder: nil)
    let workspace = Workspace(
      options, resources, try RunRecord(options, at: resources.clock.now), historyFile: nil, metrics: metrics)
    workspace.openClips()
    return workspace
  }

  /// Everything that is drawn.
  private func everything(_ workspace: Workspace) -> String {
    var text = ""
    dump(workspace.model(link: LinkFigures()), to: &text)
    return text
  }

  /// Whatever the viewer does, no name is shown before the reveal.
  @Test func noNameIsShown() throws {
    let folder = try TemporaryFolder()
    let names = ["secret-one.mp4", "secret-two.mp4"].map(folder.path)
    for name in names { try FileManager.default.copyItem(atPath: SampleClip.h264BFrames.path(), toPath: name) }
    try "1\n00:00:00,000 --> 00:00:01,000\nWords\n".write(toFile: folder.path("secret-one.en.srt"), atomically: true, encoding: .utf8)
    let workspace = try workspace([
      ClipList(names.map { .init(path: $0, title: "secret title") }), ClipList(names[1]), ClipList(folder.path("secret-three.mp4")),
    ])
    let deadline = ContinuousClock.now + .seconds(30)
    while !workspace.panes.panes.allSatisfy({ $0.clip.isOpen || $0.error != nil }), ContinuousClock.now < deadline {
      workspace.update(at: workspace.resources.clock.now)
      #expect(!everything(workspace).contains("secret"))
    }
    #expect(workspace.panes.panes.map(\.title) == ["A", "B", "C"])
    let ending: Set<Command.Name> = [.reveal, .close, .quit]
    for name in Command.Name.allCases where !ending.contains(name) {
      for index in 0..<3 {
        workspace.focus(.index(index))
        _ = workspace.perform(try #require(Command(name.rawValue) ?? Command("\(name.rawValue) 1")))
        workspace.update(at: workspace.resources.clock.now)
        let text = everything(workspace)
        #expect(!text.contains("secret"), "\(name): \(text.split(separator: "\n").first { $0.contains("secret") } ?? "")")
        if workspace.prompts.prompt != nil { _ = workspace.handle(.key(.escape, [])) }
        workspace.closeList()
      }
    }
    #expect(workspace.evaluation.blindTest?.votes.map(\.letter) == ["A", "B"], "what cannot be played gets no vote")
    _ = workspace.perform(.reveal)
    #expect(everything(workspace).contains("secret") && workspace.panes.panes[1].title == "secret-two.mp4")
  }
}
