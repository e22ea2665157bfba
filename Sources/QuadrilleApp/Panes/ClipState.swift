import Playback

/// What a pane knows of its clip from what its player has reported: a value without a player.
struct ClipState: Equatable {
  /// Whether there is something left to play.
  enum Progress: Equatable {
    case underway
    /// Played to its end, or stopped at a time where aligned clips have ended together, and it stays there.
    case ended(at: MediaTime? = nil)
    /// For good, whatever is asked of it.
    case failed(PlaybackError)
  }

  /// An end of a clip.
  enum Edge { case start, end }

  private(set) var progress = Progress.underway
  /// nil until the clip is open.
  private(set) var facts: AssetFacts?
  private(set) var media: MediaModel?
  /// The time that the progress bar shows.
  private(set) var time = MediaTime.zero
  /// What is cached, as it was when something was last reported.
  private(set) var cachedRanges: [TimeRange] = []
  /// That the data ends before its time, in words.
  private(set) var earlyEnd: String?
  /// The length that the file announces, where its data ends before.
  private var announcedLength = MediaTime.invalid
  /// Where the clip has been played out, until the program has heard of it.
  private var playedOut: Edge?

  var error: PlaybackError? {
    if case .failed(let error) = progress { return error }
    return nil
  }

  /// Whether it has ended or failed.
  var hasEnded: Bool { progress != .underway }

  /// How long the clip is, as the file says, also where it has less.
  ///
  /// - Parameter found: the length that the player has found.
  func length(found: MediaTime) -> MediaTime {
    announcedLength.isNumeric && (!found.isNumeric || found < announcedLength) ? announcedLength : found
  }

  mutating func update(time: MediaTime, cachedRanges: [TimeRange]) {
    self.time = time
    self.cachedRanges = cachedRanges
  }

  /// - Parameter video: the track that is shown; nil for the preferred one.
  mutating func didOpen(_ facts: AssetFacts?, video: AssetTrack? = nil, path: String) {
    self.facts = facts
    media = facts.flatMap { facts in
      (video ?? facts.preferredVideoTrack).map { MediaModel(facts, video: $0, path: path) }
        ?? facts.tracks.first { $0.mediaType == .audio }.map { MediaModel(facts, sound: $0, path: path) }
    }
  }

  mutating func didFail(_ error: PlaybackError) { progress = .failed(error) }

  /// - Parameter staysThere: whether it stays at that end; not where it is played again.
  mutating func didPlayOut(_ edge: Edge, staysThere: Bool) {
    playedOut = edge
    guard edge == .end, error == nil else { return }
    progress = staysThere ? .ended() : .underway
  }

  /// It has been stopped where others that are aligned with it have ended.
  mutating func didStop(at time: MediaTime) {
    if error == nil { progress = .ended(at: time) }
  }

  /// It has gone to a time.
  ///
  /// - Parameter length: of the clip, as found.
  mutating func didGo(to time: MediaTime, length: MediaTime) {
    // It has been taken there by the stop itself.
    if progress == .ended(at: time) { return }
    if time < length { didGoOn() }
  }

  /// - Parameter announced: indefinite where the file announces no length.
  mutating func didEndEarly(at end: MediaTime, announced: MediaTime) {
    let place = announced.isNumeric ? "\(end.clockText()) of \(announced.clockText())" : end.clockText()
    earlyEnd = "ends early, at \(place): the file is truncated or damaged"
    announcedLength = announced
  }

  /// It has been made anew, and all is open again.
  mutating func didReplace() {
    progress = .underway
    (earlyEnd, announcedLength, playedOut) = (nil, .invalid, nil)
  }

  /// It is somewhere else than at its end, or plays again.
  mutating func didGoOn() {
    if error == nil { progress = .underway }
  }

  /// Where the clip has been played out since the last call; nil where it has not.
  mutating func takePlayedOut() -> Edge? {
    defer { playedOut = nil }
    return playedOut
  }
}
