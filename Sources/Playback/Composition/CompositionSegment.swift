/// A stretch of a composition's track, and what is shown there.
public struct CompositionSegment: Hashable, Sendable {
  /// What a segment shows.
  public enum Content: Hashable, Sendable {
    /// Nothing: the track below is seen, or black.
    case empty
    /// A stretch of a clip.
    case clip(CompositionClip)
    /// Something that cannot be had: its place is kept, and shows that it is missing. `reason`: a clause about it, which
    /// may quote a file: any text, control characters included.
    case missing(name: String, reason: String)
  }

  /// What is shown.
  public let content: Content
  /// Where it is shown, on the composition's timeline.
  public let timeRange: TimeRange

  /// The same, shown elsewhere.
  func moved(to start: MediaTime) -> CompositionSegment {
    CompositionSegment(content: content, timeRange: TimeRange(start: start, duration: timeRange.duration))
  }

  /// The part of the segment that lies in a range.
  ///
  /// - Parameter range: within the segment's own, and not empty.
  func part(_ range: TimeRange) -> CompositionSegment {
    guard range.start != timeRange.start || range.duration != timeRange.duration else { return self }
    return CompositionSegment(content: content.part(range, of: timeRange), timeRange: range)
  }

  /// The same content in another length.
  func scaled(to range: TimeRange) -> CompositionSegment { CompositionSegment(content: content, timeRange: range) }
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

/// A stretch of an asset's video, as a composition shows it.
public struct CompositionClip: Hashable, Sendable {
  /// How a stretch is shown.
  public enum Direction: Hashable, Sendable {
    /// From its first frame to its last one.
    case forward
    /// From its last frame to its first one.
    case backward
    /// Only the frame at its start, all the time.
    case freeze
  }

  /// What it is taken from.
  public let asset: Asset
  /// Position of the video track among the asset's tracks; nil for the preferred one.
  public let videoTrack: Int?
  /// The stretch, on the asset's timeline; numeric.
  public internal(set) var timeRange: TimeRange
  /// How the stretch is shown.
  public internal(set) var direction: Direction

  /// Whether both are read from one track of one asset.
  func hasSameSource(as other: CompositionClip) -> Bool { asset === other.asset && videoTrack == other.videoTrack }
}
