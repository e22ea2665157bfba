/// A movie made of pieces of clips: tracks of segments, and how they are seen together.
///
/// A value; an asset made of it (`Asset(composition:)`) keeps it as it is at that moment. All times are exact fractions. Edits
/// are those of AVMutableComposition: what is inserted pushes later content back, what is removed closes the gap.
public struct Composition: Hashable, Sendable {
  /// The lowest one first; where a track is not empty, those below it are not seen, but for transitions.
  public private(set) var tracks: [CompositionTrack] = []
  /// Size, frame rate, transitions and what lies over the frames.
  public var videoComposition = VideoComposition()
  /// Chapters, on the composition's timeline.
  public var chapters: [Chapter] = []
  /// Marked moments and stretches, on the composition's timeline.
  public var markers: [CompositionMarker] = []
  /// What people call it. Nil where nobody has said.
  public var title: String?

  /// What whoever made it could not do as it was meant, in sentences without a full stop. They may quote a file: any text.
  public var remarks: [String] = []

  /// What was to lie over the frames and cannot be had.
  package var missingOverlays: [MissingOverlay] = []

  /// An image or a clip that was to lie over the frames: its name, and why it cannot be had.
  package struct MissingOverlay: Hashable, Sendable {
    let name: String
    let reason: String

    package init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
  }

  /// Stretches of clips of which whoever made it did not look whether the clips have them.
  package var unmeasured: [ClipStretch] = []

  /// Movies that are pieces of it, once each.
  var movies: [Asset] {
    var found: Set<ObjectIdentifier> = []
    return tracks.lazy.flatMap(\.segments).compactMap { segment in
      guard case .clip(let clip) = segment.content, clip.asset.isComposition else { return nil }
      return found.insert(ObjectIdentifier(clip.asset)).inserted ? clip.asset : nil
    }
  }

  /// A composition of nothing.
  public init() {}

  /// Where its last segment ends.
  public var duration: MediaTime { tracks.map(\.duration).max() ?? .zero }

  /// Shows a stretch of an asset at a time; all that the track shows from there on comes later.
  ///
  /// - Parameters:
  ///   - range: on the asset's timeline; numeric, not empty, from zero on. Where the asset turns out to end earlier, its last
  ///     frame stays.
  ///   - time: on the composition's timeline; the track is empty up to there if it ends earlier.
  ///   - track: position among the tracks, at most one behind the last.
  ///   - videoTrack: position among the asset's tracks; nil for the preferred video track.
  /// - Throws: `PlaybackError` with reason `invalidEdit` when a parameter is outside its range.
  public mutating func insert(
    _ range: TimeRange, of asset: Asset, at time: MediaTime, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try check(range, allowsEmpty: false)
    try insert(
      .clip(CompositionClip(asset: asset, videoTrack: videoTrack, timeRange: range, direction: .forward)),
      duration: range.duration, at: time, track: track)
  }

  /// Shows a stretch of an asset behind what the track shows; parameters as of `insert`.
  public mutating func append(
    _ range: TimeRange, of asset: Asset, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try insert(range, of: asset, at: duration(ofTrack: track), track: track, videoTrack: videoTrack)
  }

  /// Shows a single frame for some time.
  ///
  /// - Parameters:
  ///   - source: the frame that is on display at this time of the asset; numeric, from zero on.
  ///   - duration: how long; above zero.
  ///   - time, track, videoTrack: as of `insert`.
  /// - Throws: as `insert`.
  public mutating func insertFreeze(
    at source: MediaTime, of asset: Asset, duration: MediaTime, at time: MediaTime, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try check(TimeRange(start: source, duration: .zero), allowsEmpty: true)
    let clip = CompositionClip(
      asset: asset, videoTrack: videoTrack, timeRange: TimeRange(start: source, duration: .zero), direction: .freeze)
    try insert(.clip(clip), duration: duration, at: time, track: track)
  }

  /// Shows nothing for a range: in the lowest track, black.
  ///
  /// - Throws: as `insert`.
  public mutating func insertEmpty(_ range: TimeRange, track: Int = 0) throws {
    try insert(.empty, duration: range.duration, at: range.start, track: track)
  }

  /// Keeps the place of something that cannot be had: the place shows so, and says what is missing.
  ///
  /// - Parameters:
  ///   - name, reason: may be any text, control characters included.
  /// - Throws: as `insert`.
  public mutating func insertMissing(
    _ name: String, reason: String, duration: MediaTime, at time: MediaTime, track: Int = 0
  ) throws {
    try insert(.missing(name: name, reason: reason), duration: duration, at: time, track: track)
  }

  /// Takes a range out of a track, or of all; what comes behind it moves to its start.
  ///
  /// - Parameters:
  ///   - range: what lies outside of a track counts for nothing.
  ///   - track: one that is not there has nothing to take out; nil is all.
  public mutating func remove(_ range: TimeRange, track: Int? = nil) {
    edit(track) { $0.remove(range) }
  }

  /// Shows what is in a range slower or faster, so that it takes `duration`; what comes behind it moves.
  ///
  /// - Parameters:
  ///   - range: what lies outside of a track counts for nothing.
  ///   - duration: zero or less takes the range out; with one that is not numeric nothing happens.
  ///   - isReversed: whether it is shown from its end to its start from now on.
  ///   - track: with one that is not there nothing happens; nil is all.
  public mutating func scale(
    _ range: TimeRange, to duration: MediaTime, isReversed: Bool = false, track: Int? = nil
  ) {
    guard duration.isNumeric else { return }
    edit(track) {
      if isReversed { $0.reverse(range) }
      $0.scale(range, to: duration)
    }
  }

  // MARK: -

  private func duration(ofTrack track: Int) -> MediaTime {
    tracks.indices.contains(track) ? tracks[track].duration : .zero
  }

  private mutating func insert(
    _ content: CompositionSegment.Content, duration: MediaTime, at time: MediaTime, track: Int
  ) throws {
    guard time.isNumeric, time >= .zero else {
      throw PlaybackError(.invalidEdit, "cannot insert at a negative or non-numeric time")
    }
    guard duration.isNumeric, duration > .zero else {
      throw PlaybackError(.invalidEdit, "cannot insert without a positive duration")
    }
    guard (0...tracks.count).contains(track) else {
      throw PlaybackError(.invalidEdit, "cannot insert into track \(track + 1): there are \(tracks.count)")
    }
    if track == tracks.count { tracks.append(CompositionTrack()) }
    tracks[track].insert(content, duration: duration, at: time)
  }

  private mutating func edit(_ track: Int?, _ body: (inout CompositionTrack) -> Void) {
    for i in tracks.indices where track == nil || track == i { body(&tracks[i]) }
  }

  private func check(_ range: TimeRange, allowsEmpty: Bool) throws {
    guard range.isValid, range.duration.isNumeric, range.start.isNumeric, range.start >= .zero,
      allowsEmpty || !range.isEmpty
    else { throw PlaybackError(.invalidEdit, "invalid time range") }
  }
}
