import CellGraphics
import Playback
import Terminal

/// A message to the user, in a pane or in the status line.
struct Notice: Equatable, Sendable {
  var text: TerminalText
  var isError = false
  /// Host time at which it expires; nil for never.
  var until: HostTime?
}

extension Notice {
  /// Makes a notice that expires after some seconds.
  init(text: TerminalText, isError: Bool = false, seconds: Double, at now: HostTime) {
    self.init(text: text, isError: isError, until: now + HostTime(seconds * 1e9))
  }

  /// The visible lines of the notice over a pane.
  ///
  /// - Parameter above: Occupied rows at the bottom.
  func lines(in body: CellRect, above: Int) -> [TerminalText] {
    guard body.width > 2, body.height > above else { return [] }
    return Array(ChromePainter.wrapped(text, width: body.width - 2).prefix(min(isError ? 6 : 3, body.height - above)))
  }
}

extension Notice? {
  /// Removes an expired notice. Returns true if it did.
  mutating func expire(at now: HostTime) -> Bool {
    guard let until = self?.until, now >= until else { return false }
    self = nil
    return true
  }
}
