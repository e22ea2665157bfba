/// The source's route to a time: a seek, retried from further back each time decoding starts too late, and finally from the
/// beginning.
struct SourceRoute {
  /// True if the source must seek before it decodes further.
  private(set) var needsSeek = true
  /// The number of attempts that started after the target.
  private var attempts = 0

  /// The maximum number of attempts.
  private static let lastAttempt = TimeTarget.backoff.count + 1

  /// Returns where the source starts; nil for the beginning.
  func start(for target: MediaTime) -> MediaTime? { TimeTarget.start(for: target, attempts: attempts) }

  /// Returns the source's next seek; nil if it decodes on from where it is.
  func move(to target: MediaTime, _ options: SeekOptions) -> SourceMove? {
    guard needsSeek else { return nil }
    guard let start = start(for: target) else { return .rewind }
    // Frames already passed are also passed for a decoder that another seek has retained.
    return .seek(start, attempts > 0 ? options.union(.withFreshDecoder) : options)
  }

  /// True if the beginning has been tried.
  var isExhausted: Bool { attempts > Self.lastAttempt }

  /// Makes the source decode on from where it is.
  mutating func stay() { needsSeek = false }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail() { attempts = Self.lastAttempt }

  /// Starts again from the same place.
  mutating func beginAgain() { needsSeek = true }

  /// Starts again, earlier than before.
  mutating func beginEarlier(than target: MediaTime) {
    attempts += target > .zero ? 1 : Self.lastAttempt + 1
    needsSeek = true
  }
}
