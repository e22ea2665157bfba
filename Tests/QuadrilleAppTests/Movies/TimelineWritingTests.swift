import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies
@testable import QuadrilleApp

/// Timelines of other programs, written as the program does it: read, named from the root, named anew and written.
@Suite(.timeLimit(.minutes(20))) struct TimelineWritingTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    for name in ["cut", "cut/media", "other"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["cut/a b.mov", "cut/media/c.mov", "other/c.mov"] { try Data().write(to: URL(fileURLWithPath: "\(root)/\(name)")) }
  }

  private func clip(_ url: String) -> JSONValue {
    let day: JSONValue = ["OTIO_SCHEMA": "RationalTime.1", "rate": .number("24.0"), "value": .number("86400.0")]
    func range(_ length: String) -> JSONValue {
      let time: JSONValue = ["OTIO_SCHEMA": "RationalTime.1", "rate": .number("24.0"), "value": .number(length)]
      return ["OTIO_SCHEMA": "TimeRange.1", "duration": time, "start_time": day]
    }
    let media: JSONValue = [
      "OTIO_SCHEMA": "ExternalReference.1", "metadata": ["studio": ["reel": "A001"]], "name": "camera",
      "available_range": range("240.0"), "target_url": .string(url),
    ]
    return [
      "OTIO_SCHEMA": "Clip.2", "metadata": ["studio": "x"], "name": "shot", "source_range": range("24.0"), "effects": [],
      "markers": [], "enabled": .boolean(true), "media_references": ["DEFAULT_MEDIA": media], "active_media_reference_key": "DEFAULT_MEDIA",
    ]
  }

  private func timeline(_ urls: [String]) -> JSONValue {
    func track(_ name: String) -> JSONValue {
      ["OTIO_SCHEMA": "Track.1", "kind": "Video", "name": .string(name), "children": .array(urls.map(clip))]
    }
    return [
      "OTIO_SCHEMA": "Timeline.1", "metadata": [:], "name": "", "global_start_time": .null,
      "tracks": ["OTIO_SCHEMA": "Stack.1", "metadata": [:], "name": "tracks", "children": [track("V1"), track("V2")]],
    ]
  }

  /// Writes what a file of the folder "cut" says, and returns what the written one says.
  private func written(_ said: JSONValue, to path: String) throws -> JSONValue {
    let source = "\(root)/cut/in.otio"
    try said.text(inLines: true).write(toFile: source, atomically: true, encoding: .utf8)
    let movie = try MovieFile.read(path: source).document.rooted(movieAt: source, folder: "/")
    let writing = MovieWriting(
      document: movie, file: TypedFile(path: path, spared: [], mayReplace: false), folder: "/", makeAsset: { Asset(path: $0) })
    guard case .written = writing.write() else {
      Issue.record("not written")
      return .null
    }
    return try JSONReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  private var urls: [String] {
    [
      "file://\(root)/cut/a%20b.mov", "file://localhost\(root)/cut/media/c.mov", "./a%20b.mov", "media/c.mov", "a b.mov",
      "../cut/a%20b.mov", "file://\(root)/other/c.mov", "\(root)/cut/a%20b.mov", "gone.mov", "../nowhere/x/../gone.mov",
    ]
  }

  @Test func allComesBackInTheSameFolder() throws {
    let said = timeline(urls)
    #expect(try written(said, to: "\(root)/cut/out.otio") == said)
  }

  /// Names that mean another file there are replaced, and nothing else.
  @Test func onlyNamesChangeInAnotherFolder() throws {
    let expected = [
      "file://\(root)/cut/a%20b.mov", "file://localhost\(root)/cut/media/c.mov", "file://\(root)/cut/a%20b.mov",
      "file://\(root)/cut/media/c.mov", "file://\(root)/cut/a%20b.mov", "../cut/a%20b.mov", "file://\(root)/other/c.mov",
      "\(root)/cut/a%20b.mov", "file://\(root)/cut/gone.mov", "file://\(root)/cut/../nowhere/x/../gone.mov",
    ]
    #expect(try written(timeline(urls), to: "\(root)/other/out.otio") == timeline(expected))
  }

  /// Clips are asked where the movie does not say it; what another program said stays as it was.
  @Test func wholeClipsSayHowLongTheyAre() throws {
    let clip = try SampleClip.h264BFrames.path()
    var movie = MovieDocument(pieces: [MoviePiece(.clip(MovieClip(path: clip)))])
    let path = "\(root)/other/out.otio"
    func write() -> Bool {
      let writing = MovieWriting(
        document: movie, file: TypedFile(path: path, spared: [], mayReplace: true), folder: "/", makeAsset: { Asset(path: $0) })
      if case .written = writing.write() { return true }
      return false
    }
    #expect(write())
    var read = try MovieFile.read(path: path).document
    let length = try #require(read.pieces[0].length)
    let rate = try #require(read.output.rate)
    movie.pieces[0].content = .clip(MovieClip(path: clip, start: .frame(10)))
    #expect(write())
    read = try MovieFile.read(path: path).document
    #expect(read.pieces[0].length == length - MediaTime(frames: 10, at: rate))
    // A timeline that says no range at all.
    var whole = self.clip("file://\(clip)")
    whole["source_range"] = .null
    whole["media_references"]?["DEFAULT_MEDIA"]?["available_range"] = .null
    var said = timeline([])
    said["tracks"]?["children"] = [["OTIO_SCHEMA": "Track.1", "kind": "Video", "name": "", "children": [whole]]]
    #expect(try written(said, to: "\(root)/cut/whole.otio") == said)
    read = try MovieFile.read(path: "\(root)/cut/whole.otio").document
    #expect(read.pieces[0].length == nil)
  }

  /// Writes a movie and composes what was written.
  private func composed(_ movie: MovieDocument, _ name: String) throws -> MovieComposer.Result {
    let path = "\(root)/other/\(name)"
    let writing = MovieWriting(
      document: movie, file: TypedFile(path: path, spared: [], mayReplace: true), folder: "/", makeAsset: { Asset(path: $0) })
    guard case .written(let remarks) = writing.write() else { throw FileError(file: path, line: nil, message: "not written") }
    #expect(remarks.isEmpty, "\(remarks)")
    return try MovieComposer().compose(path: path)
  }

  private func sources(_ made: MovieComposer.Result) -> [TimeRange?] {
    made.composition.tracks[0].segments.map { if case .clip(let clip) = $0.content { clip.timeRange } else { nil } }
  }

  /// Clips are asked by which rate they count, and which timecode their first frame has.
  @Test(arguments: ["out.otio", "out.edl"]) func pointsAreThoseOfTheClips(name: String) throws {
    func sample(_ rate: String, _ more: [String]) throws -> String {
      try SampleMedia.clip(
        name: "written-\(rate)-\(more.count).mov",
        arguments: SampleMedia.numbered(width: 64, height: 36, rate: rate, seconds: 5) + ["-c:v", "libx264"] + more)
    }
    func second(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
    func piece(_ path: String, _ start: ClipPosition?, _ end: MovieClip.End) -> MoviePiece {
      MoviePiece(.clip(MovieClip(path: path, start: start, motion: .plays(speed: Ratio(1, 1), until: end))))
    }
    let fast = try sample("50", []), coded = try sample("50", ["-timecode", "10:00:00:00"])
    let (first, last) = (try #require(Timecode("10:00:01:00")), try #require(Timecode("10:00:02:00")))
    let movie = MovieDocument(
      output: MovieOutput(rate: Ratio(25, 1)),
      pieces: [
        piece(fast, .frame(100), .position(.frame(200))), piece(coded, .timecode(first), .position(.timecode(last))),
        piece(coded, .time(second(3)), .length(second(1))), piece(coded, .frame(100), .position(.frame(150))),
        piece(coded, .listed(first, at: Ratio(25, 1)), .length(second(1))), piece(coded, nil, .clipEnd),
      ])
    let made = try composed(movie, name)
    #expect(made.problems.isEmpty, "\(made.problems)")
    #expect(sources(made) == [
      TimeRange(start: second(2), end: second(4)), TimeRange(start: second(1), end: second(2)),
      TimeRange(start: second(3), end: second(4)), TimeRange(start: second(2), end: second(3)),
      TimeRange(start: second(1), end: second(2)), TimeRange(start: .zero, end: second(5)),
    ])
  }

  /// Times are counted in frames of the movie or of the clip, not in ticks of a file, even if frames differ in duration.
  @Test func timesAreCountedInFrames() throws {
    func sample(_ rate: String, _ more: [String] = []) throws -> String {
      try SampleMedia.clip(
        name: "counted-\(rate)-\(more.count).mp4",
        arguments: SampleMedia.numbered(width: 64, height: 36, rate: rate, seconds: 4) + more + ["-c:v", "libx264"])
    }
    func piece(_ path: String, _ range: ClosedRange<Int>) -> MoviePiece {
      let end = MovieClip.End.position(.frame(range.upperBound + 1))
      return MoviePiece(.clip(MovieClip(path: path, start: .frame(range.lowerBound), motion: .plays(speed: Ratio(1, 1), until: end))))
    }
    let gaps = try sample("30", ["-vf", "select='not(between(mod(n,7),3,4))'", "-fps_mode", "passthrough"])
    let movies = [
      [piece(try sample("25"), 10...29), piece(try sample("30"), 20...50)], [piece(gaps, 4...20), piece(try sample("30"), 20...50)],
    ]
    for (pieces, rates) in zip(movies, [["25.0", "30.0"], ["30.0"]]) {
      let movie = MovieDocument(pieces: pieces)
      let made = try composed(movie, "counted.otio")
      let own = try MovieComposer().compose(movie, movieAt: "\(root)/other/own.yaml")
      #expect(sources(made) == sources(own))
      let text = try String(contentsOfFile: "\(root)/other/counted.otio", encoding: .utf8)
      let said = text.split(separator: "\n").filter { $0.contains("\"rate\"") }
      #expect(!said.isEmpty && said.allSatisfy { line in rates.contains { line.hasSuffix("\"rate\": \($0),") } }, "\(text)")
    }
    // A list, too, has a rate.
    #expect(sources(try composed(MovieDocument(pieces: movies[1]), "counted.edl")).count == 2)
  }

  /// A list that is written as a timeline shows the same.
  @Test func listsPlayTheSameAsTimelines() throws {
    let clip = try SampleMedia.clip(
      name: "written-list.mov",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 20) + ["-c:v", "libx264", "-timecode", "00:00:05:00"])
    let list = "\(root)/cut/in.edl"
    try """
      001 AX V C 00:00:10:00 00:00:12:00 00:00:00:00 00:00:02:00
      * FRAME RATE: 25
      * FROM FILE: \(clip)
      002 AX V D 025 00:00:06:00 00:00:09:00 00:00:02:00 00:00:05:00
      * TO CLIP NAME: again
      * TO FILE: \(clip)
      """.write(toFile: list, atomically: true, encoding: .utf8)
    let read = try MovieFile.read(path: list).document.rooted(movieAt: list, folder: "/")
    let made = try composed(read, "list.otio"), own = try MovieComposer().compose(path: list)
    #expect(sources(made) == sources(own) && made.composition.duration == own.composition.duration)
    #expect(sources(own)[0]?.start == MediaTime(value: 5, timescale: 1), "\(own.problems)")
    #expect(made.problems.isEmpty, "\(made.problems)")
  }

  /// As long as the track that is shown.
  @Test func aWholeClipLastsAsLongAsItsChosenTrack() throws {
    let two = try SampleMedia.clip(
      name: "written-two.mp4",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 2)
        + ["-filter_complex", "[0:v]split[a][b];[b]trim=end=1[c]", "-map", "[a]", "-map", "[c]", "-c:v", "libx264"])
    let movie = MovieDocument(pieces: [MoviePiece(.clip(MovieClip(path: two))), MoviePiece(.clip(MovieClip(path: two)), videoTrack: 2)])
    let made = try composed(movie, "two.otio")
    #expect(sources(made).map { $0?.duration } == [MediaTime(value: 2, timescale: 1), MediaTime(value: 1, timescale: 1)], "\(made.problems)")
  }
}
