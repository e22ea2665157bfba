/// A range of a composition's track and its content.
public struct CompositionSegment: Hashable, Sendable {
  /// The content of a segment.
  public enum Content: Hashable, Sendable {
    /// Nothing: the track below is visible, or black.
    case empty
    /// A range of a clip.
    case clip(CompositionClip)
    /// A placeholder for missing media. `reason` is a clause; untrusted text that may quote a file and
    /// include control characters.
    case missing(name: String, reason: String)
  }

  /// The content of the segment.
  public let content: Content
  /// The segment's range on the composition's timeline.
  public let timeRange: TimeRange
  /// The line that describes the segment; nil if unknown.
  var line: FileLine?

  /// Returns the segment moved to another time.
  func moved(to start: MediaTime) -> CompositionSegment {
    CompositionSegment(content: content, timeRange: TimeRange(start: start, duration: timeRange.duration), line: line)
  }

  /// Returns the part of the segment in a range.
  ///
  /// - Parameter range: within the segment's own range, and not empty.
  func part(_ range: TimeRange) -> CompositionSegment {
    guard range.start != timeRange.start || range.duration != timeRange.duration else { return self }
    return CompositionSegment(content: content.part(range, of: timeRange), timeRange: range, line: line)
  }

  /// Returns the same content with another duration.
  func scaled(to range: TimeRange) -> CompositionSegment {
    CompositionSegment(content: content, timeRange: range, line: line)
  }
}

extension CompositionSegment.Content {
  fileprivate func part(_ range: TimeRange, of whole: TimeRange) -> Self {
    guard case .clip(var clip) = self else { return self }
    let full = clip.timeRange
    switch clip.direction {
    case .forward:
      clip.timeRange = TimeRange(
        start: range.start.mapped(from: whole, to: full), end: range.end.mapped(from: whole, to: full))
    case .backward:
      let mirrored = TimeRange(start: whole.start + (whole.end - range.end), duration: range.duration)
      clip.timeRange = TimeRange(
        start: mirrored.start.mapped(from: whole, to: full), end: mirrored.end.mapped(from: whole, to: full))
    case .freeze: break
    }
    return .clip(clip)
  }
}

/// A range of an asset's video, as a composition shows it.
public struct CompositionClip: Hashable, Sendable {
  /// The direction in which a range is shown.
  public enum Direction: Hashable, Sendable {
    /// From the first frame to the last.
    case forward
    /// From the last frame to the first.
    case backward
    /// Only the frame at the start of the range, held throughout.
    case freeze
  }

  /// The asset that the range is taken from.
  public let asset: Asset
  /// Index of the video track among the asset's tracks; nil for the preferred one.
  public let videoTrack: Int?
  /// The range on the asset's timeline; numeric.
  public internal(set) var timeRange: TimeRange
  /// The direction in which the range is shown.
  public internal(set) var direction: Direction

  /// Returns true if both are read from one track of one asset.
  func hasSameSource(as other: CompositionClip) -> Bool { asset === other.asset && videoTrack == other.videoTrack }
}
