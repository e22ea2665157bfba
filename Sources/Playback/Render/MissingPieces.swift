/// The missing media of a composition, found before rendering starts.
struct MissingPieces {
  /// An error for each, in the order of tracks and times.
  private(set) var all: [PlaybackError] = []
  private var messages: Set<String> = []

  /// Opens each clip once; blocks until done.
  init(_ composition: Composition, _ cancellation: RenderCancellation) throws {
    var seen: Set<CompositionClip> = []
    func look(at clip: CompositionClip, _ line: FileLine?, isSoundOnly: Bool = false, for pieces: inout MissingPieces) throws {
      guard seen.insert(clip.source).inserted else { return }
      try cancellation.check()
      do {
        let facts = try cancellation.facts(of: clip.asset)
        guard isSoundOnly || facts.videoTrack(clip.videoTrack) != nil else { throw MovieSource.noVideo(facts) }
      } catch {
        try cancellation.check()
        let error = PlaybackError(error)
        pieces.add(MissingClip(path: clip.asset.path, timeRange: clip.timeRange, error: error, line: line).namedError)
      }
      if seen.count > OpenClips.maxIdle { clip.asset.closeInput() }
      if let inner = clip.asset.composition?.composition { try look(through: inner, for: &pieces) }
    }
    func look(through composition: Composition, for pieces: inout MissingPieces) throws {
      for segment in composition.tracks.lazy.flatMap(\.segments) {
        switch segment.content {
        case .empty: break
        case .missing(let name, let reason): pieces.add(PlaybackError(missing: name, reason, at: segment.line))
        case .clip(let clip): try look(at: clip, segment.line, for: &pieces)
        }
      }
      for segment in composition.audioTracks.lazy.flatMap(\.segments) {
        switch segment.content {
        case .empty: break
        case .missing(let name, let reason): pieces.add(PlaybackError(missing: name, reason, at: segment.line))
        case .clip(let clip): try look(at: clip, segment.line, isSoundOnly: true, for: &pieces)
        }
      }
      for overlay in composition.missingOverlays { pieces.add(overlay.error) }
      for overlay in composition.videoComposition.overlays {
        if let clip = overlay.clip { try look(at: clip, overlay.line, for: &pieces) }
      }
    }
    try look(through: composition, for: &self)
  }

  private mutating func add(_ error: PlaybackError) {
    if messages.insert(error.message).inserted { all.append(error) }
  }
}

extension PlaybackError {
  /// The maximum number of errors listed; the rest is counted.
  package static let maxListed = 5

  /// Creates an error that lists errors, each with its place in a file; nil if there are none.
  package init?(listing errors: [PlaybackError]) {
    guard let first = errors.first else { return nil }
    guard errors.count > 1 else {
      self = first
      return
    }
    let rest = errors.count > Self.maxListed ? "; and \(errors.count - Self.maxListed) more" : ""
    self.init(first.reason, errors.prefix(Self.maxListed).map(\.sentence).joined(separator: "; ") + rest)
  }
}

extension Asset {
  /// An error for each missing piece of a composition; empty for files. Opens each clip once, which blocks.
  package var missingMedia: [PlaybackError] {
    guard let composition = composition?.composition else { return [] }
    // Nobody cancels it, so it does not throw.
    return (try? MissingPieces(composition, RenderCancellation()).all) ?? []
  }
}
