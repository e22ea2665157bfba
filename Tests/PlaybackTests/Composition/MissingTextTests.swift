import Testing

@testable import Playback

/// When the name of what is missing stands over the frames.
@Suite(.timeLimit(.minutes(20))) struct MissingTextTests {
  private static func time(_ tenths: Int64) -> MediaTime { MediaTime(value: tenths, timescale: 10) }
  private static func range(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: time(start), end: time(end)) }

  /// A clip up to 2 s, what is missing from 1 s to 4 s, a clip from 3 s on: two transitions of a second.
  private static func movie(_ insertMiddle: (inout Composition) throws -> Void) throws -> Composition {
    var movie = Composition()
    try movie.append(range(0, 20), of: Asset(path: "a"))
    try insertMiddle(&movie)
    try movie.insert(range(0, 20), of: Asset(path: "b"), at: time(30))
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: range(10, 20), transition: .fade(through: .black), from: 0, to: 1),
      VideoCompositionInstruction(timeRange: range(30, 40), transition: .crossDissolve, from: 1, to: 0),
    ]
    return movie
  }

  private static func text(_ asset: Asset, _ tenths: Int64) -> [String] {
    PlayerItem(asset: asset).overlayText(at: time(tenths)).flatMap(\.lines).map(\.text)
  }

  @Test func theNameOfWhatIsMissingGoesInTheMiddleOfATransition() throws {
    let movie = try Self.movie {
      try $0.insertMissing("gone.mp4", reason: "no such file", duration: Self.time(30), at: Self.time(10), track: 1)
    }
    let asset = Asset(composition: movie)
    for tenths in [0, 10, 14, 35, 39, 45] as [Int64] { #expect(Self.text(asset, tenths) == [], "\(tenths)") }
    for tenths in [15, 20, 34] as [Int64] { #expect(Self.text(asset, tenths) == ["gone.mp4: no such file"], "\(tenths)") }
    let item = PlayerItem(asset: asset)
    #expect(item.nextOverlayTextChange(after: .zero) == Self.time(15))
    #expect(item.nextOverlayTextChange(after: Self.time(15)) == Self.time(35))
  }

  @Test func soDoesTheNameOfWhatCannotBeOpened() throws {
    let movie = try Self.movie { try $0.insert(Self.range(0, 30), of: Asset(path: "bad.mp4"), at: Self.time(10), track: 1) }
    let asset = Asset(composition: movie)
    let media = try #require(asset.composition)
    let clip = try #require(media.plan.spans.lazy.flatMap(\.clips).first { $0.clip.asset.path == "bad.mp4" })
    media.failures.note(clip, PlaybackError(.damaged, "is damaged"))
    for tenths in [0, 10, 14, 35, 39, 45] as [Int64] { #expect(Self.text(asset, tenths) == [], "\(tenths)") }
    for tenths in [15, 20, 34] as [Int64] { #expect(Self.text(asset, tenths) == ["bad.mp4: is damaged"], "\(tenths)") }
  }

  /// A missing clip seen only in transitions has no time of its own.
  @Test func whatIsNeverMainlySeenIsNotNamed() throws {
    let movie = try Self.movie {
      try $0.insertMissing("gone.mp4", reason: "no such file", duration: Self.time(3), at: Self.time(11), track: 1)
    }
    #expect((0..<50).allSatisfy { Self.text(Asset(composition: movie), $0) == [] })
  }
}
