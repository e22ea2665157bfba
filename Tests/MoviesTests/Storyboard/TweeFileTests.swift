import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

/// Files after the rules of the Twee 3 specification, version 3.0.2.
@Suite(.timeLimit(.minutes(20))) struct TweeFileTests {
  private func file(_ name: String) throws -> TweeFile {
    try TweeFile(text: PackageFolder.text(of: "Tests/Golden/Twee/\(name).twee"), name: "\(name).twee")
  }

  private func twee(_ text: String) throws -> TweeFile { try TweeFile(text: text, name: "t.twee") }

  /// Passages of a text that need no beginning.
  private func passages(_ name: String) throws -> [TweePassage] {
    let text = try PackageFolder.text(of: "Tests/Golden/Twee/\(name).twee")
    return try twee(":: StoryData\n{\"start\":\"Overgrown\"}\n" + text).passages
  }

  @Test func headers() throws {
    let minimal = try passages("minimal")
    #expect(minimal.map(\.name) == ["Overgrown"] && minimal[0].tags == [] && minimal[0].lines == [])
    let tags = try passages("tags")
    #expect(tags[0].tags == ["forest", "spooky"] && tags[0].lines == ["Thorns everywhere."])
    let metadata = try passages("metadata")
    #expect(metadata[0].name == "Overgrown" && metadata[0].tags == [])
    #expect(metadata[0].metadata == ["position": "600,400", "size": "100,200"])
    let both = try passages("both")
    #expect(both.map(\.name) == ["Overgrown", "Clearing"] && both[0].tags == ["forest", "spooky"])
    #expect(both[0].metadata["position"] == "600,400" && both[1].lines == ["Light."])
  }

  // MARK: - The specification's own examples; where they are from stands beside them.

  private func example(_ name: String) throws -> String {
    try PackageFolder.text(of: "Tests/Golden/Twee/Specification/\(name).twee")
  }

  @Test(arguments: [("minimal", false, false), ("tags", true, false), ("metadata", false, true), ("both", true, true)])
  func headersOfTheSpecification(name: String, hasTags: Bool, hasMetadata: Bool) throws {
    let file = try twee(":: StoryData\n{\"start\":\"An overgrown path\"}\n" + example(name))
    #expect(file.warnings == [] && file.start == "An overgrown path")
    let passage = try #require(file.passages.first)
    #expect(file.passages.count == 1 && passage.name == "An overgrown path" && passage.lines == [] && passage.line == 3)
    #expect(passage.tags == (hasTags ? ["forest", "spooky"] : []))
    #expect(passage.metadata == (hasMetadata ? ["position": "600,400", "size": "100,200"] : [:]))
  }

  @Test func storyDataOfTheSpecification() throws {
    let file = try twee(example("storydata") + "\n:: Elsewhere\n\n:: My Starting Passage\n")
    #expect(file.start == "My Starting Passage" && file.warnings == [])
    #expect(file.passages.map(\.name) == ["Elsewhere", "My Starting Passage"])
    // Without that passage there is no beginning.
    #expect(throws: StoryboardFailure.self) { try twee(example("storydata") + "\n:: Start\n") }
  }

  @Test func escapes() throws {
    let file = try file("escapes")
    #expect(file.start == "A [walled] {garden}" && file.warnings == [])
    #expect(file.passages.map(\.name) == ["A [walled] {garden}", "back\\slash", "plainq"])
    #expect(file.passages[0].tags == ["one[1]", "two\\2", "threeq"])
  }

  @Test func spacesAroundPartsMeanNothing() throws {
    let file = try twee("::Start[a]{\"size\":\"1,2\"}\n::   Two  words   [ b  c ]  {}  \n")
    #expect(file.passages.map(\.name) == ["Start", "Two  words"])
    #expect(file.passages.map(\.tags) == [["a"], ["b", "c"]] && file.passages[0].metadata == ["size": "1,2"])
  }

  @Test(arguments: [
    ("[[a]]", "a>a"), ("[[b|a]]", "b>a"), ("[[b->a]]", "b>a"), ("[[a<-b]]", "b>a"), ("[[ b c -> a d ]]", "b c>a d"),
    ("[[x->y->a]]", "x->y>a"), ("[[a<-x<-y]]", "x<-y>a"), ("[[b|a][$x to 1]]", "b>a"), ("[[a]][[b]]", "a>a b>b"),
    ("[[]] [[->]] [[a", ""), ("[a] ]] [[b]]", "b>b"), ("[[ |a]]", "a>a"),
  ])
  func links(text: String, expected: String) throws {
    let links = try twee(":: Start\n\n\(text)").passages[0].links
    #expect(links.map { "\($0.label)>\($0.target)" }.joined(separator: " ") == expected)
    #expect(links.allSatisfy { $0.line == 3 })
  }

  @Test func aStoryBecomesAStoryboard() throws {
    let file = try file("story").storyboardFile()
    #expect(
      file.warnings.map(\.description) == [
        "story.twee:43: passage \"Notes\" is ignored: it names no clip, and no link leads to it"
      ])
    let storyboard = file.storyboard
    #expect(storyboard.title == "A Garden Story" && storyboard.scenes.map(\.name) == ["A Garden Story"])
    let tracks = storyboard.scenes[0].tracks
    #expect(
      tracks.map(\.name) == ["Gate", "Path", "Pond", "Out"]
        && tracks.map(\.kind) == [.prologue, .winning, .plain, .plain])
    #expect(tracks.map(\.source) == [.clip("gate.mkv"), .clip("path.mkv"), .clip("pond.mkv"), .movie("out.yaml")])
    #expect(tracks.map(\.length) == [at(8), at(4), at(2.5), MediaTime(value: 1001, timescale: 30000)])
    #expect(tracks[0].choices.map(\.label) == ["Open it", "Go round", "leave"] && tracks[3].choices.count == 1)
    #expect(tracks[0].otherwise == .named("Path") && tracks[2].then == .end)
    let lines = try StoryboardTrace(storyboard, choices: ["Open it", "1", "b"]).lines
    #expect(
      lines == [
        "0:00.000  0:00.000  track A Garden Story/Gate", "0:00.000  0:00.000  start", "0:03.000  0:03.000  show",
        "0:03.000  0:03.000    1 Open it", "0:03.000  0:03.000    2 Go round", "0:03.000  0:03.000    3 leave",
        "0:03.000  0:03.000  chosen 1", "0:08.000  0:08.000  decide", "0:08.000  0:08.000  decided by 1 Open it",
        "0:08.000  0:08.000  track A Garden Story/Path (plays on)", "0:08.000  0:08.000  start",
        "0:08.000  0:08.000  show",
        "0:08.000  0:08.000    1 Gate", "0:08.000  0:08.000  chosen 1", "0:12.000  0:12.000  decide",
        "0:12.000  0:12.000  decided by 1 Gate", "0:12.000  0:00.000  track A Garden Story/Gate (jump)",
        "0:12.000  0:00.000  start", "0:15.000  0:03.000  show", "0:15.000  0:03.000    1 Open it",
        "0:15.000  0:03.000    2 Go round", "0:15.000  0:03.000    3 leave", "0:15.000  0:03.000  chosen 2",
        "0:20.000  0:08.000  decide", "0:20.000  0:08.000  decided by 2 Go round",
        "0:20.000  0:12.000  track A Garden Story/Pond (jump)", "0:20.000  0:12.000  start", "0:22.500  0:14.500  end",
      ])
  }

  @Test func lineEndsOfWindowsAndAMarkInFront() throws {
    let file = try file("windows")
    #expect(
      file.warnings.map(\.description) == [
        "windows.twee:1: the metadata of passage \"Start\": invalid JSON: expected a value"
      ])
    let storyboard = try file.storyboardFile().storyboard
    #expect(storyboard.scenes[0].name == "story" && storyboard.scenes[0].tracks.map(\.length) == [at(1), at(2)])
  }

  @Test(arguments: [
    ("", "t.twee: no passages"), (":: A\n", "t.twee: there is no passage \"Start\" to start with"),
    (":: StoryData\n{\"start\":\"B\"}\n:: Start", "t.twee: there is no passage \"B\" to start with"),
    (":: Start\n:: Start\n", "t.twee:2: passage \"Start\" is defined twice, first on line 1"),
    (":: Start\n::\n", "t.twee:2: a passage has no name"),
    (":: Start\n:: A [x\n", "t.twee:2: missing \"]\" after the tags of passage \"A\""),
    (":: Start\nclip: a\n[[a/b]]", "t.twee:3: track \"Start\": choice \"a/b\": to: there is no track or scene \"a/b\""),
    (":: Start\nclip: a\n[[end]]", "t.twee:3: track \"Start\": choice \"end\": to: there is no track or scene \"end\""),
    (
      ":: Start\nclip: a\notherwise: end\n[[Gone]]", "t.twee:4: track \"Start\": choice \"Gone\": to: there is no track"
    ),
    (":: Start\nclip: a\nin: soon", "t.twee:3: passage \"Start\": in: \"soon\" is not a time"),
    (":: Start\nclip: ftp://a/b", "t.twee:2: track \"Start\": clip: \"ftp://a/b\" is a network address"),
    (
      ":: Start\nclip: a\n" + (0..<10).map { "[[\($0)->Start]]" }.joined(),
      "t.twee:1: track \"Start\": choices: more than 9"
    ),
  ])
  func problems(text: String, expected: String) throws {
    let error = #expect(throws: StoryboardFailure.self) { try twee(text).storyboardFile() }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test func namesThatTargetsCouldNotSay() throws {
    let text = ":: Start\nclip: a\n[[end]] [[a/b]]\n:: end\nclip: b\n:: a/b\nclip: c\nthen: end\n"
    let storyboard = try twee(text).storyboardFile().storyboard
    #expect(storyboard.scenes[0].tracks.map(\.name) == ["Start", "passage end", "a-b"])
    #expect(storyboard.scenes[0].tracks[0].choices.map(\.target) == [.named("passage end"), .named("a-b")])
  }

  @Test(arguments: [
    "https://example.com/a", "HTTP://example.com", "gemini://a.b/c", "mailto:a@example.com",
  ])
  func linksOutOfTheStoryAreLeftOut(address: String) throws {
    let file = try twee(":: Start\nclip: a\n[[us->\(address)]]\n[[on->Next]]\n:: Next\nclip: b\n[[\(address)]]").storyboardFile()
    #expect(
      file.warnings.map(\.description) == [
        "t.twee:3: passage \"Start\": the link to \(address) is left out: it leads out of the story",
        "t.twee:7: passage \"Next\": the link to \(address) is left out: it leads out of the story",
      ])
    let tracks = file.storyboard.scenes[0].tracks
    #expect(tracks[0].choices.map(\.label) == ["on"] && tracks[0].otherwise == .named("Next"))
    #expect(tracks[1].choices == [] && tracks[1].then == .end)
  }

  @Test func aPassageMayHaveTheNameOfAnAddress() throws {
    let story = try twee(":: Start\nclip: a\n[[c://d]] [[Note: x]]\n:: c://d\nclip: b\n:: Note: x\nclip: c").storyboardFile()
    #expect(story.warnings == [] && story.storyboard.scenes[0].tracks[0].choices.map(\.target) == [.named("c:--d"), .named("Note: x")])
  }

  @Test func escapedBlanksDoNotSeparateLinksFromPassages() throws {
    let file = try twee(":: StoryData\n{\"start\": \" First \"}\n:: \\ First \\ \nclip: a\n[[ Second ]]\n:: \\ Second\nclip: b\n")
    let tracks = try file.storyboardFile().storyboard.scenes[0].tracks
    #expect(tracks.map(\.name) == ["First", "Second"] && tracks[0].choices.map(\.target) == [.named("Second")])
    #expect(throws: StoryboardFailure.self) { try twee(":: \\ \n") }
  }

  @Test func commentsHoldNoLinksAndNoProperties() throws {
    let text = """
      :: Start
      <!-- clip: old.mkv
      clip: older.mkv -->
      clip: a.mkv
      length: 2
      [[A<!-- one -->]] /* [[B]] */ [[C]] /% [[D]]
      [[D]] %/ <!-- [[E]] /* [[F]]
      [[G]]
      """
    let passage = try twee(text).passages[0]
    #expect(passage.links.map { "\($0.target) \($0.line)" } == ["A 6", "C 6", "E 7", "F 7", "G 8"])
    #expect(passage.lines.count == 7 && passage.lines[0] == "<!-- clip: old.mkv")
    let story = try twee(text + "\n:: A\n:: C\n:: E\n:: F\n:: G\n").storyboardFile().storyboard
    #expect(story.scenes[0].tracks[0].source == .clip("a.mkv") && story.scenes[0].tracks[0].line.number(of: "clip") == 4)
    // Each mark is searched for once.
    let open = try twee(":: Start\n" + String(repeating: "<!-- /* /% ", count: 50_000) + "[[a]]").passages[0]
    #expect(open.links.map(\.target) == ["a"])
  }

  @Test func aStoryWithoutClipsBecomesASkeleton() throws {
    let file = try twee(":: Start\nOnce upon a time. [[On->Next]] [[Stop->The end]]\n:: Next\n[[The end]]\n:: The end\nFin.\n").storyboardFile()
    let warning = "t.twee:1: 3 tracks have no clip and show placeholders: \"Start\", \"Next\", \"The end\"; give each a line \"clip: FILE\""
    #expect(file.warnings.map(\.description) == [warning])
    let tracks = file.storyboard.scenes[0].tracks
    #expect(tracks.map(\.source) == [.missing("Start"), .missing("Next"), .missing("The end")])
    #expect(tracks.allSatisfy { $0.length == at(3) })
    let lines = try StoryboardTrace(file.storyboard, choices: ["a", "1"]).lines
    #expect(lines.last == "0:09.000  0:09.000  end")
    // What `storyboard import` writes is the same story.
    let text = StoryboardWriter(file.storyboard).text
    let again = try StoryboardFile(text: text, name: "t.yaml")
    #expect(again.storyboard.scenes == file.storyboard.scenes && again.warnings.count == 1)
    #expect(again.warnings[0].message == file.warnings[0].message && StoryboardWriter(again.storyboard).text == text)
    // One forgotten clip among others is found, too.
    let one = try twee(":: Start\nclip: a\n[[On]]\n:: On\nNo clip.\nout: 2\n").storyboardFile()
    #expect(one.warnings.map(\.description) == ["t.twee:4: 1 track has no clip and shows a placeholder: \"On\"; give it a line \"clip: FILE\""])
  }

  @Test func warningsAreInLineOrder() throws {
    let file = try twee(":: Start\n[[On]] [[x->http://a.b]]\n:: Notes\n:: On {\"a\"}\n:: StoryData\n[]\n")
    #expect(try file.storyboardFile().warnings.map(\.line) == [1, 2, 3, 4, 5])
  }

  @Test func whatIsWrongInStoryDataHasItsLine() throws {
    let file = try twee(":: StoryData\n{\n\"start\" \"B\"}\n:: Start\nclip: a\n")
    #expect(file.warnings.map(\.description) == ["t.twee:3: StoryData: invalid JSON: expected a colon"])
    #expect(file.start == "Start")
  }

  @Test func hostileTextDoesNotStopTheReader() throws {
    let bytes = Array(try PackageFolder.text(of: "Tests/Golden/Twee/story.twee").utf8)
    var generator = SplitMix64(seed: 5)
    for _ in 0..<300 {
      var hurt = bytes
      for _ in 0..<8 {
        hurt[Int.random(in: 0..<hurt.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? twee(String(decoding: hurt, as: UTF8.self)).storyboardFile()
    }
  }
}
