import Playback
import Testing

@Suite(.timeLimit(.minutes(20))) struct CompositionTests {
  private let a = Asset(path: "a"), b = Asset(path: "b")

  private func seconds(_ n: Int64, _ scale: Int32 = 1) -> MediaTime { MediaTime(value: n, timescale: scale) }
  private func range(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: seconds(start), end: seconds(end)) }

  /// "a 0–2 at 0" for each segment, so that what is wrong is seen.
  private func describe(_ composition: Composition, track: Int = 0) -> [String] {
    composition.tracks[track].segments.map { segment in
      let shown = "\(segment.timeRange.start.seconds)–\(segment.timeRange.end.seconds)"
      switch segment.content {
      case .empty: return "- at \(shown)"
      case .missing(let name, _): return "?\(name) at \(shown)"
      case .clip(let clip):
        let arrow = clip.direction == .forward ? ">" : clip.direction == .backward ? "<" : "="
        return "\(clip.asset.path)\(arrow)\(clip.timeRange.start.seconds)–\(clip.timeRange.end.seconds) at \(shown)"
      }
    }
  }

  @Test func piecesStandOneAfterAnother() throws {
    var movie = Composition()
    try movie.append(range(1, 3), of: a)
    try movie.append(range(0, 1), of: b)
    #expect(describe(movie) == ["a>1.0–3.0 at 0.0–2.0", "b>0.0–1.0 at 2.0–3.0"])
    #expect(movie.duration == seconds(3))
  }

  @Test func whatIsInsertedPushesLaterContentBack() throws {
    var movie = Composition()
    try movie.append(range(0, 4), of: a)
    try movie.insert(range(5, 6), of: b, at: seconds(1))
    #expect(describe(movie) == ["a>0.0–1.0 at 0.0–1.0", "b>5.0–6.0 at 1.0–2.0", "a>1.0–4.0 at 2.0–5.0"])
    try movie.insertEmpty(range(2, 3))
    #expect(describe(movie)[2...] == ["- at 2.0–3.0", "a>1.0–4.0 at 3.0–6.0"])
  }

  @Test func behindTheEndTheTrackIsEmptyUpToThere() throws {
    var movie = Composition()
    try movie.insert(range(0, 1), of: a, at: seconds(2))
    #expect(describe(movie) == ["- at 0.0–2.0", "a>0.0–1.0 at 2.0–3.0"])
  }

  @Test func whatIsRemovedClosesTheGap() throws {
    var movie = Composition()
    try movie.append(range(0, 4), of: a)
    try movie.append(range(0, 4), of: b)
    movie.remove(range(3, 6))
    #expect(describe(movie) == ["a>0.0–3.0 at 0.0–3.0", "b>2.0–4.0 at 3.0–5.0"])
    movie.remove(range(4, 100))
    #expect(movie.duration == seconds(4))
  }

  @Test func scaledRangesAreSlowerAndMayGoBackwards() throws {
    var movie = Composition()
    try movie.append(range(0, 4), of: a)
    movie.scale(range(1, 3), to: seconds(4))
    #expect(describe(movie) == ["a>0.0–1.0 at 0.0–1.0", "a>1.0–3.0 at 1.0–5.0", "a>3.0–4.0 at 5.0–6.0"])
    movie.scale(range(0, 5), to: seconds(5), isReversed: true)
    #expect(describe(movie) == ["a<1.0–3.0 at 0.0–4.0", "a<0.0–1.0 at 4.0–5.0", "a>3.0–4.0 at 5.0–6.0"])
    // A part of what goes backwards is taken from the other end of its clip.
    movie.remove(range(0, 1))
    #expect(describe(movie)[0] == "a<1.0–2.5 at 0.0–3.0")
  }

  @Test func freezesHoldOneFrame() throws {
    var movie = Composition()
    try movie.append(range(0, 2), of: a)
    try movie.insertFreeze(at: seconds(1), of: a, duration: seconds(3), at: seconds(1))
    #expect(describe(movie) == ["a>0.0–1.0 at 0.0–1.0", "a=1.0–1.0 at 1.0–4.0", "a>1.0–2.0 at 4.0–5.0"])
  }

  @Test func editsWithoutSenseAreRefused() throws {
    var movie = Composition()
    #expect(throws: PlaybackError.self) { try movie.append(range(1, 1), of: a) }
    #expect(throws: PlaybackError.self) { try movie.append(.all, of: a) }
    #expect(throws: PlaybackError.self) { try movie.insert(range(0, 1), of: a, at: seconds(-1)) }
    #expect(throws: PlaybackError.self) { try movie.insert(range(0, 1), of: a, at: .zero, track: 1) }
    #expect(throws: PlaybackError.self) { try movie.insertFreeze(at: .zero, of: a, duration: .zero, at: .zero) }
    #expect(movie == Composition())
  }

  @Test func timesAreMappedExactly() {
    let third = TimeRange(start: .zero, duration: seconds(1, 3))
    #expect(seconds(1, 30).mapped(from: third, to: range(1, 2)) == seconds(11, 10))
    #expect(seconds(1001, 30000).mapped(from: range(0, 1), to: range(0, 7)) == seconds(7007, 30000))
    #expect(seconds(5).mapped(from: range(2, 2), to: range(7, 9)) == seconds(7))
    #expect(MediaTime.indefinite.mapped(from: range(0, 1), to: range(0, 1)) == .invalid)
    #expect(seconds(-1).mapped(from: range(0, 1), to: range(10, 12)) == seconds(8))
  }
}
