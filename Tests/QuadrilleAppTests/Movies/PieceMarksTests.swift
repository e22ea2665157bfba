import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct PieceMarksTests {
  /// A frame of a clip with ten a second.
  private func frame(_ number: Int, endIsExact: Bool = true) -> FrameTiming {
    FrameTiming(
      pts: MediaTime(value: Int64(number), timescale: 10), duration: MediaTime(value: 1, timescale: 10), number: number,
      endIsExact: endIsExact)
  }

  private let clip = MediaTime(value: 15, timescale: 1)

  @Test func theFrameAtOutIsTheLastOne() {
    var marks = PieceMarks()
    #expect(marks.isEmpty && marks.words(clip: clip) == "no in or out point: the piece is the whole clip")
    #expect(marks.mark(.start, frame(10)) == .set)
    #expect(marks.words(clip: clip) == "in 0:01.000, to the end of the clip, 0:14.000 long")
    #expect(marks.words(clip: .indefinite) == "in 0:01.000, to the end of the clip")
    #expect(marks.mark(.end, frame(14)) == .set)
    #expect(marks.start == MediaTime(value: 1, timescale: 1) && marks.end == MediaTime(value: 3, timescale: 2))
    #expect(marks.words(clip: clip) == "in 0:01.000, out 0:01.500, 0:00.500 long")
  }

  /// A time leads back to the frame that starts there, wherever it is shown.
  @Test func timesAreRoundedAsThoseOfFrames() {
    func frame(_ number: Int64) -> FrameTiming {
      FrameTiming(pts: MediaTime(value: number, timescale: 24), duration: MediaTime(value: 1, timescale: 24), number: Int(number))
    }
    var marks = PieceMarks()
    _ = marks.mark(.start, frame(242))
    _ = marks.mark(.end, frame(243))
    #expect(marks.words(clip: clip) == "in 0:10.084, out 0:10.167, 0:00.084 long")
    for number in 0..<100 as Range<Int64> {
      let text = frame(number).pts.placeText
      #expect(text == frame(number).clockText())
      let time = MediaTime(clockText: text) ?? .invalid
      #expect(time >= frame(number).pts && time < frame(number).end)
    }
  }

  @Test func aSingleFrameIsAPiece() {
    var marks = PieceMarks()
    #expect(marks.mark(.end, frame(7)) == .set && marks.words(clip: clip) == "out 0:00.800, from the start of the clip, 0:00.800 long")
    #expect(marks.mark(.start, frame(7)) == .set)
    #expect(marks.words(clip: clip) == "in 0:00.700, out 0:00.800, 0:00.100 long")
  }

  @Test func aMarkMovesAndTakesTheOtherAwayThatIsOnTheWrongSide() {
    var marks = PieceMarks()
    _ = marks.mark(.start, frame(10))
    _ = marks.mark(.end, frame(20))
    #expect(marks.mark(.start, frame(15)) == .set && marks.start == frame(15).pts && marks.last == frame(20))
    #expect(marks.mark(.start, frame(21)) == .clearedOther && marks.first == frame(21) && marks.last == nil)
    #expect(marks.mark(.end, frame(5)) == .clearedOther && marks.first == nil && marks.last == frame(5))
    #expect(marks.mark(.end, frame(5)) == .taken && marks.isEmpty)
  }

  @Test func theLastFramesEndIsFoundOut() {
    var marks = PieceMarks()
    _ = marks.mark(.end, frame(4, endIsExact: false))
    var known = frame(4)
    known.duration = MediaTime(value: 3, timescale: 10)
    marks.refine { _ in nil }
    #expect(marks.last == frame(4, endIsExact: false))
    marks.refine { _ in frame(5) }
    #expect(marks.last == frame(4, endIsExact: false), "that is another one")
    marks.refine { $0 == frame(4).pts ? known : nil }
    #expect(marks.end == MediaTime(value: 7, timescale: 10))
  }
}
