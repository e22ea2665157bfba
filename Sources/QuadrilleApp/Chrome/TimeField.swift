import Playback
import Terminal

/// The field before a pane's bar, whose width follows from the clip and the pane alone.
///
/// While playing it says time and length; while paused the time and the number of the frame that is seen.
struct TimeField: Equatable {
  /// What is said, the most first.
  private enum Form {
    case everything
    /// Time and number.
    case numbered
    /// The time while playing, the number while paused: that is what panes are compared by.
    case short
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
  ///   - width: of the pane's lowest row; the field takes two fifths, or half of it where it says less.
  init(duration: MediaTime, frameCount: Int?, width: Int) {
    let isKnown = duration.isNumeric
    length = TerminalText(isKnown ? duration.clockText() : "--:--")
    let time = isKnown ? duration.clockText(fractionDigits: 3).count : 8
    let number = frameCount.map { String(max(0, $0 - 1)).count } ?? 4
    let total = length.columns
    // Sign and mark; time; a slash and the length; a space, # and the number.
    let everything = 2 + time + 1 + total + 2 + number, numbered = 2 + time + 2 + number
    let short = max(2 + total, 3 + number)
    (form, columns) =
      everything <= width * 2 / 5
      ? (.everything, everything)
      : numbered <= width / 2 ? (.numbered, numbered) : short <= width / 2 ? (.short, short) : (.sign, min(1, width))
  }

  /// The words, at most `columns` wide.
  func text(_ reading: Reading) -> TerminalText {
    guard form != .sign else { return reading.sign.truncated(to: columns) }
    let lead: TerminalText = "\(reading.sign)\(reading.aboutMark ?? " ")"
    let time: TerminalText = "\(reading.time.clockText())"
    guard let still = reading.still else { return longest("\(lead)\(time)/\(length)", lead + time) }
    let number: TerminalText? = still.number.map { "#\($0)" }
    guard form != .short else { return longest(lead + (number ?? time)) }
    let clock: TerminalText = "\(lead)\(still.clock)"
    guard let number else { return longest("\(clock)/\(length)", clock) }
    guard form == .everything else { return longest("\(clock) \(number)", clock) }
    return longest("\(clock)/\(length) \(number)", "\(clock) \(number)", clock)
  }

  /// The first of the forms that fits, else as much of the last as does.
  private func longest(_ forms: TerminalText...) -> TerminalText {
    forms.first { $0.columns <= columns } ?? (forms.last ?? "").truncated(to: columns)
  }
}
