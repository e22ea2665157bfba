import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ClipStateTests {
  private func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }

  @Test func endsWhereItStays() {
    var clip = ClipState()
    #expect(!clip.hasEnded)
    clip.didPlayOut(.end, staysThere: true)
    #expect(clip.hasEnded && clip.progress == .ended())
    clip.didGoOn()
    #expect(!clip.hasEnded)
    clip.didPlayOut(.end, staysThere: false)
    #expect(!clip.hasEnded)
    clip.didPlayOut(.start, staysThere: false)
    #expect(!clip.hasEnded)
  }

  @Test func anEndIsToldOnce() {
    var clip = ClipState()
    var told = [clip.takePlayedOut()]
    clip.didPlayOut(.start, staysThere: false)
    told += [clip.takePlayedOut(), clip.takePlayedOut()]
    #expect(told == [nil, .start, nil])
  }

  @Test func aFailureIsForGood() {
    var clip = ClipState()
    let error = PlaybackError(.system, "gone")
    clip.didFail(error)
    clip.didGoOn()
    clip.didPlayOut(.end, staysThere: false)
    #expect(clip.error == error && clip.hasEnded)
  }

  @Test func theLengthIsAsAnnouncedWhereTheDataEndsBefore() {
    var clip = ClipState()
    #expect(clip.length(found: time(10)) == time(10))
    clip.didEndEarly(at: time(4), announced: time(10))
    #expect(clip.length(found: time(4)) == time(10))
    #expect(clip.length(found: time(12)) == time(12))
    #expect(clip.length(found: .indefinite) == time(10))
    #expect(clip.earlyEnd == "ends early, at 0:04.000 of 0:10.000: the file is truncated or damaged")
    clip = ClipState()
    clip.didEndEarly(at: time(4), announced: .indefinite)
    #expect(clip.length(found: time(4)) == time(4))
    #expect(clip.earlyEnd == "ends early, at 0:04.000: the file is truncated or damaged")
  }

  @Test func droppedFramesAreCountedForASecond() {
    var drops = DropMeter()
    var rates: [Int] = []
    let changes = [(0, 1.0), (10, 1), (30, 2), (30, 1)].map { total, seconds in
      defer { rates.append(drops.perSecond) }
      return drops.update(total: total, after: seconds)
    }
    #expect(changes == [false, true, false, true] && rates == [0, 10, 10, 0])
  }

  /// Where others that are aligned with it have ended it has, too, until it goes back.
  @Test func itStandsWhereOthersHaveEnded() {
    let end = MediaTime(value: 2, timescale: 1), length = MediaTime(value: 3, timescale: 1)
    var clip = ClipState()
    clip.didStop(at: end)
    clip.didGo(to: end, length: length)
    #expect(clip.hasEnded)
    clip.didGo(to: MediaTime(value: 1, timescale: 1), length: length)
    #expect(!clip.hasEnded)
    clip.didStop(at: end)
    clip.didGo(to: MediaTime(value: 5, timescale: 2), length: length)
    #expect(!clip.hasEnded)
    // One that turns out to be longer than it was thought to be has not ended.
    clip.didPlayOut(.end, staysThere: true)
    clip.didGo(to: end, length: length)
    #expect(!clip.hasEnded)
  }
}
