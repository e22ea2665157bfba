import Testing

@testable import Playback

/// Text of a movie that is a piece of another one.
@Suite(.timeLimit(.minutes(20))) struct NestedTextTests {
  private static func time(_ tenths: Int64) -> MediaTime { MediaTime(value: tenths, timescale: 10) }
  private static func range(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: time(start), end: time(end)) }

  /// A title from 1 s to 2 s, which takes 0.2 s to come and 0.4 s to go, and a clip that is missing from 3 s to 4 s.
  private static func inner() throws -> Asset {
    var movie = Composition()
    try movie.append(range(0, 30), of: Asset(path: "a"))
    try movie.insertMissing("gone.mp4", reason: "no such file", duration: time(10), at: time(30))
    movie.videoComposition.overlays = [
      CompositionOverlay(
        .text([SubtitleLine([SubtitleSpan("Title")])], SubtitlePlacement()), timeRange: range(10, 20), fadeIn: time(2),
        fadeOut: time(4))
    ]
    movie.remarks = ["line 3: a remark"]
    return Asset(composition: movie)
  }

  /// Returns each text seen at a time, with its opacity in hundredths.
  private static func seen(_ movie: Composition, _ tenths: Int64) -> [String] {
    let time = time(tenths)
    return PlayerItem(asset: Asset(composition: movie)).overlayText(at: time).map { cue in
      "\(cue.lines[0].text) \(Int((cue.opacity(at: time) * 100).rounded()))"
    }
  }

  @Test func itIsSeenWhereItsFramesAre() throws {
    var movie = Composition()
    try movie.append(Self.range(0, 10), of: Asset(path: "b"))
    try movie.append(Self.range(5, 40), of: Self.inner())
    let gone = "gone.mp4: no such file 100"
    for tenths in [0, 14, 25, 34, 45] as [Int64] { #expect(Self.seen(movie, tenths) == [], "\(tenths)") }
    #expect(Self.seen(movie, 16) == ["Title 50"] && Self.seen(movie, 17) == ["Title 100"] && Self.seen(movie, 23) == ["Title 50"])
    #expect(Self.seen(movie, 35) == [gone] && Self.seen(movie, 44) == [gone])
    let item = PlayerItem(asset: Asset(composition: movie))
    let step = MediaTime(value: 1, timescale: 25)
    #expect(item.nextOverlayTextChange(after: Self.time(10)) == Self.time(15))
    #expect(item.nextOverlayTextChange(after: Self.time(15)) == Self.time(15) + step)
    #expect(item.nextOverlayTextChange(after: Self.time(17)) == Self.time(21))
    #expect(item.nextOverlayTextChange(after: Self.time(25)) == Self.time(35))
  }

  @Test func itIsSlowedWithTheMovie() throws {
    var movie = Composition()
    try movie.append(Self.range(0, 40), of: Self.inner())
    movie.scale(Self.range(0, 40), to: Self.time(80))
    #expect(Self.seen(movie, 19) == [] && Self.seen(movie, 22) == ["Title 50"] && Self.seen(movie, 30) == ["Title 100"])
    #expect(Self.seen(movie, 36) == ["Title 50"] && Self.seen(movie, 40) == [])
    let item = PlayerItem(asset: Asset(composition: movie))
    #expect(item.nextOverlayTextChange(after: .zero) == Self.time(20))
    #expect(item.nextOverlayTextChange(after: Self.time(24)) == Self.time(32))
  }

  /// From 4 s back to the beginning: what went by degrees comes so.
  @Test func itGoesBackwardsWithTheMovie() throws {
    var movie = Composition()
    try movie.append(Self.range(0, 40), of: Self.inner())
    movie.scale(Self.range(0, 40), to: Self.time(40), isReversed: true)
    #expect(Self.seen(movie, 0) == ["gone.mp4: no such file 100"] && Self.seen(movie, 9) == ["gone.mp4: no such file 100"])
    #expect(Self.seen(movie, 10) == [] && Self.seen(movie, 19) == [])
    #expect(Self.seen(movie, 22) == ["Title 50"] && Self.seen(movie, 25) == ["Title 100"] && Self.seen(movie, 29) == ["Title 50"])
    #expect(Self.seen(movie, 30) == [] && Self.seen(movie, 39) == [])
  }

  @Test func itStandsWithAFrameThatStands() throws {
    var movie = Composition()
    try movie.insertFreeze(at: Self.time(11), of: Self.inner(), duration: Self.time(20), at: .zero)
    for tenths in [0, 7, 19] as [Int64] { #expect(Self.seen(movie, tenths) == ["Title 50"], "\(tenths)") }
  }

  @Test func inATransitionItIsThatOfWhatIsMainlySeen() throws {
    var movie = Composition()
    try movie.append(Self.range(10, 20), of: Self.inner())
    try movie.insert(Self.range(0, 20), of: Asset(path: "b"), at: Self.time(4), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: Self.range(4, 8), transition: .crossDissolve, from: 0, to: 1)
    ]
    #expect(Self.seen(movie, 5) == ["Title 100"] && Self.seen(movie, 6) == [] && Self.seen(movie, 9) == [])
  }

  @Test func itsRemarksAreTold() throws {
    var movie = Composition()
    let inner = try Self.inner()
    for _ in 0..<3 { try movie.append(Self.range(0, 40), of: inner) }
    movie.remarks = ["line 1: another"]
    #expect(Asset(composition: movie).remarks == ["line 1: another", "line 3: a remark"])
  }
}
