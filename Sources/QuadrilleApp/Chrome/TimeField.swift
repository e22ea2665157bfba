import Playback
import Terminal

/// The field before a pane's bar, whose width follows from the clip and the pane alone.
///
/// While playing it says time and length; while paused the time and the number of the frame that is seen.
struct TimeField: Equatable {
  /// What is said, the most first.
  private enum Form: CaseIterable {
    case everything
    /// Time and number.
    case numbered
    case precise
    case coarse
    case sign
  }

  /// What is to be said at one moment.
  struct Reading: Equatable {
    var sign: TerminalText
    /// Says that time and number are not those of the frame asked for; one column.
    var aboutMark: TerminalText?
    /// Where the clock stands.
    var time: MediaTime
    /// The frame that stands still; nil while frames follow each other.
    var still: Still?

    struct Still: Equatable {
      /// The frame's time, in words that lead back to it.
      var clock: String
      /// nil while it is not known.
      var number: Int?
    }
  }

  private let form: Form
  private let length: TerminalText
  /// Columns that it takes, whatever it says.
  let columns: Int

  /// - Parameters:
  ///   - duration: of the clip; indefinite while not known.
  ///   - frameCount: how many frames it has, about; nil when not known.
  ///   - width: of the pane's lowest row; the field takes two fifths, to say the number half of it.
  init(duration: MediaTime, frameCount: Int?, width: Int) {
    let isKnown = duration.isNumeric
    length = TerminalText(isKnown ? duration.clockText() : "--:--")
    let time = isKnown ? duration.clockText(fractionDigits: 3).count : 8
    let number = frameCount.map { String(max(0, $0 - 1)).count } ?? 4
    let total = length.columns
    let wholes: [(Form, Int)] = [
      // Sign and mark; time; a slash and the length; a space, # and the number.
      (.everything, 2 + time + 1 + total + 2 + number), (.numbered, 2 + time + 2 + number), (.precise, 2 + time),
      (.coarse, 2 + max(total, 4)), (.sign, 1),
    ]
    // The number is what panes are compared by: for it half of a narrow pane is not too much.
    let fitting = wholes.first { $0.1 <= ($0.0 == .numbered ? width / 2 : width * 2 / 5) }
    (form, columns) = fitting ?? (.sign, min(1, width))
  }

  /// The words, at most `columns` wide.
  func text(_ reading: Reading) -> TerminalText {
    guard form != .sign else { return reading.sign.truncated(to: columns) }
    let mark = reading.aboutMark ?? " "
    guard let still = reading.still, form != .coarse else {
      let short: TerminalText = "\(reading.sign)\(mark)\(reading.time.clockText())"
      let whole: TerminalText = "\(short)/\(length)"
      return whole.columns <= columns ? whole : short.truncated(to: columns)
    }
    let time: TerminalText = "\(reading.sign)\(mark)\(still.clock)"
    let number: TerminalText = still.number.map { " #\($0)" } ?? ""
    let forms: [TerminalText] = form == .everything ? ["\(time)/\(length)\(number)", time + number, time] : [time + number, time]
    return (forms.first { $0.columns <= columns } ?? time).truncated(to: columns)
  }
}
