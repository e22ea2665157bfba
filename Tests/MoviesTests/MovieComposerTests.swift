import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

/// Compositions made of movie documents: of clips that are there, with problems for those that are not.
@Suite(.timeLimit(.minutes(20))) struct MovieComposerTests {
  private let clip: String

  init() throws {
    clip = try SampleMedia.clip(
      name: "composed.mp4",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 4) + ["-c:v", "libx264", "-g", "25"])
  }

  private func compose(_ text: String) throws -> MovieComposer.Result {
    let folder = try TemporaryFolder()
    let path = folder.path("cut.yaml")
    try ("quadrille: movie 1\n" + text.replacing("CLIP", with: clip)).write(toFile: path, atomically: true, encoding: .utf8)
    return try withExtendedLifetime(folder) { try MovieComposer().compose(path: path) }
  }

  private func seconds(_ n: Int64, _ scale: Int32 = 1) -> MediaTime { MediaTime(value: n, timescale: scale) }

  private func ranges(_ composition: Composition, _ track: Int = 0) -> [(source: TimeRange?, shown: TimeRange)] {
    composition.tracks[track].segments.map { segment in
      guard case .clip(let clip) = segment.content else { return (nil, segment.timeRange) }
      return (clip.timeRange, segment.timeRange)
    }
  }

  @Test func pointsOfAllForms() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          in: 0:01
          out: "#50"
        - clip: CLIP
          in: 00:00:02:05
          for: 1
          speed: 1/2
        - clip: CLIP
          in: 3
        - clip: CLIP
          in: "#10"
          freeze: 2
        - empty: 1/3
      """)
    #expect(made.problems.isEmpty, "\(made.problems)")
    let found = ranges(made.composition)
    #expect(found[0].source == TimeRange(start: seconds(1), end: seconds(2)))
    #expect(found[1].source == TimeRange(start: seconds(55, 25), duration: seconds(1, 2)))
    #expect(found[1].shown == TimeRange(start: seconds(1), duration: seconds(1)))
    #expect(found[2].source == TimeRange(start: seconds(3), end: seconds(4)))
    #expect(found[3].source == TimeRange(start: seconds(10, 25), duration: .zero))
    #expect(made.composition.duration == seconds(1) + seconds(1) + seconds(1) + seconds(2) + seconds(1, 3))
  }

  /// A timecode is counted from the clip's own first one.
  @Test func timecodesAreThoseOfTheClip() throws {
    let coded = try SampleMedia.clip(
      name: "composed-timecode.mov",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 4) + ["-c:v", "libx264", "-timecode", "10:00:00:00"])
    let made = try compose("pieces:\n  - clip: \(coded)\n    in: 10:00:01:05\n    out: 10:00:02:00\n  - clip: \(coded)\n    in: 09:59:59:24\n    for: 1\n")
    #expect(ranges(made.composition).first?.source == TimeRange(start: seconds(30, 25), end: seconds(2)))
    #expect(made.problems.map(\.line) == [7] && made.problems[0].message.contains("starts after timecode 09:59:59:24"), "\(made.problems)")
  }

  private func fast() throws -> String {
    try SampleMedia.clip(
      name: "composed-50.mp4",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "50", seconds: 6) + ["-c:v", "libx264", "-g", "25"])
  }

  /// Frames are the clip's, whatever the movie's rate.
  @Test func framesAreCountedByTheClipsRate() throws {
    let fast = try fast()
    let made = try compose(
      """
      rate: 60
      pieces:
        - clip: CLIP
          in: "#0"
          out: "#48"
        - clip: CLIP
          in: "#50"
          out: "#98"
          transition: dissolve 1.5
        - clip: \(fast)
          in: "#100"
          out: "#200"
        - clip: CLIP
          in: 0
          out: "#25"
          transition: dissolve 1.5
      """)
    #expect(ranges(made.composition)[0].source == TimeRange(start: .zero, end: seconds(48, 25)))
    #expect(ranges(made.composition, 1)[1].source == TimeRange(start: seconds(2), end: seconds(98, 25)))
    #expect(ranges(made.composition, 1)[2].source == TimeRange(start: seconds(2), end: seconds(4)))
    // The last one is shorter than its transition, which only its clip could say.
    #expect(made.problems.map(\.line) == [17] && made.problems[0].message.contains("at most 1.0 s"), "\(made.problems)")
  }

  /// A clip of 400 frames, of which one is missing: on average its rate is nearly the same.
  @Test(arguments: ["mp4", "mkv", "nut"]) func framesOfANearlyConstantRateAreCounted(container: String) throws {
    let gap = try SampleMedia.clip(
      name: "composed-gap.\(container)",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 16) + [
        "-vf", "select='not(eq(n,100))'", "-fps_mode", "passthrough", "-c:v", "libx264", "-g", "25",
      ])
    let made = try compose("pieces:\n  - clip: \(gap)\n    in: \"#99\"\n    out: \"#100\"\n  - clip: \(gap)\n    in: \"#100\"\n    out: \"#200\"\n")
    #expect(made.problems.isEmpty, "\(made.problems)")
    #expect(ranges(made.composition).map { $0.source } == [
      TimeRange(start: seconds(99, 25), end: seconds(101, 25)), TimeRange(start: seconds(101, 25), end: seconds(201, 25)),
    ])
    let frames = try CompositionListing(made.composition).lines(order: .linear).map(\.md5)
    #expect(try frames == Array(FrameListing(path: gap).lines(order: .linear).map(\.md5)[99..<200]))
  }

  /// Stamps in milliseconds, and none is missing: lengths are those of the rate.
  @Test func framesOfRoundedStampsAreCountedByTheRate() throws {
    let film = try SampleMedia.clip(
      name: "composed-film.mkv",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "24000/1001", seconds: 4) + ["-c:v", "libx264", "-g", "24"])
    let made = try compose("pieces:\n  - clip: \(film)\n    in: \"#7\"\n    out: \"#31\"\n")
    #expect(ranges(made.composition).first?.source == TimeRange(start: seconds(7 * 1001, 24000), end: seconds(31 * 1001, 24000)))
  }

  /// A clip of two tracks, the second of which begins a second later.
  @Test(arguments: ["mkv", "mp4"]) func timesOfAllTracksCountFromOneMoment(container: String) throws {
    let other = try fast()
    let both = try SampleMedia.clip(
      name: "composed-two.\(container)",
      arguments: ["-i", clip, "-itsoffset", "1", "-i", other, "-map", "0:v", "-map", "1:v", "-c", "copy", "-disposition:v:0", "default"])
    let made = try compose(
      """
      pieces:
        - {clip: \(both), track: 2}
        - {clip: \(both), track: 2, in: 2, for: 1}
        - {clip: \(both), track: 2, in: "#25", out: "#50"}
        - {clip: \(both), track: 2, in: 00:00:00:25, for: 1}
        - {clip: \(both), in: "#25", for: 1}
      """)
    #expect(made.problems.isEmpty, "\(made.problems)")
    #expect(ranges(made.composition).map { $0.source } == [
      TimeRange(start: seconds(1), end: seconds(7)), TimeRange(start: seconds(2), end: seconds(3)),
      TimeRange(start: seconds(3, 2), end: seconds(2)), TimeRange(start: seconds(3, 2), duration: seconds(1)),
      TimeRange(start: seconds(1), duration: seconds(1)),
    ])
    let frames = try CompositionListing(made.composition).lines(order: .linear).map(\.md5)
    let own = try FrameListing(path: other).lines(order: .linear).map(\.md5)
    var expected = own
    for piece in [50..<100, 25..<50, 25..<75] { expected += own[piece] }
    #expect(Array(frames.prefix(425)) == expected)
  }

  /// Source and record of a list run at its rate.
  @Test(arguments: ["00:00:01:05 00:00:02:10 00:00:00:00 00:00:01:05", "30 60 0 30"]) func pointsOfListsRunAtTheirRate(points: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cut.edl")
    let fast = try fast()
    let list = "001 AX V C \(points)\n* FRAME RATE: 25\n* FROM FILE: \(fast)\n002 AX V C 00:00:00:00 00:00:00:05 00:00:01:05 00:00:01:10\n* FROM FILE: \(clip)\n"
    try list.write(toFile: path, atomically: true, encoding: .utf8)
    let made = try withExtendedLifetime(folder) { try MovieComposer().compose(path: path) }
    #expect(ranges(made.composition).map { $0.source } == [
      TimeRange(start: seconds(6, 5), duration: seconds(6, 5)), TimeRange(start: .zero, duration: seconds(1, 5)),
    ], "\(made.problems)")
  }

  /// A timecode is a name: the clip's own first one says where it is.
  @Test func timecodesOfListsAreFoundInClipsOfOtherRates() throws {
    let coded = try SampleMedia.clip(
      name: "composed-timecode-50.mov",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "50", seconds: 4) + ["-c:v", "libx264", "-timecode", "10:00:00:10"])
    let made = try compose("pieces:\n  - clip: \(coded)\n    in: 10:00:01:05 at 25\n    for: 1\n  - clip: \(coded)\n    in: 10:00:01:04 at 24\n    for: 1\n")
    // 0.2 s and a sixth of a second after the second.
    #expect(ranges(made.composition).map { $0.source?.start } == [seconds(1), seconds(29, 30)], "\(made.problems)")
  }

  /// By the movie's rate where the clip's is not known; where nothing tells, three seconds.
  @Test func thePlaceOfAMissingClipIsAsLongAsItsFramesSay() throws {
    let fast = try fast()
    let made = try compose(
      "rate: 25\npieces:\n  - clip: gone.mp4\n    in: \"#100\"\n    out: \"#150\"\n  - clip: \(fast)\n    in: \"#50\"\n    out: \"#150\"\n    track: 4\n  - clip: gone.mp4\n    in: 1\n    out: \"#50\"\n  - clip: gone.mp4\n    out: 00:00:02:00\n")
    #expect(made.composition.tracks[0].segments.map(\.timeRange.duration) == [seconds(2), seconds(2), seconds(1), seconds(3)], "\(made.problems)")
  }

  // MARK: - Stretches that begin before their clip

  private func early(_ start: MediaTime, _ end: MediaTime, speed: Ratio = Ratio(1, 1)) -> MoviePiece {
    MoviePiece(
      .clip(MovieClip(path: clip, start: .time(start), motion: .plays(speed: speed, until: .position(.time(end))))), line: SourceLine(7))
  }

  /// As transitions of timelines may want: the first frame is held, and all else is as it would be.
  @Test func theFirstFrameIsHeldBeforeTheClip() throws {
    var second = early(.zero - seconds(2, 5), seconds(1))
    second.transition = MovieTransition(.dissolve, length: seconds(1, 2))
    let pieces = [early(.zero, seconds(1)), second, early(.zero - seconds(1), seconds(1), speed: Ratio(-2, 1)), early(.zero - seconds(2), .zero - seconds(1))]
    let made = try MovieComposer().compose(MovieDocument(pieces: pieces), movieAt: "cut.yaml")
    let (one, half) = (seconds(1), seconds(1, 2))
    #expect(made.composition.videoComposition.instructions.map(\.timeRange) == [TimeRange(start: half, duration: half)])
    let found = ranges(made.composition, 1).dropFirst()
    #expect(found.map { $0.source } == [
      TimeRange(start: .zero, duration: .zero), TimeRange(start: .zero, duration: one), TimeRange(start: .zero, duration: one),
      TimeRange(start: .zero, duration: .zero), TimeRange(start: .zero, duration: .zero),
    ])
    #expect(found.map { $0.shown.duration } == [seconds(2, 5), one, half, half, one])
    #expect(made.composition.duration == half + seconds(7, 5) + one + one)
    #expect(made.problems.map(\.message) == [2, 3, 4].map { number in
      "piece \(number): \(clip): starts before its clip; the first frame is held for \([0.4, 0.5, 1][number - 2]) s"
    })
    #expect(made.problems.allSatisfy { $0.line == 7 })
  }

  /// A piece that cannot be put in is named, and so is its line.
  @Test func whatCannotBePutInIsNamed() throws {
    let never = MoviePiece(.clip(MovieClip(path: clip, motion: .freezes(.zero))), line: SourceLine(9))
    let made = try MovieComposer().compose(MovieDocument(pieces: [early(.zero, seconds(1)), never]), movieAt: "cut.yaml")
    #expect(made.problems.count == 1 && made.problems[0].line == 9)
    #expect(made.problems[0].message.hasPrefix("piece 2: \(clip): "), "\(made.problems)")
  }

  // MARK: - Timelines that do not say where their media begin

  private func timeline(_ name: String, from start: Int, rate: String = "25") throws -> MovieComposer.Result {
    func time(_ value: Int) -> JSONValue { ["OTIO_SCHEMA": "RationalTime.1", "rate": .number(rate), "value": .number("\(value)")] }
    let clip: JSONValue = [
      "OTIO_SCHEMA": "Clip.1", "name": "x", "source_range": ["OTIO_SCHEMA": "TimeRange.1", "start_time": time(start), "duration": time(25)],
      "media_reference": ["OTIO_SCHEMA": "ExternalReference.1", "target_url": .string(name)],
    ]
    let track: JSONValue = ["OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [clip]]
    let root: JSONValue = ["OTIO_SCHEMA": "Timeline.1", "tracks": ["OTIO_SCHEMA": "Stack.1", "children": [track]]]
    let folder = try TemporaryFolder()
    let path = folder.path("cut.otio")
    try root.text(inLines: false).write(toFile: path, atomically: true, encoding: .utf8)
    return try withExtendedLifetime(folder) { try MovieComposer().compose(path: path) }
  }

  /// The clip's own first timecode decides where it has no such time.
  @Test func timesBehindTheClipAreTimecodes() throws {
    let coded = try SampleMedia.clip(
      name: "composed-timecode.mov",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 4) + ["-c:v", "libx264", "-timecode", "10:00:00:00"])
    let day = 10 * 3600 * 25
    let found = try timeline(coded, from: day + 30)
    #expect(ranges(found.composition).map { $0.source } == [TimeRange(start: seconds(30, 25), duration: seconds(1))])
    #expect(found.problems.map(\.message) == [
      "piece 1: \(coded): the timeline has no media start time; its times were read as timecode starting at 10:00:00:00"
    ])
    // What the clip has is its own time, and what it has in neither way is held as said.
    for (name, start) in [(coded, 30), (clip, 30), (clip, day + 30), (coded, day - 30), (coded, day + 101)] {
      let plain = try timeline(name, from: start)
      #expect(ranges(plain.composition).first?.source?.start == seconds(Int64(start), 25))
      #expect(!plain.problems.contains { $0.message.contains("read as timecode") })
    }
  }

  /// A clip whose timecode drops names counts so.
  @Test func timesBehindTheClipAreTimecodesThatDropNames() throws {
    let coded = try SampleMedia.clip(
      name: "composed-dropframe.mov",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "30000/1001", seconds: 4) + [
        "-c:v", "libx264", "-timecode", "01:00:00;00",
      ])
    // 108 names have been dropped in an hour.
    let found = try timeline(coded, from: 3600 * 30 - 108 + 60, rate: "29.97002997002997")
    #expect(ranges(found.composition).map { $0.source?.start } == [seconds(60 * 1001, 30000)], "\(found.problems)")
    #expect(found.problems.count == 1 && found.problems[0].message.hasSuffix("timecode starting at 01:00:00;00"), "\(found.problems)")
  }

  /// Nothing is opened to compose pieces by times: that a clip is too short is told when it is opened.
  @Test func whatEndsBehindItsClipIsToldWhenThatIsKnown() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          in: 1
          out: 2
        - clip: CLIP
          in: 3
          for: 1
          speed: 2
        - clip: CLIP
          in: 5
          freeze: 1
      """)
    #expect(made.problems.isEmpty, "\(made.problems)")
    let asset = Asset(composition: made.composition)
    #expect(asset.remarks.isEmpty)
    _ = try asset.wait(for: .facts)
    let said = asset.remarks.map { $0.split(separator: "cut.yaml").last.map(String.init) ?? $0 }
    let ends = "\(clip): ends at 4.0 s; its last frame is held after that"
    #expect(said == [":8: piece 2: \(ends)", ":11: piece 3: \(ends)"])
  }

  /// The length of an MPEG-TS is known when all of it has been read.
  @Test func whatEndsBehindAClipOfUnknownLengthIsToldWhenItHasBeenRead() throws {
    let ts = try SampleMedia.clip(
      name: "composed.ts",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 2)
        + ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "0"])
    let made = try compose("pieces:\n  - clip: \(ts)\n    in: 1\n    for: 3\n")
    #expect(made.problems.isEmpty, "\(made.problems)")
    let asset = Asset(composition: made.composition)
    _ = asset.waitForTimeline()
    #expect(asset.remarks.count == 1 && asset.remarks[0].hasSuffix("ends at 2.0 s; its last frame is held after that"), "\(asset.remarks)")
  }

  @Test func piecesOfATransitionOverlap() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          out: 2
        - clip: CLIP
          in: 1
          out: 3
          transition: dissolve 0.5
        - clip: CLIP
          in: 0
          out: 2
          transition: wipe 1 90 0.2
        - clip: CLIP
          in: 3.5
          transition: fade 0.75 white
      """)
    let video = made.composition.videoComposition
    #expect(video.instructions.map(\.timeRange) == [
      TimeRange(start: seconds(3, 2), duration: seconds(1, 2)), TimeRange(start: seconds(5, 2), duration: seconds(1)),
    ])
    #expect(video.instructions.map(\.from) == [0, 1] && video.instructions.map(\.to) == [1, 0])
    #expect(video.instructions[1].transition == .wipe(angle: 90, softness: 0.2))
    // The third one is longer than what is left of the pieces: it is a cut, and is told of.
    #expect(made.problems.count == 1 && made.problems[0].line == 15, "\(made.problems)")
    #expect(made.composition.duration == seconds(2) + seconds(3, 2) + seconds(1) + seconds(1, 2))
  }

  @Test func whatIsMissingKeepsItsPlaceAndIsNamed() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          out: 1
        - clip: gone.mp4
          for: 2
        - clip: CLIP
          in: 5
        - missing: tape 7
          for: 1
      """)
    #expect(made.problems.map(\.line) == [5, 8, 9])
    #expect(made.problems[0].message.contains("gone.mp4: no such file"))
    #expect(made.composition.tracks[0].segments.count == 4)
    #expect(made.composition.tracks[0].segments[1].timeRange == TimeRange(start: seconds(1), duration: seconds(2)))
  }

  @Test func whatCannotLieOverItIsNamed() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          out: 1
        - clip: CLIP
          out: 1
      overlays:
        - clip: gone.mp4
          at: 0
        - at: 0
          image: gone.png
        - clip: CLIP
          at: 0
          in: 9
      """)
    #expect(made.problems.map(\.message) == [
      "overlay 1: gone.mp4: no such file", "overlay 2: gone.png: no such file",
      "overlay 3: \(clip): has no frames between in (9.0 s) and out",
    ])
    #expect(made.problems.map(\.line) == [8, 11, 14])
  }

  /// Lists of other computers name files where they were there; relative names mean what they say.
  @Test(arguments: [
    "/Volumes/Media/day 1/shot.mp4", "C:\\Footage\\shot.mp4", "C:/Footage/shot.mp4", "\\\\server\\share\\shot.mp4", "away/shot.mp4",
  ]) func filesOfOtherComputersAreFoundBesideTheList(name: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.path("shot.mp4"), withDestinationPath: clip)
    let list = "* FRAME RATE: 25\n001 A V C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\n* FROM FILE: \(name)\n"
    try list.write(toFile: folder.path("cut.edl"), atomically: true, encoding: .utf8)
    let made = try MovieComposer().compose(path: folder.path("cut.edl"))
    let isFound = name != "away/shot.mp4"
    #expect(ranges(made.composition).map { $0.source } == [isFound ? TimeRange(start: .zero, end: seconds(1)) : nil])
    let reason = isFound ? "no such file; using shot.mp4 beside the movie" : "no such file"
    #expect(made.problems.map(\.message) == ["piece 1: \(name): \(reason)"])
  }

  @Test func moviesInMoviesAreSaidNotToBePossible() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          out: 1
        - clip: cut.yaml
          for: 1
      overlays:
        - clip: cut.yaml
          at: 0
      """)
    #expect(made.problems.map(\.message) == [
      "piece 2: cut.yaml: is itself a movie; nested movies are not supported",
      "overlay 1: cut.yaml: is itself a movie; nested movies are not supported",
    ])
  }

  /// Said where the clip's length is known, here since one piece has to ask for it.
  @Test func stretchesBehindTheirClipsEndAreToldOf() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
        - clip: CLIP
          in: 3
          out: 4.02
        - clip: CLIP
          in: 3
          out: 5
        - clip: CLIP
          in: 7
          for: 1
        - clip: CLIP
          in: 4
          freeze: 1
      overlays:
        - clip: CLIP
          in: 2
          out: 6
          at: 0
      """)
    let said = "\(clip): ends at 4.0 s; its last frame is held after that"
    #expect(made.problems.map(\.message) == ["piece 3: \(said)", "piece 4: \(said)", "piece 5: \(said)", "overlay 1: \(said)"])
    #expect(made.problems.map(\.line) == [9, 12, 14, 19])
  }

  /// The reader has told of it already.
  @Test func whatATimelineLacksIsToldOfOnce() throws {
    let path = PackageFolder.root.appendingPathComponent("Tests/MoviesTests/Golden/unknown.otio").path
    let made = try MovieComposer().compose(path: path)
    let missing = try MovieFile.read(path: path).document.pieces.compactMap { piece -> String? in
      if case .missing(let missing) = piece.content { missing.name } else { nil }
    }
    #expect(!missing.isEmpty)
    for name in missing { #expect(made.problems.filter { $0.message.contains(name) }.count == 1, "\(made.problems)") }
  }

  /// A ratio whose numerator has no positive twin.
  @Test func theLargestNegativeSpeed() throws {
    let made = try compose(
      """
      pieces:
        - clip: CLIP
          in: 0
          out: 2
          speed: -2147483648/2147487
      """)
    #expect(ranges(made.composition)[0].source == TimeRange(start: .zero, end: seconds(2)))
    #expect(made.composition.duration < seconds(1, 100))
  }

  @Test func placesAreWorkedOutInTheSizeOfTheTrackThatIsShown() throws {
    // Its second track is half as wide and high.
    let two = try SampleMedia.clip(
      name: "composed-two.mkv",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 1)
        + ["-filter_complex", "[0:v]split[a][b];[b]scale=32:18[c]", "-map", "[a]", "-map", "[c]", "-c:v", "libx264"])
    let made = try compose(
      """
      pieces:
        - clip: \(two)
          track: 2
      overlays:
        - clip: \(two)
          out: 0.5
          at: 0
          place: top-left
      """)
    // As large as the frame, since it is larger.
    #expect(made.composition.videoComposition.overlays.first?.region == .whole, "\(made.problems)")
  }

  @Test func nothingToPlayIsAnError() {
    #expect(throws: FileError.self) { try compose("pieces: []") }
  }

  @Test func overlaysMarksAndOutput() throws {
    let made = try compose(
      """
      title: A cut
      size: 128x72
      rate: 24000/1001
      pieces:
        - clip: CLIP
      overlays:
        - text: |
            Two
            lines
          at: 1
          for: 2
          place: top-left
        - clip: CLIP
          in: 1
          out: 2
          at: 2
          place: bottom-right
          fade: 0.25
      chapters:
        - at: 0
          name: One
        - at: 2
          name: Two
      markers:
        - at: 3
          for: 9
          name: Late
        - at: 0.5
          name: Early
        - at: 4.1
          name: Behind the end
      """)
    #expect(made.problems.map { "\($0)" }.allSatisfy { $0.hasSuffix("marker \"Behind the end\" starts after the end of the movie") })
    #expect(made.problems.count == 1 && made.problems[0].line != nil)
    let composition = made.composition
    #expect(composition.markers == [
      CompositionMarker(timeRange: TimeRange(start: seconds(1, 2), duration: .zero), name: "Early"),
      CompositionMarker(timeRange: TimeRange(start: seconds(3), end: seconds(4)), name: "Late"),
    ])
    #expect(composition.title == "A cut")
    #expect(composition.videoComposition.frameDuration == seconds(1001, 24000))
    #expect(composition.videoComposition.renderSize?.width == 128)
    #expect(composition.chapters.map(\.timeRange) == [
      TimeRange(start: .zero, end: seconds(2)), TimeRange(start: seconds(2), end: seconds(4)),
    ])
    let overlays = composition.videoComposition.overlays
    guard case .text(let lines, let placement) = overlays[0].content else { return #expect(Bool(false), "no text") }
    #expect(lines.map(\.text).prefix(2) == ["Two", "lines"])
    #expect(placement.horizontal == .left && placement.vertical == .top && placement.maxWidth == 1)
    // As large as it is, in the corner: half of the frame.
    #expect(abs(overlays[1].region.x - 0.5) < 1e-9 && abs(overlays[1].region.width - 0.5) < 1e-9)
    #expect(overlays[1].timeRange == TimeRange(start: seconds(2), duration: seconds(1)) && overlays[1].fadeIn == seconds(1, 4))
  }
}
