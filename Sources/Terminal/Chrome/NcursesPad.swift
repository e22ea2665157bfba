import CNcurses

/// Owns an ncurses pad: a window of any size that may be partly or wholly off the screen.
final class NcursesPad {
  let pointer: OpaquePointer
  private let screen: NcursesScreen

  /// Clamps sides to 1…`largestSide`.
  init?(_ screen: NcursesScreen, columns: Int, rows: Int) {
    let (columns, rows) = (Self.clipped(columns), Self.clipped(rows))
    guard let pad = screen.with({ qd_new_pad(Int32(rows), Int32(columns)) }) else { return nil }
    pointer = pad
    self.screen = screen
  }

  deinit {
    let pad = pointer
    screen.with { qd_delete_window(pad) }
  }

  /// ncurses counts rows and columns in 16 bits, far more than any screen has.
  static let largestSide = 4096

  static func clipped(_ side: Int) -> Int { min(max(1, side), largestSide) }
}
