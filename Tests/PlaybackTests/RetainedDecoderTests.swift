import Pixels
import TestSupport
import Testing

@testable import Playback

/// Decoders that wait where seeks to elsewhere have left them.
@Suite(.timeLimit(.minutes(20))) struct RetainedDecoderTests {
  private static let size = PixelSize(width: 40, height: 24)

  // What is made of damaged data depends on what the decoder has seen before.
  @Test(
    "what comes of seeks here and there is what a decode from the beginning gives",
    arguments: TimingClip.allCases.filter { ![.flippedBits, .truncatedAVI].contains($0) })
  func framesAreThoseOfDecoding(clip: TimingClip) async throws {
    let asset = Asset(path: try clip.path())
    let index = try await asset.scannedIndex()
    let timeline = try #require(index.timeline)
    let linear = try await asset.linearFrames(Self.size)
    let source = try await asset.source(index)
    var random = SplitMix64(seed: 5)
    var wrong: [Int] = []
    var hasWaited = false
    for _ in 0..<60 {
      let number = Int.random(in: 0..<linear.count, using: &random)
      let time = try #require(timeline.time(ofFrame: number))
      if source.retainDecoders(within: 3_000_000) > 0 { hasWaited = true }
      _ = try source.seek(to: time, options: [])
      decoding: for n in 0..<Int.random(in: 1...20, using: &random) {
        switch try source.decodeNext(discard: .nothing) {
        case .progress: continue
        case .endOfStream: break decoding
        case .frame(let frame):
          let timing = frame.timing
          if n == 0, timeline.randomAccessFrame(for: number) > 0, timing.pts > time { wrong.append(number) }
          guard timing.isCertain, timing.numberIsExact else { continue }
          let shown = timing.number
          if try frame.still(maximumSize: Self.size).image != linear[shown] { wrong.append(shown) }
        }
      }
    }
    #expect(wrong.isEmpty)
    if clip == .pyramid { #expect(hasWaited) }
  }

  /// Numbers of the frames that come, up to the one of that number.
  private func numbers(_ source: MovieSource, to number: Int) throws -> [Int] {
    var result: [Int] = []
    while result.last ?? -1 < number {
      if case .frame(let frame) = try source.decodeNext(discard: .nothing) { result.append(frame.timing.number) }
    }
    return result
  }

  @Test func theyGoOnWhereTheyStand() async throws {
    // Keyframes in each second of 25 frames.
    let asset = Asset(path: try TimingClip.fragmented.path())
    let index = try await asset.scannedIndex()
    let timeline = try #require(index.timeline)
    let source = try await asset.source(index)
    func seek(_ number: Int, _ options: SeekOptions = []) throws {
      _ = try source.seek(to: #require(timeline.time(ofFrame: number)), options: options)
    }
    let limit = 10_000_000
    let first = timeline.randomAccessFrame(for: 20)
    let second = timeline.randomAccessFrame(for: 45)
    #expect(source.retainDecoders(within: limit) == 0 && first == 0 && second > 20)
    try seek(15)
    #expect(try numbers(source, to: 12) == Array(0...12))
    try seek(second + 10)
    let bytes = source.retainDecoders(within: limit)
    #expect(bytes > 0 && bytes < limit / 2)
    #expect(try numbers(source, to: second + 9) == Array(second...second + 9))
    // Both go on where they were.
    try seek(20)
    #expect(try numbers(source, to: 14) == [13, 14])
    try seek(second + 20)
    #expect(try numbers(source, to: second + 11) == [second + 10, second + 11])
    // What has been passed is decoded anew, and what was asked for anew.
    try seek(20, .withFreshDecoder)
    #expect(try numbers(source, to: 9).first == 0)
    try seek(second + 3)
    #expect(try numbers(source, to: second + 3).first == second)
    // Without room there is none.
    #expect(source.retainDecoders(within: bytes - 1) == 0)
    try seek(20)
    #expect(try numbers(source, to: 9).first == 0)
    try seek(second + 20)
    #expect(source.retainDecoders(within: bytes - 1) == 0)
  }

  @Test func whatWasLeftOutIsToldOf() async throws {
    let asset = Asset(path: try TimingClip.fragmented.path())
    let index = try await asset.scannedIndex()
    let timeline = try #require(index.timeline)
    let source = try await asset.source(index)
    func seek(_ number: Int) throws -> SeekLanding {
      try source.seek(to: #require(timeline.time(ofFrame: number)), options: [])
    }
    let second = timeline.randomAccessFrame(for: 45)
    _ = source.retainDecoders(within: 10_000_000)
    #expect(try seek(24) == SeekLanding())
    for _ in 0..<4 { _ = try source.decodeNext(discard: .nonReference) }
    #expect(try seek(second + 10) == SeekLanding())
    #expect(source.retainDecoders(within: 10_000_000) > 0)
    #expect(try seek(24) == SeekLanding(lacksFrames: true))
  }
}
