import Playback
import Terminal

/// The state of the mouse between events.
struct Pointer {
  /// The pane whose bar is being dragged.
  var dragged: Pane?
  /// The point of a frame that is being dragged.
  var grip: Workspace.Grip?
  /// The pane whose wipe is being dragged.
  var edge: Pane?
  private var lastPress: (column: Int, row: Int, host: HostTime)?

  /// The longest time between the presses of a double click, in nanoseconds.
  private static let doubleClick: HostTime = 400_000_000

  /// Records a press. Returns true if it is the second in one place within a short time.
  mutating func takeDoubleClick(_ mouse: MouseEvent, at now: HostTime) -> Bool {
    defer { lastPress = (mouse.column, mouse.row, now) }
    guard let last = lastPress, last.column == mouse.column, last.row == mouse.row, now - last.host <= Self.doubleClick else {
      return false
    }
    return true
  }
}
