/// A seek to a frame number, which may have to wait for the frame index.
enum NumberedSeek: Equatable {
  case none
  /// Starts when the clip is open.
  case waiting(number: Int)
  /// Made to an estimated time, where playback rests: it is repeated when the frame's time is known.
  case estimated(number: Int)
  /// Made to an estimated time, from where playback went on: going back would interrupt it. Only a number that the clip does
  /// not have is still to be reported.
  case playedOn(number: Int)

  /// Takes the seek that waits for the clip to open.
  mutating func takeWaiting() -> Int? {
    guard case .waiting(let number) = self else { return nil }
    self = .none
    return number
  }

  /// Records that the pane has gone to an estimated time.
  mutating func didEstimate(number: Int, isPlaying: Bool) {
    self = isPlaying ? .playedOn(number: number) : .estimated(number: number)
  }

  /// Records that playback has started.
  mutating func didPlay() {
    if case .estimated(let number) = self { self = .playedOn(number: number) }
  }

  /// Records that the user has moved the pane elsewhere.
  mutating func didMove() {
    switch self {
    case .estimated, .playedOn: self = .none
    case .none, .waiting: break
    }
  }

  /// Takes an estimated seek whose frame is known now.
  ///
  /// - Parameter isKnown: Returns true if the time of a frame is known.
  mutating func takeKnown(where isKnown: (Int) -> Bool) -> (number: Int, repeats: Bool)? {
    switch self {
    case .estimated(let number) where isKnown(number):
      self = .none
      return (number, true)
    case .playedOn(let number) where isKnown(number):
      self = .none
      return (number, false)
    default: return nil
    }
  }
}
