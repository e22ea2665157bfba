import Glibc
import PlainText
import Playback
import TestSupport
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct YAMLMovieTests {
  private func read(_ text: String) throws -> MovieDocument {
    try MovieFile.read(Array(text.utf8), form: .yaml, name: "cut.yaml").document
  }

  private func pieces(_ lines: String) throws -> [MoviePiece] {
    try read("quadrille: movie 1\nrate: 25\npieces:\n" + lines).pieces
  }

  @Test func whatPeopleWrite() throws {
    let movie = try read(
      """
      # My film
      quadrille: movie 1
      title: "A film: first cut"
      rate: 23.976
      size: 1280x720
      pixel-format: yuv420p
      timecode: 01:00:00:00
      pieces:
        - clip: intro.mp4
          in: 0:03.2
          out: "#240"
          speed: 1/2
        - clip: b.mp4
          in: 01:00:03:05
          for: 48f
          track: 2
          transition: dissolve 0.5
        - empty: 2
          transition: wipe 12f 90 0.25 cut 0.25
        - clip: c.mp4
          in: "#7"
          freeze: 1001/30000
        - missing: lost.mov
          reason: is lost
          for: 3
          transition: fade 1/50 white
      overlays:
        - text: A title
          at: 0:01
          for: 3
          place: bottom
          fade: 0.5
        - image: logo.png
          at: 0
          place: 0.7 0.1 0.2 0.2
          opacity: 0.5
        - clip: pip.mp4
          in: 1
          out: 2
          at: 4
          place: top-right
          fade: 0 1
      markers:
        - at: 2.5
          name: here
      chapters:
        - at: 0
          name: First
      """)
    let rate = Ratio(24000, 1001)
    #expect(movie.title == "A film: first cut")
    #expect(movie.output == MovieOutput(size: PixelSize(width: 1280, height: 720), rate: rate, pixelFormat: "yuv420p"))
    #expect(movie.startTimecode == Timecode("01:00:00:00"))
    let clip = MovieClip(
      path: "intro.mp4", start: .time(MediaTime(value: 32, timescale: 10)),
      motion: .plays(speed: Ratio(1, 2), until: .position(.frame(240))))
    #expect(movie.pieces[0].content == .clip(clip))
    #expect(movie.pieces[0].line.number == 9)
    #expect(movie.pieces[1].transition == MovieTransition(.dissolve, length: MediaTime(value: 1, timescale: 2)))
    #expect(movie.pieces[1].videoTrack == 2)
    #expect(movie.pieces[1].length(rate: rate) == MediaTime(value: 48 * 1001, timescale: 24000))
    #expect(movie.pieces[2].content == .empty(MediaTime(value: 2, timescale: 1)))
    #expect(movie.pieces[2].transition?.kind == .wipe(angle: 90, softness: 0.25))
    #expect(movie.pieces[2].transition?.cut == MediaTime(value: 1, timescale: 4))
    #expect(
      movie.pieces[3].content
        == .clip(MovieClip(path: "c.mp4", start: .frame(7), motion: .freezes(MediaTime(value: 1001, timescale: 30000)))))
    #expect(
      movie.pieces[4].content
        == .missing(MissingPiece(name: "lost.mov", reason: "is lost", length: MediaTime(value: 3, timescale: 1))))
    #expect(
      movie.overlays.map(\.place) == [.named(.bottom), .rectangle(x: 0.7, y: 0.1, width: 0.2, height: 0.2), .named(.topRight)])
    #expect(movie.overlays[2].fadeIn == .zero && movie.overlays[2].fadeOut == MediaTime(value: 1, timescale: 1))
    #expect(movie.markers == [MovieMarker(time: MediaTime(value: 5, timescale: 2), name: "here")])
    #expect(movie.chapters.count == 1)
  }

  @Test(arguments: [
    ("", "cut.yaml: empty file; expected \"quadrille: movie 1\""),
    ("- a", "cut.yaml:1: expected \"quadrille: movie 1\" as the first line"),
    ("title: a\nquadrille: movie 1", "cut.yaml:1: expected \"quadrille: movie 1\" as the first line"),
    (
      "quadrille: movie 2",
      "cut.yaml:1: quadrille: \"movie 2\" is a newer format; this version reads \"movie 1\""
    ),
    ("quadrille: storyboard 1", "cut.yaml:1: quadrille: expected \"movie 1\", not \"storyboard 1\""),
    ("quadrille: [movie]", "cut.yaml:1: quadrille: expected \"movie 1\""),
    ("quadrille: movie 1\nrate: 0", "cut.yaml:2: rate: \"0\" is not a frame rate such as 25 or 24000/1001"),
    ("quadrille: movie 1\nsize: 1280", "cut.yaml:2: size: \"1280\" is not a size such as 1280x720, at most 16384 a side and 64 megapixels"),
    ("quadrille: movie 1\nblending: gamma", "cut.yaml:2: blending: \"gamma\" is not coded or linear"),
    ("quadrille: movie 1\npieces: 3", "cut.yaml:2: pieces: expected a list, with \"- \" before each item"),
    (
      "quadrille: movie 1\nfoo: 3",
      "cut.yaml:2: unknown key \"foo\" in a movie; expected one of quadrille, title, size, rate, pixel-format, blending, timecode, pieces, overlays, sounds, crossfade, markers, chapters, otio"
    ),
    (
      "quadrille: movie 1\npieces:\n- a: b",
      "cut.yaml:3: unknown key \"a\" in a piece; expected one of clip, empty, missing, in, out, for, speed, freeze, reason, name, track, volume, mute, transition, otio, transition-otio"
    ),
    ("quadrille: movie 1\npieces:\n- clip: a\n  empty: 2", "cut.yaml:3: a piece needs exactly one of clip, empty and missing"),
    (
      "quadrille: movie 1\npieces:\n- clip: a\n  in: #96",
      "cut.yaml:4: in: no value; expected \(TimeText.positionExpected) (put a value that starts with # in quotes)"
    ),
    ("quadrille: movie 1\npieces:\n- clip: a\n  out: soon", "cut.yaml:4: out: \"soon\" is not \(TimeText.positionExpected)"),
    (
      "quadrille: movie 1\npieces:\n- clip: a\n  in: -1",
      "cut.yaml:4: in: -0:01 is before the clip's first frame; expected \(TimeText.positionExpected)"
    ),
    ("quadrille: movie 1\npieces:\n- clip: a\n  in: 01:00:00:00 at 0", "cut.yaml:4: in: \"01:00:00:00 at 0\" is not \(TimeText.positionExpected)"),
    ("quadrille: movie 1\npieces:\n- clip: a\n  in: 2\n  out: 1", "cut.yaml:5: out: must be after in"),
    ("quadrille: movie 1\npieces:\n- clip: a\n  out: 2\n  for: 1", "cut.yaml:5: for: cannot be combined with out"),
    (
      "quadrille: movie 1\npieces:\n- clip: a\n  speed: 0",
      "cut.yaml:4: speed: \"0\" is not a speed such as 2, 1/2 or -1; to hold a frame, use \"freeze: DURATION\""
    ),
    ("quadrille: movie 1\npieces:\n- clip: a\n  speed: 2\n  freeze: 1", "cut.yaml:4: speed: cannot be combined with freeze"),
    ("quadrille: movie 1\npieces:\n- empty: 2\n  in: 1", "cut.yaml:4: in: cannot be combined with empty"),
    ("quadrille: movie 1\npieces:\n- empty: -2", "cut.yaml:3: empty: \"-2\" is not \(TimeText.lengthExpected)"),
    ("quadrille: movie 1\npieces:\n- empty: 48f", "cut.yaml:3: empty: \"48f\" is not \(TimeText.lengthExpected)"),
    (
      "quadrille: movie 1\npieces:\n- clip: a\n  transition: dissolve 1",
      "cut.yaml:4: transition: the first piece cannot have a transition"
    ),
    (
      "quadrille: movie 1\npieces:\n- clip: a\n- clip: b\n  transition: melt 1",
      "cut.yaml:5: transition: \"melt 1\" is not \(TransitionText.expected)"
    ),
    (
      "quadrille: movie 1\npieces:\n- empty: 1\n- empty: 2\n  transition: dissolve 1.5",
      "cut.yaml:5: transition: expected at most 1 s, what the previous piece has left"
    ),
    (
      "quadrille: movie 1\npieces:\n- empty: 3\n- empty: 1\n  name: Short\n  transition: dissolve 1.5",
      "cut.yaml:6: transition: expected at most 1 s, the duration of this piece"
    ),
    (
      "quadrille: movie 1\npieces:\n- empty: 3\n- empty: 2\n  transition: push 1.5\n- empty: 3\n  transition: push 1",
      "cut.yaml:7: transition: expected at most 0.5 s, what the previous piece has left"
    ),
    (
      "quadrille: movie 1\npieces:\n- clip: http://example.org/a.mp4",
      "cut.yaml:3: clip: \"http://example.org/a.mp4\": network sources are not supported yet (http:)"
    ),
    (
      "quadrille: movie 1\npieces:\n- clip: RTSP:camera",
      "cut.yaml:3: clip: \"RTSP:camera\": network sources are not supported yet (rtsp:)"
    ),
    ("quadrille: movie 1\npieces:\n- clip: ''", "cut.yaml:3: clip: \"\" is not a file name"),
    ("quadrille: movie 1\noverlays:\n- text: a", "cut.yaml:3: at: missing; expected \(TimeText.timeExpected)"),
    ("quadrille: movie 1\noverlays:\n- text: a\n  at: 1\n  opacity: 2", "cut.yaml:5: opacity: \"2\" is not a number from 0 to 1"),
    ("quadrille: movie 1\noverlays:\n- text: a\n  at: 1\n  in: 2", "cut.yaml:5: in: cannot be combined with text"),
    ("quadrille: movie 1\na: &x [1]\nb: *x", "cut.yaml:2: anchors and aliases are not supported"),
    ("quadrille: movie 1\notio: '{'", "cut.yaml:2: otio: invalid JSON: expected a quoted key"),
  ])
  func errorsNameLineKeyAndWhatWasExpected(text: String, message: String) {
    let error = #expect(throws: FileError.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test func tooMuchIsRefused() {
    let many = "quadrille: movie 1\npieces:\n" + String(repeating: "- empty: 1\n", count: 100_001)
    #expect(throws: FileError(file: "cut.yaml", line: 3, message: "pieces: more than 100000 items")) { try read(many) }
    let long = "quadrille: movie 1\ntitle: " + String(repeating: "a", count: 16_385)
    #expect(throws: FileError(file: "cut.yaml", line: 2, message: "title: longer than 16384 bytes")) { try read(long) }
    let path = "quadrille: movie 1\npieces:\n- clip: " + String(repeating: "a", count: 4097)
    #expect(throws: FileError(file: "cut.yaml", line: 3, message: "clip: longer than 4096 bytes")) { try read(path) }
  }

  @Test func otherBytesThanUTF8AreNamedByLine() {
    let error = #expect(throws: FileError.self) {
      try MovieFile.read(Array("quadrille: movie 1\ntitle: ".utf8) + [0xFF], form: .yaml, name: "cut.yaml")
    }
    #expect(error?.line == 2)
  }

  @Test(arguments: TestSeeds.first(400)) func whatIsWrittenIsReadAgain(seed: UInt64) throws {
    var random = RandomMovies(seed: seed)
    let movie = random.movie()
    let text = YAMLMovieWriter.text(of: movie)
    let again = try read(text)
    #expect(again == movie)
    // Strings that are equal may be other bytes.
    #expect(YAMLMovieWriter.text(of: again).utf8.elementsEqual(text.utf8))
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersTerminals })
  }

  @Test func plainTextStaysPlain() {
    for text in ["intro.mp4", "/srv/clips/a b.mp4", "A title", "0:03.2", "-1/2", "24000/1001", "dissolve 0.5", "2"] {
      #expect(YAMLText.value(text) == text)
    }
    for text in ["", "null", "~", "a: b", "a #b", "- a", "-", "a:", " a", "a ", "[a]", "yes", "é", "?"] {
      #expect(YAMLText.value(text).hasPrefix("\""), "\(text)")
    }
    #expect(YAMLText.value("it's \"a\\\"") == #"'it''s "a\"'"#)
  }

  @Test func pathsBeginInTheFolderOfTheFile() {
    #expect(MovieClip(path: "a.mp4").path(fromMovieAt: "films/cut.yaml") == "films/a.mp4")
    #expect(MovieClip(path: "a.mp4").path(fromMovieAt: "cut.yaml") == "a.mp4")
    #expect(MovieClip(path: "/b/a.mp4").path(fromMovieAt: "films/cut.yaml") == "/b/a.mp4")
  }

  @Test func filesAreToldByNameAndContent() throws {
    let folder = try TemporaryFolder()
    let movie = MovieDocument(title: "x", pieces: [MoviePiece(.clip(MovieClip(path: Asset.path(ofBytes: [0x61, 0xFF]))))])
    for name in ["a.yaml", "b.YML", "c"] {
      let path = folder.path(name)
      #expect(try MovieFile.write(movie, path: path) == [])
      #expect(try MovieFile.read(path: path).document == movie)
      #expect(FileKind(path: path) == .movie && MovieFile.isMovie(path))
    }
    #expect(!MovieFile.isMovie(folder.path("none.yaml")))
    #expect(MovieFile.isMovie(folder.path("none.edl")))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(FileKind(path: folder.path("pipe")) == .clip && FileKind(path: folder.path("")) == .clip)
    try OutputFile(folder.path("settings.yaml")).write(Array("defaults:\n  loop: true\n".utf8))
    // Read as a movie, it says what it lacks.
    #expect(FileKind(path: folder.path("settings.yaml")) == .movie && !MovieFile.isMovie(folder.path("settings.yaml")))
    #expect(throws: FileError(file: folder.path("none.yaml"), line: nil, message: "no such file")) {
      try MovieFile.read(path: folder.path("none.yaml"))
    }
  }
}
