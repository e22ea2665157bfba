extension Composition {
  /// The names of all files read for the composition, including nested ones, which are opened; blocks.
  var paths: [String] {
    var seen: Set<Asset> = []
    func add(_ asset: Asset) {
      guard seen.insert(asset).inserted else { return }
      // One that cannot be opened reads nothing.
      if asset.isComposition { _ = try? asset.wait(for: .facts) }
      if let inner = asset.composition?.composition { add(inner) }
    }
    func add(_ composition: Composition) {
      for segment in (composition.tracks + composition.audioTracks).lazy.flatMap(\.segments) {
        if case .clip(let clip) = segment.content { add(clip.asset) }
      }
      for clip in composition.videoComposition.overlays.lazy.compactMap(\.clip) { add(clip.asset) }
    }
    add(self)
    return seen.map(\.path).sorted()
  }
}
