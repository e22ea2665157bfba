import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies
@testable import QuadrilleApp

/// Movies converted from one format to another, as `quadrille convert` does it.
@Suite(.timeLimit(.minutes(20))) struct MovieConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws -> String {
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    return folder.path(name)
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }

  private func convert(_ input: String, _ output: String, rate: Ratio? = nil) throws -> MovieConversion.Warnings {
    try MovieConversion(from: input, to: folder.path(output), rate: rate).run()
  }

  private static let movie = """
    quadrille: movie 1
    title: Cut
    rate: 25
    pieces:
      - clip: media/a.mov
        in: 1
        out: 3
      - clip: b.mov
        in: 0
        out: 2
        transition: dissolve 0.4
    """

  @Test func plainMoviesSurviveTheWayThroughAllFormats() throws {
    let yaml = try write(Self.movie, "a.yaml")
    for (input, output) in [(yaml, "b.otio"), (folder.path("b.otio"), "c.edl"), (folder.path("c.edl"), "d.yaml")] {
      let remarks = try convert(input, output)
      #expect(remarks.reading == [] && remarks.writing == [], "\(output): \(remarks)")
    }
    let first = try MovieFile.read(path: yaml).document, last = try MovieFile.read(path: folder.path("d.yaml")).document
    #expect(last.title == first.title && last.output == first.output)
    #expect(last.pieces.map(\.length) == first.pieces.map(\.length))
    #expect(last.pieces.map { $0.transition?.length } == first.pieces.map { $0.transition?.length })
    #expect(last.files == ["b.mov", "media/a.mov"])
  }

  @Test func whatAFormatCannotExpressIsReported() throws {
    let more = """

        - clip: b.mov
          in: 0
          out: 2
          transition: push 0.4
      size: 64x48
      blending: linear
      overlays:
        - text: Title
          at: 0
          for: 1
      chapters:
        - at: 0
          name: One
      """
    let yaml = try write(Self.movie + more, "a.yaml")
    #expect(
      try convert(yaml, "b.edl").writing == [
        "fades through a colour and pushes were written as dissolves", "an edit decision list cannot store overlays; 1 omitted",
        "an edit decision list cannot store chapters; 1 omitted",
        "an edit decision list cannot store size and pixel format; omitted",
        "an edit decision list cannot store linear blending; omitted",
      ])
    #expect(
      try convert(yaml, "b.otio").writing == [
        "OpenTimelineIO cannot express size, linear blending, 1 transition, 1 overlay, 1 chapter; "
          + "kept as metadata, which other programs ignore"
      ])
    #expect(try convert(folder.path("b.otio"), "c.yaml").writing == [])
    let first = try MovieFile.read(path: yaml).document, last = try MovieFile.read(path: folder.path("c.yaml")).document
    #expect(last.output == first.output && last.overlays == first.overlays && last.chapters == first.chapters)
    // Sound of a timeline is kept in YAML, but not in a list.
    var timeline = try JSONReader.read(Array(text("b.otio").utf8))
    var stack = try #require(timeline["tracks"])
    stack["children"] = .array((stack["children"]?.elements ?? []) + [["OTIO_SCHEMA": "Track.1", "kind": "Audio", "name": "A1", "children": []]])
    timeline["tracks"] = stack
    let sound = try write(timeline.text(inLines: true), "sound.otio")
    let remarks = try convert(sound, "d.edl")
    #expect(remarks.reading == ["track \"A1\" (audio) is not shown, but kept"])
    #expect(remarks.writing.contains("an edit decision list cannot store other tracks of a timeline; 1 omitted"), "\(remarks)")
  }

  @Test func aRateMayBeGiven() throws {
    let list = try write("TITLE: x\n001  A V C 00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00\n* FROM CLIP NAME: a.mov\n", "a.edl")
    #expect(try convert(list, "b.yaml").reading.count == 1)
    #expect(try convert(list, "b.yaml", rate: Ratio(30, 1)).reading == [])
    #expect(try MovieFile.read(path: folder.path("b.yaml")).document.output.rate == Ratio(30, 1))
    let yaml = try write("quadrille: movie 1\npieces:\n  - clip: a.mov\n    in: 1\n    out: 3\n", "c.yaml")
    #expect(throws: FileError.self) { try convert(yaml, "c.edl") }
    #expect(try convert(yaml, "c.edl", rate: Ratio(25, 1)).writing == [])
    #expect(try text("c.edl").contains("00:00:01:00 00:00:03:00"))
  }

  @Test func namesLeadToTheSameClipsFromOtherFolders() throws {
    let yaml = try write(Self.movie, "a.yaml")
    try FileManager.default.createDirectory(atPath: folder.path("media"), withIntermediateDirectories: true)
    _ = try convert(yaml, "media/b.yaml")
    let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    #expect(try MovieFile.read(path: folder.path("media/b.yaml")).document.files == ["\(root)/b.mov", "a.mov"])
  }

  @Test func nothingIsWrittenWhereNothingCanBe() throws {
    let yaml = try write(Self.movie, "a.yaml")
    let refusal = "refusing to overwrite"
    for (input, output, message) in [
      (yaml, "b.mkv", "is not a name for a movie"), (yaml, "b", "is not a name for a movie"), (yaml, "a.yaml", refusal),
      (try write("x", "x.mkv"), "b.edl", "is not a movie"), (folder.path("none.edl"), "b.otio", "no such file"),
      (try write("quadrille: storyboard 1", "s.yaml"), "b.edl", "is not a movie"),
      (try write("quadrille: movie 1\npieces:\n  - clip: b.edl\n    for: 1\nrate: 25", "own.yaml"), "b.edl", refusal),
    ] {
      if message == refusal, output == "b.edl" { _ = try write("kept", "b.edl") }
      let before = try? text(output)
      let error = #expect(throws: FileError.self, "\(input) \(output)") { try convert(input, output) }
      #expect(error?.message.contains(message) == true, "\(String(describing: error))")
      #expect((try? text(output)) == before)
    }
  }
}
