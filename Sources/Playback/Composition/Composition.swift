import Pixels

/// An editable movie: tracks of segments of clips, and how the tracks are combined.
///
/// A value type; `Asset(composition:)` copies it. All times are exact fractions. Edits work as in AVMutableComposition:
/// inserting moves later content back, and removing closes the gap.
public struct Composition: Hashable, Sendable {
  /// The tracks, lowest first. A track that is not empty hides those below it, except during transitions.
  public private(set) var tracks: [CompositionTrack] = []
  /// Tracks of which only the sound is used. What lasts longer than `tracks` is not heard.
  public private(set) var audioTracks: [CompositionTrack] = []
  /// Output size, frame rate, transitions and overlays.
  public var videoComposition = VideoComposition()
  /// The volumes of the sound.
  public var audioMix = AudioMix()
  /// Chapters, on the composition's timeline.
  public var chapters: [Chapter] = []
  /// Marked times and ranges, on the composition's timeline.
  public var markers: [CompositionMarker] = []
  /// The title; nil if none was given.
  public var title: String?

  /// Problems in building the composition, as sentences without a full stop. Untrusted text: they may quote a file.
  public var remarks: [String] = []

  /// Overlays whose media is missing.
  package var missingOverlays: [MissingOverlay] = []

  /// An overlay whose media is missing, with the reason.
  package struct MissingOverlay: Hashable, Sendable {
    let name: String
    let reason: String
    /// The range in which it would be visible.
    let timeRange: TimeRange
    /// The line that describes the overlay; nil if unknown.
    let line: FileLine?

    package init(name: String, reason: String, timeRange: TimeRange, line: FileLine? = nil) {
      (self.name, self.reason, self.timeRange, self.line) = (name, reason, timeRange, line)
    }

    var error: PlaybackError { PlaybackError(missing: name, reason, at: line) }
  }

  /// Ranges of clips whose actual durations have not been checked.
  package var unmeasured: [ClipStretch] = []

  /// Nested compositions, once each.
  var movies: [Asset] {
    var found: Set<ObjectIdentifier> = []
    return (tracks + audioTracks).lazy.flatMap(\.segments).compactMap { segment in
      guard case .clip(let clip) = segment.content, clip.asset.isComposition else { return nil }
      return found.insert(ObjectIdentifier(clip.asset)).inserted ? clip.asset : nil
    }
  }

  /// Creates an empty composition.
  public init() {}

  /// The end of the last segment.
  public var duration: MediaTime { tracks.map(\.duration).max() ?? .zero }

  /// Inserts a time range of an asset's video at a time, moving the track's later content back.
  ///
  /// - Parameters:
  ///   - range: on the asset's timeline; numeric, not empty, starting at zero or later. If the asset ends earlier, its last
  ///     frame is held.
  ///   - time: on the composition's timeline; if the track ends earlier, the gap is empty.
  ///   - track: index of the track; at most one past the last.
  ///   - videoTrack: index among the asset's tracks; nil for the preferred video track.
  /// - Throws: `PlaybackError` with reason `invalidEdit` if a parameter is out of range.
  public mutating func insert(
    _ range: TimeRange, of asset: Asset, at time: MediaTime, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try check(range, allowsEmpty: false)
    try insert(
      .clip(CompositionClip(asset: asset, videoTrack: videoTrack, timeRange: range, direction: .forward)),
      duration: range.duration, at: time, track: track)
  }

  /// Appends a time range of an asset's video to a track; parameters are as for `insert`.
  public mutating func append(
    _ range: TimeRange, of asset: Asset, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try insert(range, of: asset, at: duration(ofTrack: track), track: track, videoTrack: videoTrack)
  }

  /// Inserts a freeze frame.
  ///
  /// - Parameters:
  ///   - source: the time in the asset whose displayed frame is held; numeric, zero or later.
  ///   - duration: how long to hold it; above zero.
  ///   - time, track, videoTrack: as for `insert`.
  /// - Throws: as `insert` does.
  public mutating func insertFreeze(
    at source: MediaTime, of asset: Asset, duration: MediaTime, at time: MediaTime, track: Int = 0, videoTrack: Int? = nil
  ) throws {
    try check(TimeRange(start: source, duration: .zero), allowsEmpty: true)
    let clip = CompositionClip(
      asset: asset, videoTrack: videoTrack, timeRange: TimeRange(start: source, duration: .zero), direction: .freeze)
    try insert(.clip(clip), duration: duration, at: time, track: track)
  }

  /// Inserts an empty range, which is black in the lowest track.
  ///
  /// - Throws: as `insert` does.
  public mutating func insertEmpty(_ range: TimeRange, track: Int = 0) throws {
    try insert(.empty, duration: range.duration, at: range.start, track: track)
  }

