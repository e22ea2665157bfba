/// The missing media of a composition, found before rendering starts.
struct MissingPieces {
  /// Names and reasons, in the order of tracks and times.
  private var found: [String] = []
  private var reason = PlaybackError.Reason.notFound

  /// The maximum number listed; the rest is counted.
  private static let maxNamed = 100

  /// Opens each clip once; blocks until done.
  init(_ composition: Composition, _ cancellation: RenderCancellation) throws {
    var seen: Set<CompositionClip> = []
    func look(at clip: CompositionClip, for pieces: inout MissingPieces) throws {
      guard seen.insert(clip.source).inserted else { return }
      try cancellation.check()
      do {
        let facts = try cancellation.facts(of: clip.asset)
        guard facts.videoTrack(clip.videoTrack) != nil else { throw MovieSource.noVideo(facts) }
      } catch {
        try cancellation.check()
        let error = PlaybackError(error)
        pieces.add(error.message(naming: clip.asset.path), error.reason)
      }
      if seen.count > OpenClips.maxIdle { clip.asset.closeInput() }
      if let inner = clip.asset.composition?.composition { try look(through: inner, for: &pieces) }
    }
    func look(through composition: Composition, for pieces: inout MissingPieces) throws {
      for segment in composition.tracks.lazy.flatMap(\.segments) {
        switch segment.content {
        case .empty: break
        case .missing(let name, let reason): pieces.add("\(name): \(reason)", .notFound)
        case .clip(let clip): try look(at: clip, for: &pieces)
        }
      }
      for overlay in composition.missingOverlays { pieces.add("\(overlay.name): \(overlay.reason)", .notFound) }
      for clip in composition.videoComposition.overlays.lazy.compactMap(\.clip) { try look(at: clip, for: &pieces) }
    }
    try look(through: composition, for: &self)
  }

  private mutating func add(_ sentence: String, _ reason: PlaybackError.Reason) {
    if found.isEmpty { self.reason = reason }
    if !found.contains(sentence) { found.append(sentence) }
  }

  /// The error that lists what is missing, to follow the composition's name; nil if nothing is.
  var error: PlaybackError? {
    guard !found.isEmpty else { return nil }
    let rest = found.count > Self.maxNamed ? "; and \(found.count - Self.maxNamed) more" : ""
    return PlaybackError(reason, found.prefix(Self.maxNamed).joined(separator: "; ") + rest)
  }
}

extension Asset {
  /// The error that lists the missing media of a composition; nil if nothing is missing, and for files. Opens each clip
  /// once, which blocks.
  package var missingMedia: PlaybackError? {
    guard let composition = composition?.composition else { return nil }
    // Nobody cancels it, so it does not throw.
    return try? MissingPieces(composition, RenderCancellation()).error
  }
}
