import Playback
import Synchronization
import TestSupport
import Testing

@testable import Movies

/// The rate of lists that do not say it: what the clips that they name tell of it.
@Suite(.timeLimit(.minutes(20))) struct EDLRateTests {
  private func clip(_ rate: String, _ form: String = "mp4") throws -> String {
    try SampleMedia.clip(
      name: "rate-\(rate.replacing("/", with: "-")).\(form)",
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: rate, seconds: 2) + ["-c:v", "mpeg4", "-g", "12"])
  }

  /// Puts a list together whose largest number of a frame is `last`.
  private func compose(_ clips: [String], last: Int, comment: String = "") throws -> MovieComposer.Result {
    let folder = try TemporaryFolder()
    let path = folder.path("cut.edl")
    var text = "TITLE: Plain\nFCM: NON-DROP FRAME\n\n"
    for (number, clip) in clips.enumerated() {
      let record = "01:00:0\(number):00 01:00:0\(number):\(last)"
      text += "00\(number + 1)  AX       V     C        00:00:00:00 00:00:00:\(last) \(record)\n* FROM CLIP NAME: \(clip)\n"
      if number == 0 { text += comment }
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try withExtendedLifetime(folder) { try MovieComposer().compose(path: path) }
  }

  private final class Made: Sendable {
    let names = Mutex<[String]>([])
  }

  private static func remark(_ rate: String) -> String { "the list does not state its frame rate; assuming \(rate) fps" }

  @Test(arguments: [
    ("24000/1001", 23, 24000, 1001), ("24", 23, 24, 1), ("25", 23, 25, 1), ("25", 18, 25, 1), ("50", 24, 25, 1), ("50", 18, 50, 1), ("15", 12, 15, 1), ("48000/1001", 23, 24000, 1001),
    ("30000/1001", 29, 30000, 1001), ("30", 29, 30, 1), ("60000/1001", 29, 30000, 1001), ("60", 29, 30, 1), ("25", 29, 30, 1),
    ("60000/1001", 59, 60000, 1001), ("60", 59, 60, 1), ("60", 30, 60, 1), ("24000/1001", 24, 25, 1), ("120", 119, 120, 1), ("25", 119, 120, 1),
  ] as [(String, Int, Int64, Int32)])
  func theClipsDecide(rate: String, last: Int, numerator: Int64, denominator: Int32) throws {
    let made = try compose([clip(rate)], last: last)
    let frame = MediaTime(value: Int64(denominator), timescale: Int32(numerator))
    #expect(made.composition.videoComposition.frameDuration == frame)
    let text = denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    let half = rate.split(separator: "/").first.flatMap { Int64($0) }.map { $0 / 2 } == numerator
    let reason =
      rate == text
      ? ", the rate of its clips"
      : half ? ", half the rate of its clips" : " because its highest frame number is \(last); its clips have \(rate) fps"
    #expect(made.problems.first?.message == Self.remark(text) + reason)
  }

  /// Time stamps in milliseconds hide no rate, and what is missing or has another rate is passed over.
  @Test func theFirstThatTellsDecides() throws {
    let film = try clip("24000/1001", "mkv")
    let made = try compose(["/nowhere/gone.mp4", clip("25"), "http://a.b/c.mp4", film, clip("24")], last: 23)
    #expect(made.composition.videoComposition.frameDuration == MediaTime(value: 1001, timescale: 24000))
    let reason = " because its highest frame number is 23; its clips have 25, 24000/1001, 24 fps"
    #expect(made.problems.first?.message == Self.remark("24000/1001") + reason)
    let none = try compose(["/nowhere/gone.mp4"], last: 23)
    #expect(none.composition.videoComposition.frameDuration == MediaTime(value: 1, timescale: 24))
    #expect(none.problems.first?.message == Self.remark("24"))
  }

  /// Clips of 50 frames a second in a list of 25, and of 25 in one of many numbers.
  @Test func clipsMayAgreeOnHalfTheRate() throws {
    #expect(try compose([clip("50"), clip("25")], last: 10).composition.videoComposition.frameDuration == MediaTime(value: 1, timescale: 25))
    let guess = EDLRateGuess(Set(0..<10))
    #expect(guess.rate(agreedBy: [Ratio(50, 1)]) == Ratio(25, 1) && guess.rate(agreedBy: []) == nil)
    #expect(guess.rate(agreedBy: [Ratio(25, 1), Ratio(30, 1)]) == nil)
  }

  /// The pieces' frames are the clip's own, none of them twice.
  @Test func framesAreThoseOfTheClip() throws {
    let film = try clip("24000/1001")
    let made = try compose([film], last: 23)
    let own = try FrameListing(path: film).lines(order: .linear).map(\.md5)
    #expect(try CompositionListing(made.composition).lines(order: .linear).map(\.md5) == Array(own.prefix(23)))
  }

  @Test func whatTheListSaysIsTaken() throws {
    let made = try compose([clip("24000/1001")], last: 23, comment: "* FRAME RATE: 24\n")
    #expect(made.composition.videoComposition.frameDuration == MediaTime(value: 1, timescale: 24) && made.problems.isEmpty)
  }

  /// Who writes the movie anew gets the rate at which it plays; each clip is opened once.
  @Test func theReadingHasTheRateToo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cut.edl")
    let text = """
      TITLE: Plain
      001  AX       V     C        00:00:00:00 00:00:00:23 00:00:00:00 00:00:00:23
      * FROM CLIP NAME: \(try clip("24000/1001"))

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try MovieComposer().read(path: path).document.output.rate == Ratio(24000, 1001))
    #expect(try MovieFile.read(path: path).document.output.rate == Ratio(24, 1))
    let made = Made()
    _ = try MovieComposer { name in
      made.names.withLock { $0.append(name) }
      return Asset(path: name)
    }.compose(path: path)
    #expect(made.names.withLock { $0.count } == 1)
  }
}
