/// The answer to a seek, and who gets it.
struct SeekCompletion: Sendable {
  var call: @Sendable (SeekResult) -> Void
  var result: SeekResult
}

/// The effects of a transition, which the player performs after unlocking.
struct Effects: Sendable {
  /// The parties to wake, and the work to start.
  struct Wakes: OptionSet {
    let rawValue: Int
    /// There is a new frame, or something else to see.
    static let display = Wakes(rawValue: 1)
    /// The lane has work.
    static let lane = Wakes(rawValue: 2)
    /// The observer bus has something to tell.
    static let observers = Wakes(rawValue: 4)
    /// The frames' places are to be found out.
    static let index = Wakes(rawValue: 8)
    /// The next item is to follow the one that is played.
    static let nextItem = Wakes(rawValue: 16)
    /// The next item is to be opened, so that it can follow without a gap.
    static let openNext = Wakes(rawValue: 32)
  }

  var wakes: Wakes = []
  /// In the order in which they are to be called.
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
