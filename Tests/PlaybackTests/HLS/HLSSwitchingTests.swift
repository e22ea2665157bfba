import Pixels
import TestSupport
import Testing

@testable import Playback

/// Changes of the variant in the middle of a clip.
@Suite(.timeLimit(.minutes(20))) struct HLSSwitchingTests {
  /// No frame is lost, repeated or damaged where variants change, up and down, whatever their sizes, codecs and containers.
  @Test(arguments: [
    [VariantClip.small, VariantClip.large], [VariantClip.small, VariantClip.other], [VariantClip.other, VariantClip.small],
  ])
  func everyFrameComesOnce(_ variants: [VariantClip.Variant]) throws {
    let clip = try VariantClip(variants), frames = try SegmentFrames(clip) { $0.variant = 0 }
    var found: [(time: Double, hash: String)] = []
    while let frame = try frames.next() {
      found.append(frame)
      if found.count == 30 { frames.input.updatePreferences { $0.variant = 1 } }
      if found.count == 130 { frames.input.updatePreferences { $0.variant = 0 } }
    }
    let hashes = try [clip.hashes(0), clip.hashes(1)]
    #expect(hashes[0].count == VariantClip.frameCount && found.count == VariantClip.frameCount)
    var changes = 0, variant = 0
    for (number, frame) in found.enumerated() {
      #expect(abs(frame.time - found[0].time - Double(number) / 25) < 0.001, "frame \(number) is at \(frame.time)")
      if frame.hash != hashes[variant][number] {
        changes += 1
        variant = 1 - variant
        #expect(number % 50 == 0, "the variant changes in the middle of a segment, at frame \(number)")
      }
      #expect(frame.hash == hashes[variant][number], "frame \(number) is of no variant")
    }
    #expect(changes == 2)
    let log = try #require(frames.input.segments?.loader.log)
    #expect(log.periods.map(\.bitRate) == [0, 1, 0].map { variants[$0].bandwidth } && log.failures.isEmpty)
    #expect(log.periods.allSatisfy { $0.bytes > 1000 && $0.requests > 0 && $0.mediaSeconds >= 2 })
  }

  /// A seek to a variant's segments at hand does not load others.
  @Test func seekingStaysWithWhatIsAtHand() throws {
    let clip = try VariantClip([VariantClip.small, VariantClip.large]),
      frames = try SegmentFrames(clip) { $0.displaySize = PixelSize(width: 80, height: 45) }
    while try frames.next() != nil {}
    let count = clip.server.requests.count
    frames.input.updatePreferences { $0.displaySize = PixelSize(width: 800, height: 450) }
    try frames.seek(to: 3)
    #expect(try frames.next() != nil)
    #expect(clip.requested(0).filter { $0 < 3 }.count == 3 && clip.server.requests.count <= count + 2)
  }

  /// The largest display and the limits decide, from the next segment on that has yet to be loaded.
  @Test func displaysAndLimitsDecide() throws {
    let clip = try VariantClip([VariantClip.small, VariantClip.large])
    func played(_ preferences: (inout HLSPreferences) -> Void) throws -> Int {
      let frames = try SegmentFrames(clip, preferences)
      return try #require(frames.input.segments?.video.playedStream)
    }
    #expect(try played { $0.displaySize = PixelSize(width: 90, height: 50) } == 0)
    #expect(try played { $0.displaySize = PixelSize(width: 97, height: 60) } == 1)
    #expect(try played { $0.displaySize = nil } == 0)
    #expect(try played { $0.peakBitRate = 399_999 } == 0)
    #expect(try played { $0.maximumResolution = PixelSize(width: 191, height: 200) } == 0)
    #expect(try played { ($0.peakBitRate, $0.variant) = (100, 1) } == 1)
  }
}
