/// Choices given in advance, one word for each decision, made as soon as they are available.
///
/// Each belongs to the decision it was made for; if the story goes back, it is made again there.
struct StoryWishes: Sendable {
  private let words: [String]
  /// For each choice made so far, the number of decisions before it.
  private var places: [Int] = []
  /// True if the choice for the open decision has been made or skipped.
  private var hasChosen = false
  /// The number of decisions at the last call of `next`.
  private var decidedCount: Int

  init(_ words: [String], decided: Int) {
    self.words = words
    decidedCount = decided
  }

  /// Records that the viewer has made a choice.
  mutating func didChoose() { hasChosen = true }

  /// Records that a decision has been made, so that the next is open.
  mutating func didDecide() { hasChosen = false }

  /// Records that the story has gone back to before the choices showed.
  ///
  /// - Parameter decided: the number of decisions made.
  mutating func didGoBack(decided: Int) {
    places.removeAll { $0 >= decided }
    hasChosen = false
  }

  /// Returns the next choice to make, and counts it as made.
  ///
  /// - Parameters:
  ///   - decided: the number of decisions made; fewer than before if the story has gone back.
  ///   - isChosen: true if a choice is made for the open decision.
  ///   - isOpen: true if choices are available.
  mutating func next(decided: Int, isChosen: Bool, isOpen: Bool) -> String? {
    if decided < decidedCount {
      // A choice that is still made is kept.
      didGoBack(decided: isChosen ? decided + 1 : decided)
      hasChosen = isChosen
    }
    decidedCount = decided
    guard isOpen, !hasChosen, places.count < words.count else { return nil }
    hasChosen = true
    places.append(decided)
    return words[places.count - 1]
  }
}
