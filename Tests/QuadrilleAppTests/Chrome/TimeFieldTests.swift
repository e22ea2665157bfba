import CellGraphics
import Playback
import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct TimeFieldTests {
  private let minutes = MediaTime(value: 150, timescale: 1)

  private func reading(_ milliseconds: Int64, _ number: Int? = nil, isPaused: Bool, about: Bool = false) -> TimeField.Reading {
    let time = MediaTime(value: milliseconds, timescale: 1000)
    return TimeField.Reading(
      sign: isPaused ? "‖" : "►", aboutMark: about ? "≈" : nil, time: time,
      still: isPaused ? .init(clock: time.clockText(fractionDigits: 3), number: number) : nil)
  }

  @Test func saysTimeAndNumberWhilePaused() {
    let field = TimeField(duration: minutes, frameCount: 1500, width: 80)
    #expect(field.text(reading(12_345, 123, isPaused: true)) == "‖ 0:12.345/2:30 #123")
    #expect(field.text(reading(12_345, 123, isPaused: true, about: true)) == "‖≈0:12.345/2:30 #123")
    #expect(field.text(reading(12_345, isPaused: false)) == "► 0:12/2:30")
  }

  @Test func theLengthIsRoundedDownAsTheClockIs() {
    let field = TimeField(duration: MediaTime(value: 30_020, timescale: 1000), frameCount: 750, width: 80)
    #expect(field.text(reading(29_980, 749, isPaused: true)) == "‖ 0:29.980/0:30 #749")
    #expect(field.text(reading(30_020, isPaused: false)) == "► 0:30/0:30")
  }

  @Test func isAsWideWhateverItSays() {
    for duration in [MediaTime.indefinite, minutes, MediaTime(value: 59_999, timescale: 100), MediaTime(value: 20_000, timescale: 1)] {
      for width in 1...200 {
        let field = TimeField(duration: duration, frameCount: 600_000, width: width)
        #expect(field.columns <= max(1, width / 2))
        for isPaused in [false, true] {
          for (time, number) in [(0, 0), (12_345, 123), (149_999, 599_999), (19_999_999, 599_999)] {
            let text = field.text(reading(Int64(time), number, isPaused: isPaused))
            #expect(text.columns <= field.columns, "\(text) in \(width)")
          }
        }
      }
    }
  }

  @Test func leavesOutTheLeastInNarrowPanes() {
    func text(_ width: Int) -> TerminalText {
      TimeField(duration: minutes, frameCount: 1500, width: width).text(reading(12_345, 123, isPaused: true))
    }
    #expect(text(60) == "‖ 0:12.345/2:30 #123")
    #expect(text(40) == "‖ 0:12.345 #123")
    #expect(text(28) == "‖ #123")
    #expect(text(14) == "‖ #123")
    #expect(text(12) == "‖")
    let narrow = TimeField(duration: minutes, frameCount: 1500, width: 20)
    #expect(narrow.text(reading(12_345, isPaused: false)) == "► 0:12")
    #expect(narrow.text(reading(12_345, isPaused: true)) == "‖ 0:12")
  }
}

@Suite(.timeLimit(.minutes(20))) struct BarRowTests {
  @Test func partsLieBesideEachOther() {
    for width in 0...100 {
      for (field, label) in [(0, 0), (1, 0), (20, 0), (20, 12), (60, 30)] {
        let row = CellRect(x: 4, y: 9, width: width, height: 1)
        let parts = BarRow(row, fieldColumns: field, labelColumns: label)
        for part in [parts.field, parts.track, parts.label] where !part.isEmpty {
          #expect(part.intersection(row) == part)
        }
        #expect(parts.field.intersection(parts.track).isEmpty && parts.track.intersection(parts.label).isEmpty)
        if field + label + 4 <= width {
          #expect(parts.track.width == width - (field > 0 ? field + 1 : 0) - (label > 0 ? label + 2 : 0))
        }
      }
    }
  }
}
