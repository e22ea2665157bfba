import Libav
import TestSupport
import Testing

@testable import Playback

/// Times that are printed for a frame lead back to it.
@Suite(.timeLimit(.minutes(20))) struct FrameClockTextTests {
  private static let rates: [(unit: Int64, scale: Int32)] = [
    (1001, 24000), (1001, 30000), (1, 30), (1, 60), (1, 25), (1, 1000), (3003, 90000), (1, 7), (1, 48000), (1, 1_000_000),
  ]

  @Test(arguments: 0..<rates.count)
  func constantRates(i: Int) throws {
    let (unit, scale) = Self.rates[i]
    try expectReturns(.constant(count: 3000, unit: unit, scale: scale))
  }

  @Test(arguments: 1...20) func variableRates(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var times: [Int64] = [0]
    // From one tick of 90 kHz to seconds.
    for _ in 0..<500 { times.append(times[times.count - 1] + (1 << Int64.random(in: 0...18, using: &dice))) }
    try expectReturns(.variable(times, end: times[times.count - 1] + 3000, scale: 90_000))
  }

  private func expectReturns(_ script: FrameScript) throws {
    for (number, frame) in script.frames.enumerated() {
      let timing = FrameTiming(pts: frame.pts, duration: frame.duration, number: number)
      for digits in [0, 3] {
        let text = timing.clockText(fractionDigits: digits)
        let time = try #require(MediaTime(clockText: text))
        guard time < frame.pts || time >= timing.end else { continue }
        Issue.record("\(text) is outside #\(number), which begins at \(frame.pts)")
        return
      }
    }
  }

  @Test func decimalsAreAsFewAsWillDo() {
    func text(_ value: Int64, _ duration: Int64, _ scale: Int32, _ digits: Int = 3) -> String {
      FrameTiming(pts: MediaTime(value: value, timescale: scale), duration: MediaTime(value: duration, timescale: scale))
        .clockText(fractionDigits: digits)
    }
    #expect(text(101, 1, 30) == "0:03.367")
    #expect(text(0, 1, 30) == "0:00.000")
    #expect(text(89_999, 1, 90_000) == "0:00.99999")
    #expect(text(101, 1, 30, 0) == "0:03.37")
    #expect(text(60, 30, 30, 0) == "0:02")
    #expect(text(1, 1, .max) == "0:00.000000001")
  }

  private static let sources: [(name: String, arguments: [String])] = [
    ("film.mp4", SampleMedia.numbered(width: 160, height: 90, rate: "24000/1001", seconds: 4)),
    ("thirty.mp4", SampleMedia.numbered(width: 160, height: 90, rate: "30", seconds: 4)),
    ("sixty.mkv", SampleMedia.numbered(width: 160, height: 90, rate: "60", seconds: 2)),
    (
      "uneven.ts",
      SampleMedia.numbered(
        width: 160, height: 90, rate: "90", seconds: 2, filters: "select='eq(mod(n,7),0)+eq(mod(n,5),1)+eq(mod(n,11),3)'")
        + ["-fps_mode", "passthrough"]
    ),
  ]

  /// The time read from each text shows the frame for which it was printed, in the clips' own timelines.
  @Test(arguments: 0..<sources.count)
  func leadsBackInClips(i: Int) async throws {
    let (name, arguments) = Self.sources[i]
    let path = try SampleMedia.clip(
      name: name, arguments: arguments + ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "40"])
    let index = try await Asset(path: path).scannedIndex()
    let timeline = try #require(index.timeline)
    for number in 0..<timeline.frameCount - 1 {
      let time = try #require(timeline.time(ofFrame: number))
      let timing = try #require(timeline.timing(at: time))
      #expect(timing.number == number)
      let read = try #require(MediaTime(clockText: timing.clockText()))
      #expect(timeline.frameNumber(at: read) == number, "\(timing.clockText())")
    }
    let generator = ImageGenerator(asset: Asset(path: path))
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    for number in stride(from: 0, to: timeline.frameCount, by: 7) {
      let still = try await generator.image(ofFrame: number)
      let again = try await generator.image(at: #require(MediaTime(clockText: still.timing.clockText())))
      #expect(again.timing.number == number)
    }
  }
}