  /// Inserts a placeholder for missing media, which shows what is missing.
  ///
  /// - Parameters:
  ///   - name, reason: any text, including control characters.
  /// - Throws: as `insert` does.
  public mutating func insertMissing(
    _ name: String, reason: String, duration: MediaTime, at time: MediaTime, track: Int = 0
  ) throws {
    try insert(.missing(name: name, reason: reason), duration: duration, at: time, track: track)
  }

  /// Inserts a time range of an asset's sound at a time, moving the track's later content back.
  ///
  /// - Parameters:
  ///   - range: on the asset's timeline; numeric, not empty, starting at zero or later. It is silent where the asset has no
  ///     sound.
  ///   - time: on the composition's timeline; if the track ends earlier, the gap is empty.
  ///   - audioTrack: index among `audioTracks`; at most one past the last.
  /// - Throws: as `insert` does.
  public mutating func insertAudio(_ range: TimeRange, of asset: Asset, at time: MediaTime, audioTrack: Int = 0) throws {
    try check(range, allowsEmpty: false)
    let clip = CompositionClip(asset: asset, videoTrack: nil, timeRange: range, direction: .forward)
    try Self.insert(.clip(clip), duration: range.duration, at: time, track: audioTrack, into: &audioTracks)
  }

  /// Changes the speed of a range of an audio track so that it takes `duration`, moving later content.
  ///
  /// - Parameters: as for `scale`.
  public mutating func scaleAudio(_ range: TimeRange, to duration: MediaTime, audioTrack: Int) {
    guard duration.isNumeric, audioTracks.indices.contains(audioTrack) else { return }
    audioTracks[audioTrack].scale(range, to: duration)
  }

  /// Removes a range from one audio track, closing the gap. `remove` removes it from all tracks, also of these.
  public mutating func removeAudio(_ range: TimeRange, audioTrack: Int) {
    if audioTracks.indices.contains(audioTrack) { audioTracks[audioTrack].remove(range) }
  }

  /// Inserts the place of missing media in an audio track, which is silent.
  ///
  /// - Throws: as `insert` does.
  package mutating func insertMissingAudio(
    _ name: String, reason: String, duration: MediaTime, at time: MediaTime, audioTrack: Int
  ) throws {
    try Self.insert(.missing(name: name, reason: reason), duration: duration, at: time, track: audioTrack, into: &audioTracks)
  }

  /// Notes the line that describes an audio track's segments from a time on.
  package mutating func setAudioLine(_ line: FileLine?, from time: MediaTime, audioTrack: Int) {
    if let line, audioTracks.indices.contains(audioTrack) { audioTracks[audioTrack].setLine(line, from: time) }
  }

  /// Notes the line that describes a track's segments from a time on.
  package mutating func setLine(_ line: FileLine?, from time: MediaTime, track: Int) {
    if let line, tracks.indices.contains(track) { tracks[track].setLine(line, from: time) }
  }

  /// Removes a range from one track or all tracks, closing the gap.
  ///
  /// - Parameters:
  ///   - range: parts outside a track are ignored.
  ///   - track: index of the track; nil for all, audio tracks too. An index out of range is ignored.
  public mutating func remove(_ range: TimeRange, track: Int? = nil) {
    edit(track) { $0.remove(range) }
  }

  /// Changes the speed of a range so that it takes `duration`, moving later content.
  ///
  /// - Parameters:
  ///   - range: parts outside a track are ignored.
  ///   - duration: zero or less removes the range; a non-numeric duration is ignored.
  ///   - isReversed: whether to reverse the range.
  ///   - track: index of the track; nil for all, audio tracks too. An index out of range is ignored.
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
    try Self.insert(content, duration: duration, at: time, track: track, into: &tracks)
  }

  private static func insert(
    _ content: CompositionSegment.Content, duration: MediaTime, at time: MediaTime, track: Int,
    into tracks: inout [CompositionTrack]
  ) throws {
    guard time.isNumeric, time >= .zero else {
      throw PlaybackError(.invalidEdit, "cannot insert at a negative or non-numeric time")
    }
    guard duration.isNumeric, duration > .zero else {
      throw PlaybackError(.invalidEdit, "cannot insert without a positive duration")
    }
    guard (0...tracks.count).contains(track) else {
      throw PlaybackError(.invalidEdit, "cannot insert at track index \(track): the highest possible index is \(tracks.count)")
    }
    if track == tracks.count { tracks.append(CompositionTrack()) }
    tracks[track].insert(content, duration: duration, at: time)
  }

  private mutating func edit(_ track: Int?, _ body: (inout CompositionTrack) -> Void) {
    for i in tracks.indices where track == nil || track == i { body(&tracks[i]) }
    if track == nil { for i in audioTracks.indices { body(&audioTracks[i]) } }
  }

  private func check(_ range: TimeRange, allowsEmpty: Bool) throws {
    guard range.isValid, range.duration.isNumeric, range.start.isNumeric, range.start >= .zero,
      allowsEmpty || !range.isEmpty
    else { throw PlaybackError(.invalidEdit, "invalid time range") }
  }
}
