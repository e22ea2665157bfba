@testable import Movies
import Playback
import Testing

@Suite(.timeLimit(.minutes(20))) struct TimecodeTests {
  private static let ntsc = Ratio(30000, 1001)

  /// Names are counted as a clock of frames would: by adding one and skipping what is dropped.
  @Test(arguments: [(Ratio(30000, 1001), 30, 2), (Ratio(60000, 1001), 60, 4)])
  func everyDropFrameOfADay(rate: Ratio, perSecond: Int, dropped: Int) throws {
    var number: Int64 = 0
    for hour in 0..<24 {
      for minute in 0..<60 {
        for second in 0..<60 {
          let first = second == 0 && minute % 10 != 0 ? dropped : 0
          for frame in first..<perSecond {
            let code = Timecode(frameNumber: number, at: rate, isDropFrame: true)
            guard let code, code.hours == hour, code.minutes == minute, code.seconds == second, code.frames == frame,
              code.frameNumber(at: rate) == number
            else {
              Issue.record("frame \(number) is \(code.map(\.description) ?? "none"), not \(hour):\(minute):\(second);\(frame)")
              return
            }
            number += 1
          }
        }
      }
    }
    // A day of drop-frame timecode is 86.4 ms off the clock.
    #expect(number == Int64(24 * 6 * (perSecond * 600 - dropped * 9)))
    #expect(
      abs(MediaTime(ticks: number, timeBaseNumerator: rate.denominator, timeBaseDenominator: rate.numerator).seconds - 86400)
        < 0.1)
  }

  @Test(arguments: [Ratio(24000, 1001), Ratio(24, 1), Ratio(25, 1), Ratio(30000, 1001), Ratio(50, 1), Ratio(60000, 1001)])
  func nonDropCountsAllFrames(rate: Ratio) throws {
    let whole = try #require(Timecode.framesPerSecond(at: rate))
    for number in stride(from: Int64(0), to: 360_000 * Int64(whole), by: 997) {
      let code = try #require(Timecode(frameNumber: number, at: rate))
      #expect(code.frameNumber(at: rate) == number)
      #expect(((code.hours * 60 + code.minutes) * 60 + code.seconds) * whole + code.frames == Int(number))
    }
  }

  @Test func timesAreExact() throws {
    let code = try #require(Timecode("01:00:00:00"))
    #expect(code.time(at: Ratio(24000, 1001)) == MediaTime(value: 3600 * 1001, timescale: 1000))
    #expect(Timecode("01:00:00;00")?.time(at: Self.ntsc) == MediaTime(value: 107_892 * 1001, timescale: 30000))
    #expect(Timecode(time: MediaTime(value: 1, timescale: 1), at: Self.ntsc)?.description == "00:00:00:29")
    #expect(Timecode(time: MediaTime(value: 1001, timescale: 1000), at: Self.ntsc)?.description == "00:00:01:00")
  }

  @Test func droppedNamesNameNoFrame() {
    #expect(Timecode("00:01:00;00")?.frameNumber(at: Self.ntsc) == nil)
    #expect(Timecode("00:01:00;02")?.frameNumber(at: Self.ntsc) == 1800)
    #expect(Timecode("00:10:00;00")?.frameNumber(at: Self.ntsc) == 17982)
    #expect(Timecode("00:00:00;00")?.frameNumber(at: Ratio(25, 1)) == nil)
    #expect(Timecode("00:00:00;00")?.frameNumber(at: Ratio(30, 1)) == nil)
    #expect(Timecode("00:00:00:24")?.frameNumber(at: Ratio(24000, 1001)) == nil)
    #expect(Timecode("00:00:00:00")?.frameNumber(at: Ratio(0, 1)) == nil)
    #expect(Timecode(frameNumber: -1, at: Self.ntsc) == nil)
    #expect(Timecode(frameNumber: .max, at: Self.ntsc) == nil)
  }

  /// A name is the same part of the same second at another rate, whether names are dropped at either.
  @Test func namesHaveAPlaceAtOtherRates() throws {
    func place(_ text: String, _ rate: Ratio, at other: Ratio, drops: Bool) -> (Int64, Int64, Bool)? {
      Timecode(text)?.place(of: rate, at: other, dropsNames: drops).map { ($0.number, $0.nearest, $0.isExact) }
    }
    let (film, pal) = (Ratio(24000, 1001), Ratio(25, 1))
    #expect(try #require(place("01:00:00;00", Self.ntsc, at: film, drops: true)) == (86_400, 86_400, true))
    #expect(try #require(place("01:00:00;00", Self.ntsc, at: Self.ntsc, drops: true)) == (107_892, 107_892, true))
    #expect(try #require(place("01:00:00:00", pal, at: Self.ntsc, drops: true)) == (107_892, 107_892, true))
    #expect(try #require(place("01:00:00;00", Self.ntsc, at: pal, drops: true)) == (90_000, 90_000, true))
    // There is no frame of that name.
    #expect(try #require(place("00:01:00:00", pal, at: Self.ntsc, drops: true)) == (1800, 1800, true))
    #expect(place("00:01:00;00", Self.ntsc, at: pal, drops: false) == nil)
    #expect(try #require(place("00:00:01:10", pal, at: Ratio(24, 1), drops: false)) == (33, 34, false))
  }

  @Test func textIsReadStrictly() {
    for text in ["01:00:03:05", "23:59:59;29", "99:59:59:00"] { #expect(Timecode(text)?.description == text) }
    #expect(Timecode("01;00;03;05")?.description == "01:00:03;05")
    for text in [
      "", "1:2:3", "01:60:00:00", "01:00:60:00", "100:00:00:00", "01:00:00:-1", "01:00:00:+1", "a:b:c:d", "1:2:3:4:5",
      "01:00:00.05",
    ] {
      #expect(Timecode(text) == nil, "\(text)")
    }
  }
}
