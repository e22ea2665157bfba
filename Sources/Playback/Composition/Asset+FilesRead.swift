extension Asset {
  /// The names of all files that are read for it: its own, and of a movie those of its pieces, which are opened for that; blocks.
  package var filesRead: [String] {
    if isComposition { _ = try? wait(for: .facts) }
    return [path] + (composition?.composition.paths ?? [])
  }
}

extension Composition {
  /// The names of all files that are read for it, those of movies in it included, which are opened for that; blocks.
  var paths: [String] {
    var seen: Set<Asset> = []
    func add(_ asset: Asset) {
      guard seen.insert(asset).inserted else { return }
      // One that cannot be opened reads nothing.
      if asset.isComposition { _ = try? asset.wait(for: .facts) }
      if let inner = asset.composition?.composition { add(inner) }
    }
    func add(_ composition: Composition) {
      for segment in composition.tracks.lazy.flatMap(\.segments) {
        if case .clip(let clip) = segment.content { add(clip.asset) }
      }
      for clip in composition.videoComposition.overlays.lazy.compactMap(\.clip) { add(clip.asset) }
    }
    add(self)
    return seen.map(\.path).sorted()
  }
}
