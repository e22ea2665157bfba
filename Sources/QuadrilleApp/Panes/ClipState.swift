import Playback

/// A pane's view of its clip, from the player's reports: a value without a player.
struct ClipState: Equatable {
  /// Playback progress at the clip's end.
  enum Progress: Equatable {
    case underway
    /// At its end, or stopped at the common end of aligned clips.
    case ended(at: MediaTime? = nil)
    /// Permanent failure.
    case failed(PlaybackError)
  }

  /// An end of a clip.
  enum Edge { case start, end }

  private(set) var progress = Progress.underway
  /// True once the clip is open, as far as reported: its first frame may be displayed before.
  private(set) var isOpen = false
  /// The clip's facts; nil until the clip is open.
  private(set) var facts: AssetFacts?
  private(set) var media: MediaModel?
  private(set) var chapters = ChapterList([])
  /// The time shown by the progress bar.
  private(set) var time = MediaTime.zero
  /// Cached ranges at the time of the last report.
  private(set) var cachedRanges: [TimeRange] = []
  /// A message that the data ends early.
  private(set) var earlyEnd: String?
  /// The length announced by the file, if its data ends earlier.
  private var announcedLength = MediaTime.invalid
  /// The end that playback has reached, until the program takes it.
  private var playedOut: Edge?

  var error: PlaybackError? {
    if case .failed(let error) = progress { return error }
    return nil
  }

  /// True if the clip has ended or failed.
  var hasEnded: Bool { progress != .underway }

  /// Length of the clip as announced by the file, even if it has less data.
  ///
  /// - Parameter found: The length determined by the player.
  func length(found: MediaTime) -> MediaTime {
    let length = announcedLength.isNumeric && (!found.isNumeric || found < announcedLength) ? announcedLength : found
    // A file that grows has more than it announced.
    return length.isNumeric && progress == .underway ? max(length, time) : length
  }

  mutating func update(time: MediaTime, cachedRanges: [TimeRange]) {
    self.time = time
    self.cachedRanges = cachedRanges
  }

  /// - Parameter video: The displayed track; nil for the preferred one.
  mutating func didOpen(_ facts: AssetFacts?, video: AssetTrack? = nil, path: String) {
    isOpen = true
    self.facts = facts
    chapters = ChapterList(facts)
    media = facts.flatMap { facts in
      (video ?? facts.preferredVideoTrack).map { MediaModel(facts, video: $0, path: path) }
        ?? facts.tracks.first { $0.mediaType == .audio }.map { MediaModel(facts, sound: $0, path: path) }
    }
  }

  mutating func didFail(_ error: PlaybackError) { progress = .failed(error) }

  /// - Parameter staysThere: False if the clip is repeated.
  mutating func didPlayOut(_ edge: Edge, staysThere: Bool) {
    playedOut = edge
    guard edge == .end, error == nil else { return }
    progress = staysThere ? .ended() : .underway
  }

  /// Records that the clip was stopped at the common end of aligned clips.
  mutating func didStop(at time: MediaTime) {
    if error == nil { progress = .ended(at: time) }
  }

  /// Records a seek.
  ///
  /// - Parameter length: Length of the clip, as determined by the player.
  mutating func didGo(to time: MediaTime, length: MediaTime) {
    // The stop itself caused this seek.
    if progress == .ended(at: time) { return }
    if time < length { didGoOn() }
  }

  /// - Parameter announced: Indefinite if the file announces no length.
  mutating func didEndEarly(at end: MediaTime, announced: MediaTime) {
    let place = announced.isNumeric ? "\(end.placeText) of \(announced.placeText)" : end.placeText
    earlyEnd = "ends early, at \(place): the file is truncated or damaged"
    announcedLength = announced
  }

  /// Resets the state because the clip has been rebuilt.
  mutating func didReplace() {
    progress = .underway
    (earlyEnd, announcedLength, playedOut) = (nil, .invalid, nil)
  }

  /// Records that the clip has left its end or plays again.
  mutating func didGoOn() {
    if error == nil { progress = .underway }
  }

  /// The end reached since the last call; nil if none.
  mutating func takePlayedOut() -> Edge? {
    defer { playedOut = nil }
    return playedOut
  }
}
