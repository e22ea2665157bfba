/// The result of a seek, with its completion handler.
struct SeekCompletion: Sendable {
  var call: @Sendable (SeekResult) -> Void
  var result: SeekResult
}

/// The effects of a transition, which the player performs after unlocking.
struct Effects: Sendable {
  /// The parties to wake, and the work to start.
  struct Wakes: OptionSet {
    let rawValue: Int
    /// There is a new frame, or something else to show.
    static let display = Wakes(rawValue: 1)
    /// The lane has work.
    static let lane = Wakes(rawValue: 2)
    /// The observer bus has something to deliver.
    static let observers = Wakes(rawValue: 4)
    /// The frame index is needed.
    static let index = Wakes(rawValue: 8)
    /// The next item should follow the current one.
    static let nextItem = Wakes(rawValue: 16)
    /// The next item should be opened, so that it can follow without a gap.
    static let openNext = Wakes(rawValue: 32)
    /// The clock has taken another course, which the sound follows.
    static let sound = Wakes(rawValue: 64)
  }

  var wakes: Wakes = []
  /// In the order in which they must be called.
  var completions: [SeekCompletion] = []

  static let none = Effects()

  static func wake(_ wakes: Wakes) -> Effects { Effects(wakes: wakes) }

  static func complete(_ completions: [SeekCompletion]) -> Effects { Effects(completions: completions) }

  var isEmpty: Bool { wakes.isEmpty && completions.isEmpty }

  static func += (effects: inout Effects, more: Effects) {
    effects.wakes.formUnion(more.wakes)
    effects.completions += more.completions
  }
}
