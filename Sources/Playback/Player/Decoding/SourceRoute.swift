/// How the source gets to a time: it is sent there, further and further back where it comes out behind, and to the beginning
/// at last.
struct SourceRoute {
  /// True if the source must seek before it decodes further.
  private(set) var needsSeek = true
  /// Times that it came out behind the target.
  private var attempts = 0

  /// More attempts than these lead nowhere.
  private static let lastAttempt = TimeTarget.backoff.count + 1

  /// Where the source goes to begin; nil for the beginning.
  func start(for target: MediaTime) -> MediaTime? { TimeTarget.start(for: target, attempts: attempts) }

  /// Where the source goes first; nil where it decodes on from where it is.
  func move(to target: MediaTime, _ options: SeekOptions) -> SourceMove? {
    guard needsSeek else { return nil }
    guard let start = start(for: target) else { return .rewind }
    // What was passed already is so, too, where another seek has left a decoder.
    return .seek(start, attempts > 0 ? options.union(.withFreshDecoder) : options)
  }

  /// True if the beginning has been tried.
  var isExhausted: Bool { attempts > Self.lastAttempt }

  /// The source decodes on from where it is.
  mutating func stay() { needsSeek = false }

  /// The source cannot go there: to the beginning then.
  mutating func moveDidFail() { attempts = Self.lastAttempt }

  /// Once more, from the same place.
  mutating func beginAgain() { needsSeek = true }

  /// Once more, further back than the time before.
  mutating func beginEarlier(than target: MediaTime) {
    attempts += target > .zero ? 1 : Self.lastAttempt + 1
    needsSeek = true
  }
}
