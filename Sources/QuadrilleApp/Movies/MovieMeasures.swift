import Movies
import Playback

/// What other programs' files want said of a movie that need not be said elsewhere: its rate, and where its pieces end.
struct MovieMeasures {
  private let makeAsset: (String) -> Asset
  private var facts: [String: AssetFacts?] = [:]

  /// - Parameter makeAsset: called for each clip of which more has to be known than its name.
  init(makeAsset: @escaping (String) -> Asset) { self.makeAsset = makeAsset }

  /// The movie with all of that said, as far as it can be found out. Opens clips, and may block for as long as a disk does.
  ///
  /// - Parameters:
  ///   - document: with names from the root.
  ///   - keepsTimelines: leaves pieces as they are that a timeline's file said.
  mutating func said(in document: MovieDocument, keepsTimelines: Bool = false) -> MovieDocument {
    var result = document
    for index in document.pieces.indices {
      if keepsTimelines, document.pieces[index].isOfTimeline { continue }
      guard case .clip(var clip) = document.pieces[index].content else { continue }
      if result.output.rate == nil { result.output.rate = facts(of: clip.path)?.preferredVideoTrack?.frameRate }
      guard case .plays(let speed, .clipEnd) = clip.motion, let facts = facts(of: clip.path), !facts.durationIsEstimate,
        let end = [facts.preferredVideoTrack?.duration, facts.duration].compactMap({ $0 }).filter(\.isNumeric).min()
      else { continue }
      clip.motion = .plays(speed: speed, until: .position(.time(end)))
      result.pieces[index].content = .clip(clip)
    }
    return result
  }

  private mutating func facts(of path: String) -> AssetFacts? {
    if let known = facts[path] { return known }
    let found = try? makeAsset(path).wait(for: .facts)
    facts[path] = .some(found)
    return found
  }
}
