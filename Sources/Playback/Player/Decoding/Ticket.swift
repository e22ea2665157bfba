/// Identifies the decision that a piece of the lane's work, and its result, belongs to.
///
/// Results of an older decision are discarded where they are met, never waited for.
struct Ticket: Hashable, Sendable {
  /// The item, counted from the player's first, which is 1; 0 for none.
  var item = 0
  /// The decision, counted from the item's first.
  var decision = 0
}
