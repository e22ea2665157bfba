/// The encoder's notes on a cell during an update.
struct CellMark {
  enum Need {
    /// The terminal shows what is wanted.
    static let none: UInt8 = 0
    /// The terminal does not show what is wanted, but what is near enough (`CellTolerance`).
    static let near: UInt8 = 1
    /// Differs and must be sent in this update.
    static let chrome: UInt8 = 2
    /// Differs and is sent if the budget allows.
    static let image: UInt8 = 3
    /// As `image`, and picked for the pass that runs.
    static let chosen: UInt8 = 4
  }

  var need: UInt8 = Need.none
  /// Updates in a row that left the cell different, up to 255.
  var age: UInt8 = 0
  /// How much the cell differs, on a logarithmic scale (see `CellChoice`).
  var score: UInt8 = 0
  /// An estimate of the bytes it takes.
  var cost: UInt8 = 0

  /// True if the cell has to be sent.
  @inline(__always)
  var mustBeSent: Bool { need > Need.near }
}
