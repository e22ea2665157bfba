/// What the encoder notes about one cell while it works on an update.
struct CellMark {
  enum Need {
    /// The terminal shows what is wanted.
    static let none: UInt8 = 0
    /// Differs and must be sent in this update.
    static let chrome: UInt8 = 1
    /// Differs and is sent if the budget allows.
    static let image: UInt8 = 2
    /// As `image`, and picked for the pass that runs.
    static let chosen: UInt8 = 3
  }

  var need: UInt8 = Need.none
  /// Whether what is shown is not what is wanted, but near enough (`CellTolerance`); `need` is none then.
  var isNear = false
  /// Updates in a row that left the cell different, up to 255.
  var age: UInt8 = 0
  /// How much the cell differs, on a logarithmic scale (see `CellChoice`).
  var score: UInt8 = 0
  /// An estimate of the bytes it takes.
  var cost: UInt8 = 0
}
