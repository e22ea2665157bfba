/// What is chosen as soon as it can be, one word for each decision.
///
/// Each belongs to the decision that it was made for: where the story goes back, it is made anew there.
struct StoryWishes: Sendable {
  private let words: [String]
  /// How much had been decided when each of them was made, of those that are made.
  private var places: [Int] = []
  /// Whether what is open has been chosen, or left as it is.
  private var hasChosen = false
  /// How much was decided when that was looked at last.
  private var decidedCount: Int

  init(_ words: [String], decided: Int) {
    self.words = words
    decidedCount = decided
  }

  /// The viewer has chosen.
  mutating func didChoose() { hasChosen = true }

  /// A decision has been made: the next is open.
  mutating func didDecide() { hasChosen = false }

  /// The story has gone back to before there was something to choose.
  ///
  /// - Parameter decided: how much is decided.
  mutating func didGoBack(decided: Int) {
    places.removeAll { $0 >= decided }
    hasChosen = false
  }

  /// The next one, which counts as made.
  ///
  /// - Parameters:
  ///   - decided: how much is decided; less than before where the story has gone back.
  ///   - isChosen: whether what is open is chosen.
  ///   - isOpen: whether something can be chosen.
  mutating func next(decided: Int, isChosen: Bool, isOpen: Bool) -> String? {
    if decided < decidedCount {
      // What is still chosen stays so.
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
