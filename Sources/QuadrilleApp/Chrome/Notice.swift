import CellGraphics
import Playback
import Terminal

/// A line of words for the viewer, in a pane or in the status line.
struct Notice: Equatable, Sendable {
  var text: TerminalText
  var isError = false
  /// Host time after which it goes; nil stays.
  var until: HostTime?
}

extension Notice {
  /// One that goes after so many seconds.
  init(text: TerminalText, isError: Bool = false, seconds: Double, at now: HostTime) {
    self.init(text: text, isError: isError, until: now + HostTime(seconds * 1e9))
  }

  /// Its lines over a pane, as many as are shown.
  ///
  /// - Parameter above: rows at the bottom that are taken.
  func lines(in body: CellRect, above: Int) -> [TerminalText] {
    guard body.width > 2, body.height > above else { return [] }
    return Array(ChromePainter.wrapped(text, width: body.width - 2).prefix(min(isError ? 6 : 3, body.height - above)))
  }
}

extension Notice? {
  /// Lets a notice go whose time is over. Returns whether one went.
  mutating func expire(at now: HostTime) -> Bool {
    guard let until = self?.until, now >= until else { return false }
    self = nil
    return true
  }
}
