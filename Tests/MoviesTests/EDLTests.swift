import Playback
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct EDLTests {
  private func read(_ text: String, rate: Ratio? = Ratio(24, 1)) throws -> MovieFile.Reading {
    try MovieFile.read(Array(text.utf8), form: .edl, name: "cut.edl", rate: rate)
  }

  private func write(_ movie: MovieDocument) throws -> (String, [String]) {
    let (bytes, remarks) = try MovieFile.bytes(of: movie, form: .edl, name: "cut.edl")
    return (String(decoding: bytes, as: UTF8.self), remarks)
  }

  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 24) }

  private func clip(_ path: String, _ start: String, _ motion: MovieClip.Motion) -> MoviePiece.Content {
    .clip(MovieClip(path: path, start: Timecode(start).map { .listed($0, at: Ratio(24, 1)) }, motion: motion))
  }

  private func lasting(_ count: Int64) -> MovieClip.Motion { .plays(speed: Ratio(1, 1), until: .length(frames(count))) }

  @Test func piecesOverlapWhereListsCutAtTheBeginning() throws {
    let movie = try read(
      """
      001  ONE V C     01:00:00:00 01:00:02:00 00:00:00:00 00:00:02:00
      002  ONE V C     01:00:02:00 01:00:02:00 00:00:02:00 00:00:02:00
      002  TWO V D 012 02:00:00:00 02:00:02:00 00:00:02:00 00:00:04:00
      """
    ).document
    #expect(
      movie.pieces.map(\.content) == [
        clip("ONE", "01:00:00:00", lasting(60)), clip("TWO", "02:00:00:00", lasting(48)),
      ])
    #expect(movie.pieces[1].transition == MovieTransition(.dissolve, length: frames(12)))
    #expect(movie.pieces[1].line.number == 3)
  }

  @Test func aFadeComesFromBlackAndGoesToIt() throws {
    let movie = try read(
      """
      001  BL  V C     00:00:00:00 00:00:00:00 00:00:00:00 00:00:00:00
      001  ONE V D 012 01:00:00:00 01:00:02:00 00:00:00:00 00:00:02:00
      * TO CLIP NAME: one.mov
      002  ONE V C     01:00:02:00 01:00:02:00 00:00:02:00 00:00:02:00
      002  BL  V D 024 00:00:00:00 00:00:01:00 00:00:02:00 00:00:03:00
      """
    ).document
    #expect(
      movie.pieces.map(\.content) == [
        .empty(frames(12)), clip("one.mov", "01:00:00:00", lasting(72)), .empty(frames(24)),
      ])
    let (text, _) = try write(movie)
    #expect(try read(text).document.pieces.map(\.content) == movie.pieces.map(\.content))
  }

  /// The first line of a pair may name another source than the event before.
  @Test func aTransitionFromElsewhereHasAPieceOfItsOwn() throws {
    let movie = try read(
      """
      001  ONE V C     01:00:00:00 01:00:01:00 00:00:00:00 00:00:01:00
      002  OTH V C     05:00:00:00 05:00:00:00 00:00:01:00 00:00:01:00
      002  TWO V W102 006 02:00:00:00 02:00:01:00 00:00:01:00 00:00:02:00
      * FROM CLIP NAME: other.mov
      * TO CLIP NAME: two.mov
      """
    ).document
    #expect(
      movie.pieces.map(\.content) == [
        clip("ONE", "01:00:00:00", lasting(24)), clip("other.mov", "05:00:00:00", lasting(6)),
        clip("two.mov", "02:00:00:00", lasting(24)),
      ])
    #expect(movie.pieces[2].transition?.kind == .wipe(angle: 270, softness: 0))
    let (text, _) = try write(movie)
    #expect(try read(text).document.pieces.map(\.content) == movie.pieces.map(\.content))
  }

  /// Wipes whose edge is a line, by their numbers; one with another angle is the nearest.
  @Test(arguments: [(1, 0.0), (2, 90), (3, 45), (4, 135), (101, 180), (102, 270), (103, 225), (104, 315)])
  func wipesHaveTheirAngles(code: Int, angle: Double) throws {
    let name = "W" + String(repeating: "0", count: 3 - "\(code)".count) + "\(code)"
    let movie = try read(
      """
      001  ONE V C     01:00:00:00 01:00:01:00 00:00:00:00 00:00:01:00
      002  ONE V C     01:00:01:00 01:00:01:00 00:00:01:00 00:00:01:00
      002  TWO V \(name) 006 02:00:00:00 02:00:01:00 00:00:01:00 00:00:02:00
      """
    ).document
    #expect(movie.pieces.last?.transition?.kind == .wipe(angle: angle, softness: 0))
    let (text, _) = try write(movie)
    #expect(text.contains(" \(name) 006 "))
    #expect(try read(text).document.pieces.last?.transition?.kind == .wipe(angle: angle, softness: 0))
  }

  /// Some write keys as two words.
  @Test(arguments: ["K B", "k b", "KB"], ["", " 000"]) func keysMayBeTwoWords(key: String, length: String) throws {
    let reading = try read(
      """
      001  ONE V C     01:00:00:00 01:00:01:00 00:00:00:00 00:00:01:00
      002  TWO V \(key)\(length) 01:00:00:00 01:00:01:00 00:00:01:00 00:00:02:00
      002  TOP V K O 012 01:00:00:00 01:00:01:00 00:00:01:00 00:00:02:00
      003  K B C 01:00:00:00 01:00:01:00 00:00:02:00 00:00:03:00
      """)
    #expect(reading.remarks == [
      "line 2: keys (KB) are not supported; only the background is shown",
      "line 3: keys (KO) are not supported; event ignored",
    ])
    #expect(reading.document.pieces.count == 3)
  }

  @Test func speedsHoldAndTurn() throws {
    let reading = try read(
      """
      001  A V C 01:00:00:00 01:00:04:00 00:00:00:00 00:00:02:00
      M2   A   048.0  01:00:00:00
      002  B V C 01:00:00:00 01:00:00:01 00:00:02:00 00:00:04:00
      M2   B   000.0  01:00:00:00
      003  C V C 01:00:00:00 01:00:02:00 00:00:04:00 00:00:06:00
      M2   C   -024.0 01:00:00:00
      004  D V C 01:00:00:00 01:00:01:00 00:00:06:00 00:00:08:00
      """)
    let two = frames(48)
    #expect(
      reading.document.pieces.map(\.content) == [
        clip("A", "01:00:00:00", .plays(speed: Ratio(2, 1), until: .length(two))), clip("B", "01:00:00:00", .freezes(two)),
        clip("C", "01:00:00:00", .plays(speed: Ratio(-1, 1), until: .length(two))),
        clip("D", "01:00:00:00", .plays(speed: Ratio(1, 1), until: .length(two))),
      ])
    #expect(reading.remarks == ["line 7: source and record differ in duration; using the record's"])
  }

  @Test(arguments: [
    ("059.9", Ratio(30000, 1001), 120, 60, Ratio(2, 1)), ("060.0", Ratio(30000, 1001), 120, 60, Ratio(2, 1)),
    ("012.0", Ratio(24, 1), 24, 47, Ratio(1, 2)), ("-008.0", Ratio(24, 1), 16, 48, Ratio(-1, 3)),
    ("047.952047952", Ratio(24000, 1001), 96, 48, Ratio(2, 1)), ("025.0", Ratio(24, 1), 25, 24, Ratio(25, 24)),
    ("033.7", Ratio(24, 1), 1404, 1000, Ratio(351, 250)),
  ])
  func speedsAreExact(text: String, rate: Ratio, source: Int64, record: Int64, speed: Ratio) {
    #expect(EDLSpeed.ratio(text, rate: rate, source: source, record: record) == speed)
  }

  @Test func speedsComeBackFromTheirText() {
    for rate in [Ratio(24, 1), Ratio(24000, 1001), Ratio(30000, 1001), Ratio(60, 1)] {
      for above in 1...40 {
        for below in 1...40 {
          guard let speed = Ratio(reducing: above.isMultiple(of: 3) ? -Int64(above) : Int64(above), Int64(below)) else {
            continue
          }
          #expect(EDLSpeed.ratio(EDLSpeed.text(speed, rate: rate), rate: rate, source: 0, record: 1) == speed)
        }
      }
    }
    #expect(EDLSpeed.text(nil, rate: Ratio(24, 1)) == "000.0")
    #expect(EDLSpeed.text(Ratio(-1, 2), rate: Ratio(24, 1)) == "-012.0")
  }

  @Test func ratesAreGuessedAndSaid() throws {
    func rate(_ frames: String, _ mode: String = "NON-DROP") throws -> (Ratio?, [String]) {
      let reading = try read(
        "FCM: \(mode) FRAME\n001 A V C 00:00:00:00 00:00:00:\(frames) 00:00:00:00 00:00:00:\(frames)", rate: nil)
      return (reading.document.output.rate, reading.remarks)
    }
    #expect(try rate("23") == (Ratio(24, 1), ["the list does not state its frame rate; assuming 24 fps"]))
    #expect(try rate("24").0 == Ratio(25, 1))
    #expect(try rate("29").0 == Ratio(30, 1))
    #expect(try rate("59").0 == Ratio(60, 1))
    #expect(try rate("23", "DROP") == (Ratio(30000, 1001), []))
    #expect(try rate("59", "DROP").0 == Ratio(60000, 1001))
  }

  @Test func timecodesTurnAtMidnight() throws {
    let movie = try read("001 A V C 23:59:59:00 00:00:01:00 23:59:59:00 00:00:01:00").document
    #expect(movie.pieces.count == 1)
    guard case .clip(let clip) = movie.pieces[0].content else {
      Issue.record("no clip")
      return
    }
    #expect(clip.motion == lasting(48))
  }

  @Test func whatIsNotTakenIsSaid() throws {
    let reading = try read(
      """
      TITLE: x
      some words
      001  A AA C     00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00
      002  B V  KB    00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00
      002  C V  K 012 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00
      003  D V  W021 006 00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00
      004  BARS V C   00:00:00:00 00:00:01:00 00:00:02:00 00:00:03:00
      005  AX V C     00:00:00:00 00:00:01:00 00:00:02:12 00:00:03:12
      006  E V2 C     00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00
      M2 nonsense
      """)
    #expect(
      reading.remarks == [
        "line 2: not understood, ignored: \"some words\"", "line 10: not understood, ignored: \"M2 nonsense\"",
        "line 4: keys (KB) are not supported; only the background is shown",
        "line 5: keys (K) are not supported; event ignored", "line 6: wipe 21 is shown as a wipe to the right",
        "line 8: starts before the previous event ends; moved after it", "line 8: the event names no clip",
      ])
    let movie = reading.document
    #expect(movie.pieces.count == 4)
    guard case .missing(let bars) = movie.pieces[2].content, case .missing(let nameless) = movie.pieces[3].content else {
      Issue.record("no missing pieces")
      return
    }
    #expect(bars == MissingPiece(name: "BARS", reason: "colour bars are not supported", length: frames(24)))
    #expect(nameless.reason == "the list names no clip")
    #expect(movie.overlays.map(\.start) == [frames(24)])
    let (text, remarks) = try write(movie)
    #expect(text.contains("W021"))
    #expect(remarks == ["an edit decision list cannot store overlays; 1 omitted"])
  }

  /// Such a piece keeps its place.
  /// Some programs write comments without the asterisk.
  @Test func commentsMayLackTheirAsterisk() throws {
    let reading = try read(
      """
      FRAME RATE: 25
      001  AX V C     00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00
      FROM CLIP NAME: one.mov
      LOC: 00:00:00:05 RED here
      anything else
      """, rate: nil)
    #expect(reading.document.output.rate == Ratio(25, 1) && reading.remarks.isEmpty)
    guard case .clip(let clip) = reading.document.pieces.first?.content else { return #expect(Bool(false)) }
    #expect(clip.path == "one.mov" && reading.document.markers.map(\.name) == ["here"])
  }

  @Test func soundAloneIsNoMovie() {
    let text = "001  AX AA C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00"
    #expect(throws: FileError(file: "cut.edl", line: nil, message: "has no video, only sound events")) { try read(text) }
  }

  @Test func markersAreLimited() {
    let event = "001  AX V C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\n"
    let text = event + String(repeating: "* LOC: 00:00:00:05\n", count: MovieLimits.pieces + 1)
    #expect(throws: FileError(file: "cut.edl", line: MovieLimits.pieces + 2, message: "more than 100000 markers")) { try read(text) }
  }

  @Test(arguments: ["http://a.b/c.mov", "rtsp:camera"]) func networkAddressesAreMissing(address: String) throws {
    let movie = try read("001 A V C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\n* SOURCE FILE: \(address)").document
    guard case .missing(let piece)? = movie.pieces.first?.content else {
      Issue.record("not missing: \(movie.pieces)")
      return
    }
    #expect(piece.name == address && piece.reason == "network sources are not supported yet" && piece.length == frames(24))
  }

  @Test func eventsMayStandInAnyOrder() throws {
    let reading = try read(
      """
      001  B V C 00:00:00:00 00:00:01:00 01:00:01:00 01:00:02:00
      002  A V C 00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00
      """)
    #expect(reading.document.startTimecode == Timecode("01:00:00:00"))
    #expect(reading.document.pieces.map { $0.line.number } == [2, 1])
    #expect(reading.remarks == ["the events were sorted by record time"])
  }

  @Test(arguments: [
    ("", "cut.edl: no events; expected an edit decision list (CMX 3600)"),
    (
      "001 A V C 00:00:00:00",
      "cut.edl:1: \"001 A V C 00:00:00:00\": expected an event: number, reel, track, C (or D or W001 with a frame count), four timecodes"
    ),
    (
      "001 A V C 00:00:00:00 00:00:01:00 00:00:00:00 later",
      "cut.edl:1: \"001 A V C 00:00:00:00 00:00:01:00 00:00:00:00 later\": expected a timecode such as 01:00:03:05, not \"later\""
    ),
    (
      "001 A V D 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00",
      "cut.edl:1: \"001 A V D 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\": expected a transition duration in frames"
    ),
    (
      "001 A V X 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00",
      "cut.edl:1: \"001 A V X 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\": expected C, D, W and three digits, K, KB or KO"
    ),
    (
      "\n001 A V C 00:00:00:00 00:00:01:24 00:00:00:00 00:00:01:24", "cut.edl:2: 00:00:01:24 is not a valid timecode at 24 fps"
    ),
    ("001 A V C 00:00:02:00 00:00:01:00 00:00:00:00 00:00:01:00", "cut.edl:1: ends before it starts"),
    (
      "FCM: DROP FRAME\n001 A V C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00",
      "cut.edl: drop-frame timecode requires 30000/1001 or 60000/1001 fps, not 24"
    ),
    ("\u{7F}ELF", "cut.edl: no events; expected an edit decision list (CMX 3600)"),
  ])
  func errorsNameLineAndWhatWasExpected(text: String, message: String) {
    let error = #expect(throws: FileError.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test func writingWantsRatesAndEnds() throws {
    #expect(throws: FileError.self) { try write(MovieDocument(pieces: [MoviePiece(.empty(frames(24)))])) }
    let open = MovieDocument(
      output: MovieOutput(rate: Ratio(24, 1)), pieces: [MoviePiece(.clip(MovieClip(path: "a")), line: SourceLine(7))])
    let error = #expect(throws: FileError.self) { try write(open) }
    #expect(error?.description == "cut.edl:7: piece 1 has no end, which an edit decision list needs; add \"out:\" or \"for:\"")
  }

  /// A timecode at another rate than the list's is the same second and part of a second in the list.
  @Test func timecodesOfOtherRatesAreNamedByTheListsRate() throws {
    let code = try #require(Timecode("01:00:00:20"))
    func written(_ rate: Ratio) throws -> (String, [String]) {
      let clip = MovieClip(
        path: "a.mov", start: .listed(code, at: rate), motion: .plays(speed: Ratio(1, 1), until: .length(MediaTime(value: 1, timescale: 1))))
      return try write(MovieDocument(output: MovieOutput(rate: Ratio(25, 1)), pieces: [MoviePiece(.clip(clip))]))
    }
    let doubled = try written(Ratio(50, 1))
    #expect(doubled.0.contains(" 01:00:00:10 01:00:01:10 00:00:00:00 00:00:01:00") && doubled.1 == [])
    let rounded = try written(Ratio(24, 1))
    #expect(rounded.0.contains(" 01:00:00:21 ") && rounded.1 == ["times between frames were rounded to the nearest frame"])
  }

  @Test func namesCannotForgeLines() throws {
    var piece = MoviePiece(.clip(MovieClip(path: "a\nb.mov", motion: .plays(speed: Ratio(1, 1), until: .length(frames(24))))))
    piece.name = "x\r\n002  EVIL V C"
    let (text, _) = try write(MovieDocument(title: "t\n1", output: MovieOutput(rate: Ratio(24, 1)), pieces: [piece]))
    #expect(try read(text).document.pieces.count == 1)
    #expect(!text.contains("\n002"))
  }

  @Test func whatAListCannotSayIsRemarked() throws {
    var second = MoviePiece(.empty(MediaTime(value: 1001, timescale: 1000)))
    second.transition = MovieTransition(.push(angle: 0), length: frames(6), cut: frames(3))
    var movie = MovieDocument(
      output: MovieOutput(size: PixelSize(width: 4, height: 4), rate: Ratio(24, 1), blending: .linear),
      pieces: [MoviePiece(.empty(frames(24))), second])
    let counted = MovieClip(path: "a", start: .frame(24), motion: .plays(speed: Ratio(1, 1), until: .position(.frame(48))))
    movie.pieces.append(MoviePiece(.clip(counted), videoTrack: 2))
    movie.chapters = [MovieMarker(time: .zero, name: "c")]
    #expect(
      try write(movie).1 == [
        "frames and timecodes of a were counted at the movie's rate, 24", "times between frames were rounded to the nearest frame", "fades through a colour and pushes were written as dissolves",
        "an edit decision list cannot store chapters; 1 omitted",
        "an edit decision list cannot store video track numbers; 1 omitted",
        "an edit decision list cannot store size and pixel format; omitted",
        "an edit decision list cannot store linear blending; omitted",
      ])
  }

  /// A speed names its clip: in a transition that may be the one that it comes from.
  @Test func aSpeedOfTheClipBeforeIsNotTaken() throws {
    let reading = try read(
      """
      001  A  V C     01:00:00:00 01:00:01:00 00:00:00:00 00:00:01:00
      002  A  V C     01:00:01:00 01:00:01:00 00:00:01:00 00:00:01:00
      002  B  V D 005 00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00
      M2   A  048.0   01:00:01:00
      """)
    #expect(reading.document.pieces.last?.content == clip("B", "00:00:00:00", lasting(24)))
  }

  /// Where a list marks timecode that drops names, a colon says that a source does not; where it does not, all of it does.
  @Test func dropFrameListsWithOtherSources() throws {
    let rate = Ratio(30000, 1001)
    let mixed = try read(
      "FCM: DROP FRAME\n001 TAPE V C 01:01:00:00 01:01:02:00 01:00:00;00 01:00:02;00\n* LOC: 01:00:01;00 RED MARK", rate: rate).document
    guard case .clip(let clip) = mixed.pieces[0].content, case .listed(let code, _) = clip.start else { return #expect(Bool(false), "\(mixed)") }
    #expect(!code.isDropFrame && code.minutes == 1 && mixed.markers.map(\.time) == [MediaTime(value: 30030, timescale: 30000)])
    // And is read as it was written.
    let (bytes, _) = try MovieFile.bytes(of: mixed, form: .edl, name: "cut.edl")
    let again = try MovieFile.read(bytes, form: .edl, name: "cut.edl", rate: rate).document
    #expect(again.pieces.map(\.content) == mixed.pieces.map(\.content) && again.markers.map(\.time) == mixed.markers.map(\.time))
    // Ten seconds behind the beginning, which dropped names do not change.
    let plain = try read(
      "FCM: DROP FRAME\n001 A V C 00:00:00:00 00:01:00:02 01:00:00:00 01:01:00:02\n* LOC: 01:00:10:00 RED MARK", rate: rate).document
    #expect(plain.markers.map(\.time) == [MediaTime(value: 300 * 1001, timescale: 30000)])
  }
}
