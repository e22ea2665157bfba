import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct OTIOTests {
  private func golden(_ name: String) throws -> MovieFile.Reading {
    try MovieFile.read(path: PackageFolder.root.appendingPathComponent("Tests/MoviesTests/Golden/\(name).otio").path)
  }

  private func written(_ movie: MovieDocument) throws -> JSONValue {
    try JSONReader.read(try MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio").0)
  }

  private func again(_ movie: MovieDocument) throws -> MovieFile.Reading {
    try MovieFile.read(
      try MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio").0, form: .openTimelineIO, name: "a.otio")
  }

  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 24) }

  @Test func piecesOverlapAndRemainWhatTheyAre() throws {
    let reading = try golden("plain")
    let movie = reading.document
    #expect(movie.title == "Plain")
    #expect(movie.startTimecode == Timecode("01:00:00:00"))
    #expect(movie.output.rate == Ratio(24, 1))
    // 24 frames in, 18 beyond the cut.
    let one = MovieClip(
      path: "/media/one.mov", start: .time(frames(24)),
      motion: .plays(speed: Ratio(1, 1), until: .position(.time(frames(24 + 48 + 18)))))
    #expect(movie.pieces[0].content == .clip(one))
    #expect(movie.pieces[1].transition?.length == frames(24))
    #expect(movie.pieces[1].transition?.cut == frames(6))
    // Twice as fast: 48 frames of the movie show 96 of the clip.
    let fast = MovieClip(
      path: "/media/fast.mov", start: .time(.zero), motion: .plays(speed: Ratio(2, 1), until: .length(frames(48))))
    #expect(movie.pieces[3].content == .clip(fast))
    #expect(movie.pieces[4].length(rate: nil) == frames(47))
    guard case .clip(let slow) = movie.pieces[4].content, case .plays(let speed, _) = slow.motion else {
      Issue.record("no clip")
      return
    }
    #expect(speed == Ratio(1, 3))
    #expect(
      reading.remarks == [
        "\"lost\": has no media", "\"graded\": effect \"Grade\" is not shown",
        "transition \"iris\" of type \"Custom_Transition\" is shown as a dissolve",
      ])
    #expect(movie.sounds.count == 1 && movie.pieces[0].sound.isMuted)
  }

  @Test func tracksInTracksBecomePieces() throws {
    let reading = try golden("structure")
    let movie = reading.document
    // Of three clips of 24 frames in a row, the range from 12 to 60.
    #expect(movie.pieces.map { $0.length(rate: nil) } == [frames(48), frames(12), frames(24), frames(12), frames(24)])
    guard case .clip(let first) = movie.pieces[1].content, case .missing(let both) = movie.pieces[4].content else {
      Issue.record("other pieces")
      return
    }
    #expect(first.start == .time(frames(12)))
    #expect(both.reason == "Stack inside a track is not supported")
    #expect(movie.markers.map(\.name) == ["on the stack", "here"])
    #expect(movie.markers.map(\.time) == [frames(5), frames(12)])
    #expect(movie.overlays.map(\.start) == [frames(10), frames(30)])
    #expect(
      reading.remarks == [
        "a nested Track was flattened into its pieces", "\"both\": Stack inside a track is not supported",
        "track \"V3\" (video) is not shown, but kept", "track \"V4\" (video) is disabled, but kept",
      ])
    let back = try again(movie).document
    #expect(back.pieces.map(\.content) == movie.pieces.map(\.content))
    #expect(back.overlays.map(\.content) == movie.overlays.map(\.content))
    #expect(back.overlays.map(\.start) == movie.overlays.map(\.start))
    #expect(back.markers.map(\.time) == movie.markers.map(\.time))
    #expect(try written(movie)["tracks"]?["children"]?.elements?.count == 4)
  }

  /// A track that is kept between the others takes nothing of theirs.
  @Test func tracksKeepTheirPlaces() throws {
    let text = try PackageFolder.text(of: "Tests/MoviesTests/Golden/structure.otio")
    var root = try JSONReader.read(Array(text.utf8))
    var tracks = try #require(root["tracks"]?["children"]?.elements)
    tracks.swapAt(1, 2)
    root["tracks"]?["children"] = .array(tracks)
    let bytes = Array(root.text(inLines: false).utf8)
    let movie = try MovieFile.read(bytes, form: .openTimelineIO, name: "a.otio").document
    #expect(movie.overlays.count == 2)
    let children = try #require(try written(movie)["tracks"]?["children"]?.elements)
    #expect(Array(children[1...]) == Array(tracks[1...]))
    var shifted = movie
    shifted.overlays[0].start = frames(4)
    let back = try again(shifted).document
    #expect(back.overlays.map(\.start) == [frames(4), frames(30)])
    #expect(try written(shifted)["tracks"]?["children"]?.elements?.map { $0["name"] } == tracks.map { $0["name"] })
  }

  private func range(_ start: Int, _ length: Int) -> JSONValue {
    OTIOTime.json(start: frames(Int64(start)), duration: frames(Int64(length)), rates: [Ratio(24, 1)])
  }

  private func transition(_ before: Int64, _ after: Int64) -> JSONValue {
    OTIOTransition.json(MovieTransition(.dissolve, length: frames(before + after), cut: frames(before)), rates: [Ratio(24, 1)])
  }

  private func timeline(_ children: [JSONValue]) throws -> MovieFile.Reading {
    let track: JSONValue = ["OTIO_SCHEMA": "Sequence.1", "kind": "Video", "children": .array(children)]
    let root: JSONValue = ["OTIO_SCHEMA": "Timeline.1", "tracks": ["OTIO_SCHEMA": "Stack.1", "children": [track]]]
    return try MovieFile.read(Array(root.text(inLines: false).utf8), form: .openTimelineIO, name: "a.otio")
  }

  @Test func transitionsFitIntoTheTrack() throws {
    let gap: JSONValue = ["OTIO_SCHEMA": "Filler.1", "source_range": range(0, 48)]
    let short: JSONValue = ["OTIO_SCHEMA": "Gap.1", "source_range": range(0, 4)]
    let ends = try timeline([transition(5, 7), gap, transition(6, 3)])
    #expect(ends.remarks == ["a transition at the start or end of the track was trimmed to the track"])
    #expect(ends.document.pieces.map { $0.transition?.length } == [nil, frames(7), frames(6)])
    #expect(ends.document.pieces.map { $0.length(rate: nil) } == [frames(7), frames(48), frames(6)])
    let crowded = try timeline([gap, transition(2, 3), short, transition(2, 2), gap])
    #expect(crowded.remarks == ["piece 2 is shorter than its transitions; replaced by cuts"])
    #expect(crowded.document.pieces.map { $0.length(rate: nil) } == [frames(48), frames(4), frames(48)])
    #expect(try timeline([gap, transition(1, 0), transition(2, 2), gap]).remarks.count == 1)
  }

  @Test func whatLastsNoTimeIsLeftOut() throws {
    let gap: JSONValue = ["OTIO_SCHEMA": "Gap.1", "source_range": range(0, 48)]
    let nothing: JSONValue = ["OTIO_SCHEMA": "Gap.1", "name": "none", "source_range": range(0, 0)]
    let reading = try timeline([gap, nothing, gap])
    #expect(reading.document.pieces.count == 2)
    #expect(reading.remarks == ["\"none\" has no duration; ignored"])
  }

  @Test func addressesAreFilesOrMissing() throws {
    let paths = try golden("addresses").document.pieces.map { piece in
      switch piece.content {
      case .clip(let clip): clip.path
      case .missing(let piece): piece.reason
      case .empty: "empty"
      }
    }
    #expect(
      paths == [
        "/media/a b#c.mov", "/media/d.mov", "media/e f.mov", "media/100%.mov", "/media/g h.mov",
        "/media/" + Asset.path(ofBytes: [0xFF, 0xFE]) + ".mov",
        "network sources are not supported yet", "network sources are not supported yet", "S:\\media\\k.mov",
      ])
    for path in ["a b.mov", "/é/#?.mov", "a:b.mov", Asset.path(ofBytes: [0x61, 0xFF, 0x25]), "%41", "日本"] {
      #expect(FileAddress.path(FileAddress.url(path)) == path, "\(path)")
    }
  }

  @Test func ratesAreExact() throws {
    let rates = try golden("rates").document.pieces.map { $0.length(rate: nil) }
    let film = MediaTime(value: 10010, timescale: 24000)
    let video = MediaTime(value: 10010, timescale: 30000)
    #expect(
      rates == [
        film, film, film, video, video, MediaTime(value: 10010, timescale: 60000), MediaTime(value: 10, timescale: 25),
        MediaTime(value: 20, timescale: 25),
      ])
    #expect(FrameRate.snapped(23.97) == Ratio(24000, 1001))
    #expect(FrameRate.snapped(119.88) == Ratio(120_000, 1001))
    #expect(FrameRate.snapped(90000) == Ratio(90000, 1))
    #expect(FrameRate.snapped(.nan) == nil && FrameRate.snapped(-24) == nil && FrameRate.snapped(0) == nil)
  }

  /// Changes are written anew; all else stays.
  @Test func changesAreWrittenOverWhatWasKept() throws {
    var movie = try golden("plain").document
    guard case .clip(var clip) = movie.pieces[3].content else {
      Issue.record("no clip")
      return
    }
    clip.motion = .plays(speed: Ratio(-1, 2), until: .length(frames(30)))
    clip.path = "other.mov"
    movie.pieces[3].content = .clip(clip)
    movie.pieces[1].transition?.kind = .push(angle: 90)
    let children = try #require(try written(movie)["tracks"]?["children"]?.elements?[0]["children"]?.elements)
    let changed = children[4]
    #expect(changed["effects"]?.elements?.count == 1)
    #expect(changed["effects"]?.elements?[0]["time_scalar"] == .number("-0.5"))
    #expect(changed["media_references"]?["DEFAULT_MEDIA"]?["target_url"] == "other.mov")
    #expect(changed["source_range"]?["duration"]?["value"] == .number("30.0"))
    #expect(children[1]["metadata"]?["studio"]?["curve"] == "S")
    let back = try again(movie).document
    #expect(back.pieces.map(\.content) == movie.pieces.map(\.content))
    #expect(back.pieces[1].transition?.kind == .push(angle: 90))
  }

  @Test func whatTheFormatHasNoPlaceForComesBack() throws {
    var second = MoviePiece(
      .clip(MovieClip(path: "b.mov", start: .frame(10), motion: .freezes(frames(48)))), name: "B", videoTrack: 2)
    second.transition = MovieTransition(.fade(through: .white), length: frames(12), cut: frames(4))
    var third = MoviePiece(.missing(MissingPiece(name: "gone", reason: "is away", length: frames(24))))
    third.transition = MovieTransition(.wipe(angle: 30, softness: 0.5), length: frames(6))
    let first = MovieClip(path: "a.mov", start: .frame(0), motion: .plays(speed: Ratio(3, 7), until: .length(frames(60))))
    let movie = MovieDocument(
      title: "T", output: MovieOutput(size: PixelSize(width: 64, height: 48), rate: Ratio(24, 1), pixelFormat: "gray", blending: .linear),
      startTimecode: Timecode("01:00:00:00"), pieces: [MoviePiece(.clip(first)), second, third],
      overlays: [
        MovieOverlay(.text("x\ny", length: nil), start: frames(1), place: .named(.topLeft), fadeIn: frames(3)),
        MovieOverlay(
          .clip(
            MovieClip(path: "c.mov", start: .time(.zero), motion: .plays(speed: Ratio(1, 1), until: .position(.time(frames(9)))))),
          start: frames(5), place: .named(.full)),
      ],
      markers: [MovieMarker(time: frames(3), length: frames(4), name: "m")], chapters: [MovieMarker(time: .zero, name: "c")])
    let back = try again(movie)
    #expect(back.remarks == ["\"gone\": is away"])
    #expect(back.document.title == movie.title && back.document.output == movie.output)
    #expect(back.document.startTimecode == movie.startTimecode)
    #expect(back.document.pieces.map { $0.length(rate: nil) } == movie.pieces.map { $0.length(rate: nil) })
    #expect(back.document.pieces.map(\.videoTrack) == [nil, 2, nil])
    #expect(back.document.pieces.map(\.name) == [nil, "B", "gone"])
    #expect(back.document.pieces.map { $0.transition?.kind } == movie.pieces.map { $0.transition?.kind })
    #expect(back.document.pieces.map { $0.transition?.cut } == movie.pieces.map { $0.transition?.cut })
    #expect(back.document.pieces[2].content == movie.pieces[2].content)
    #expect(Set(back.document.overlays.map(\.start)) == Set(movie.overlays.map(\.start)))
    #expect(back.document.overlays.contains(movie.overlays[0]))
    #expect(back.document.chapters == movie.chapters)
    #expect(back.document.markers.map(\.name) == ["m"])
    #expect(try again(back.document).document == back.document)
  }

  /// Where nobody knows by which rate it counts, and where names are dropped, a number of frames cannot tell it.
  @Test(
    arguments: [
      ("01:00:00:00", nil), ("01:00:00;02", nil), ("01:00:00;02", Ratio(30000, 1001)), ("01:00:00:02", Ratio(30000, 1001)),
    ] as [(String, Ratio?)])
  func whereAMovieBeginsComesBack(text: String, rate: Ratio?) throws {
    let code = try #require(Timecode(text))
    let length = MediaTime(frames: 30, at: rate ?? Ratio(24, 1))
    let piece = MoviePiece(.clip(MovieClip(path: "a.mov", motion: .plays(speed: Ratio(1, 1), until: .length(length)))))
    let movie = MovieDocument(output: MovieOutput(rate: rate), startTimecode: code, pieces: [piece])
    let back = try again(movie)
    #expect(back.document.startTimecode == code)
    #expect(try again(back.document).document.startTimecode == code)
    if rate == nil { #expect(try written(movie)["global_start_time"] == .null) }
  }

  /// A track whose first piece ends amid a frame seems to have another rate than the movie.
  @Test(arguments: ["01:00:00:07", "00:00:00;10"]) func theRateComesBackWhereTheTrackDoesNotTell(code: String) throws {
    let lengths = [MediaTime(value: 1, timescale: 3), MediaTime(value: 2, timescale: 1)]
    let pieces = lengths.map { MoviePiece(.clip(MovieClip(path: "a.mov", motion: .plays(speed: Ratio(1, 1), until: .length($0))))) }
    let start = try #require(Timecode(code))
    let rate = start.isDropFrame ? Ratio(30000, 1001) : Ratio(25, 1)
    let movie = MovieDocument(output: MovieOutput(rate: rate), startTimecode: start, pieces: pieces)
    let back = try again(movie).document
    #expect(back.output.rate == rate && back.startTimecode == start)
    #expect(back.pieces.map { $0.length(rate: nil) } == lengths)
    #expect(try again(back).document == back)
  }

  /// A transition may take half a frame of a clip that is shown slowly.
  @Test func cutsBetweenFramesAreExact() throws {
    let slow = MovieClip(path: "a.mov", start: .frame(10), motion: .plays(speed: Ratio(-1, 2), until: .position(.frame(40))))
    let plain = MovieClip(path: "b.mov", start: .frame(0), motion: .plays(speed: Ratio(1, 1), until: .position(.frame(60))))
    var second = MoviePiece(.clip(plain))
    let quarter = MediaTime(value: 1, timescale: 4)
    second.transition = MovieTransition(.wipe(angle: 0, softness: 0), length: MediaTime(value: 1, timescale: 2), cut: quarter)
    let movie = MovieDocument(output: MovieOutput(rate: Ratio(25, 1)), pieces: [MoviePiece(.clip(slow)), second])
    #expect(try again(movie).document.pieces.map { $0.length(rate: nil) } == movie.pieces.map { $0.length(rate: Ratio(25, 1)) })
    let children = try #require(try written(movie)["tracks"]?["children"]?.elements?[0]["children"]?.elements)
    // Backwards it ends with its earliest frames.
    #expect(OTIOTime.time(children[0]["source_range"]?["start_time"]) == MediaTime(value: 10, timescale: 25) + MediaTime(value: 1, timescale: 8))
    #expect(OTIOTime.time(children[2]["source_range"]?["start_time"]) == quarter)
  }

  /// A point that is a timecode cannot lie between frames: that it was moved is said.
  @Test func aTimecodeThatIsRoundedIsRemarkedOn() throws {
    func remarks(cut: MediaTime) throws -> [String] {
      let code = try #require(Timecode("01:00:00:00"))
      let clip = MovieClip(
        path: "b.mov", start: .listed(code, at: Ratio(24, 1)), motion: .plays(speed: Ratio(1, 1), until: .length(frames(96))))
      var second = MoviePiece(.clip(clip))
      second.transition = MovieTransition(.dissolve, length: frames(12), cut: cut)
      let first = MovieClip(path: "a.mov", start: .frame(0), motion: .plays(speed: Ratio(1, 1), until: .length(frames(60))))
      let movie = MovieDocument(output: MovieOutput(rate: Ratio(24, 1)), pieces: [MoviePiece(.clip(first)), second])
      return try MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio").1
    }
    #expect(try remarks(cut: frames(6)) == [])
    #expect(
      try remarks(cut: MediaTime(value: 9, timescale: 48))
        == ["piece 2: the in point is a timecode, rounded to the nearest frame"])
  }

  /// Nobody has asked the clip by which rate it counts.
  @Test func pointsOfTheClipAreCountedAtTheMoviesRate() throws {
    let clip = MovieClip(path: "a.mov", start: .frame(24), motion: .plays(speed: Ratio(1, 1), until: .position(.frame(48))))
    let movie = MovieDocument(output: MovieOutput(rate: Ratio(24, 1)), pieces: [MoviePiece(.clip(clip))])
    let (bytes, remarks) = try MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio")
    #expect(remarks == ["frames and timecodes of a.mov were counted at the movie's rate, 24"])
    let back = try MovieFile.read(bytes, form: .openTimelineIO, name: "a.otio").document
    #expect(back.pieces[0].content == .clip(MovieClip(path: "a.mov", start: .time(frames(24)), motion: .plays(speed: Ratio(1, 1), until: .position(.time(frames(48)))))))
  }

  @Test func aWholeClipNeedsNoRange() throws {
    let movie = MovieDocument(pieces: [MoviePiece(.clip(MovieClip(path: "a.mov")))])
    #expect(try again(movie).document.pieces.map(\.content) == movie.pieces.map(\.content))
    let open = MovieDocument(pieces: [MoviePiece(.clip(MovieClip(path: "a.mov", start: .frame(3))), line: SourceLine(4))])
    let error = #expect(throws: FileError.self) { try written(open) }
    #expect(error?.description == "a.otio:4: piece 1 has no end, which OpenTimelineIO needs; add \"out:\" or \"for:\"")
  }

  @Test(arguments: [
    ("{", "a.otio:1: invalid JSON: expected a quoted key"),
    ("[]", "a.otio:1: OTIO_SCHEMA: expected a Timeline, not something else"),
    (#"{"OTIO_SCHEMA":"Clip.2"}"#, "a.otio:1: OTIO_SCHEMA: expected a Timeline, not \"Clip\""),
    (#"{"OTIO_SCHEMA":"Timeline.1","tracks":{}}"#, "a.otio: tracks: expected a Stack with children"),
  ])
  func errorsSayWhatWasExpected(text: String, message: String) {
    let error = #expect(throws: FileError.self) { try MovieFile.read(Array(text.utf8), form: .openTimelineIO, name: "a.otio") }
    #expect(error?.description == message)
  }

  /// Nonsense at any place of a file is read or refused, and what is read can be written as YAML and read again.
  @Test(arguments: TestSeeds.first(150)) func damageIsMet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let name = ["plain", "structure", "ends"].randomElement(using: &random) ?? "plain"
    var root = try JSONReader.read(Array(try PackageFolder.text(of: "Tests/MoviesTests/Golden/\(name).otio").utf8))
    for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&root, &random) }
    let bytes = Array(root.text(inLines: false).utf8)
    guard let movie = try? MovieFile.read(bytes, form: .openTimelineIO, name: "a.otio").document else { return }
    _ = try? MovieFile.bytes(of: movie, form: .edl, name: "a.edl")
    _ = try? MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio")
    let yaml = try MovieFile.bytes(of: movie, form: .yaml, name: "a.yaml").0
    #expect(try MovieFile.read(yaml, form: .yaml, name: "a.yaml").document == movie)
  }

  private func damage(_ value: inout JSONValue, _ random: inout SeededGenerator) {
    let wild: [JSONValue] = [
      .null, .number("NaN"), .number("1e308"), .number("-1e9"), .number("0"), .number("1e-300"), .number("9007199254740993"),
      .string(""), [], [:],
      .boolean(false), .number("1000000000.5"),
    ]
    switch value {
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<12, using: &random) > 0:
      damage(&elements[Int.random(in: 0..<elements.count, using: &random)], &random)
      value = .array(elements)
    case .object(var members) where !members.isEmpty && Int.random(in: 0..<12, using: &random) > 0:
      damage(&members[Int.random(in: 0..<members.count, using: &random)].value, &random)
      value = .object(members)
    default: value = wild.randomElement(using: &random) ?? .null
    }
  }
}
