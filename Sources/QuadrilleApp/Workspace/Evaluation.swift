/// The state of comparing and judging clips.
struct Evaluation {
  var inspection = Inspection()
  /// The pane that others are compared with; nil for the first.
  var reference: Pane?
  /// The panes compared frame by frame.
  let measuring: MeasuringControl
  /// The settings of the next comparison.
  var compareSettings = CompareSettings()
  /// The comparison to begin when the clips are open.
  var requestedComparison: CompareSettings.Mode?
  /// True if the panes are to be aligned frame by frame when the clips are open.
  var awaitsAlignment = false
  /// The votes, if names are or were hidden; nil if they never were.
  var blindTest: BlindTest?
  /// The session still to be restored when the clips are open.
  var unrestored: SessionDocument?

  init(_ measuring: MeasuringControl) { self.measuring = measuring }
}
