import Playback
import Terminal

/// The field before a pane's bar. Its width depends only on the clip and the pane.
///
/// While playing, it shows time and length; while paused, time and frame number.
struct TimeField: Equatable {
  /// Forms of the contents, longest first.
  private enum Form {
    case everything
    /// Time and frame number.
    case numbered
    /// The time while playing, the frame number while paused: the values used to compare panes.
    case short
    case sign
  }

  /// The values to show at one moment.
  struct Reading: Equatable {
    var sign: TerminalText
    /// Shown if time and number are not exactly those requested; one column.
    var aboutMark: TerminalText?
    /// The clock's time.
    var time: MediaTime
    /// The still frame; nil while playing.
    var still: Still?

    struct Still: Equatable {
      /// The frame's time, as text that leads back to it.
      var clock: String
      /// The frame number; nil if unknown.
      var number: Int?
    }
  }

  private let form: Form
  private let length: TerminalText
  /// Width in columns, whatever it shows.
  let columns: Int

  /// - Parameters:
  ///   - duration: Length of the clip; indefinite if unknown.
  ///   - frameCount: Approximate number of frames; nil if unknown.
  ///   - width: Width of the lowest row; the field takes up to two fifths of it, or half in the shorter forms.
  init(duration: MediaTime, frameCount: Int?, width: Int) {
    let isKnown = duration.isNumeric
    // Rounded down, as the running clock is.
    length = TerminalText(duration.clockText())
    let time = isKnown ? duration.placeText.count : 8
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

  /// The text, at most `columns` wide.
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

  /// The first form that fits, otherwise the last one truncated.
  private func longest(_ forms: TerminalText...) -> TerminalText {
    forms.first { $0.columns <= columns } ?? (forms.last ?? "").truncated(to: columns)
  }
}
