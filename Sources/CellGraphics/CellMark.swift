/// The encoder's notes on a cell during an update.
struct CellMark {
  enum Need {
    /// The terminal shows the target.
    static let none: UInt8 = 0
    /// The terminal shows something close enough to the target (`CellTolerance`).
    static let near: UInt8 = 1
    /// Differs, and must be sent in this update.
    static let chrome: UInt8 = 2
    /// Differs, and is sent if the budget allows.
    static let image: UInt8 = 3
    /// As `image`, and chosen for the current pass.
    static let chosen: UInt8 = 4
  }

  var need: UInt8 = Need.none
  /// The number of consecutive updates that left the cell different, up to 255.
  var age: UInt8 = 0
  /// The size of the difference, on a logarithmic scale (see `CellChoice`).
  var score: UInt8 = 0
  /// An estimate of the bytes for the cell.
  var cost: UInt8 = 0

  /// True if the cell has to be sent.
  @inline(__always)
  var mustBeSent: Bool { need > Need.near }
}
