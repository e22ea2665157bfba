import Libav
import TestSupport
import Testing

@testable import Playback

/// Display order, times and start points of random clips against a plain reference.
@Suite struct FrameMapTests {
  private struct Clip {
    var packets = PacketIndex()
    /// PTS of the shown pictures in display order.
    var times: [Int64] = []
    /// PTS of the shown pictures at which decoding can begin.
    var starts: [Int64] = []
  }

  /// Groups of pictures of uneven length, reordered as B-pictures are, some packets decoded but not shown.
  private static func clip(_ dice: inout SeededGenerator) -> Clip {
    var clip = Clip()
    var time = Int64.random(in: -5000...5000, using: &dice)
    var position: Int64 = 0
    for _ in 0..<Int.random(in: 1...12, using: &dice) {
      // The anchor of each mini-group goes first in the file, whatever lies before it in time.
      for mini in 0..<Int.random(in: 1...5, using: &dice) {
        var stamps = (0..<Int.random(in: 1...5, using: &dice)).map { _ -> Int64 in
          time += Int64.random(in: 1...200, using: &dice)
          return time
        }
        let anchor = stamps.removeLast()
        for (n, pts) in ([anchor] + stamps.shuffled(using: &dice)).enumerated() {
          let isDiscarded = Int.random(in: 0..<10, using: &dice) == 0
          let isStart = mini == 0 && n == 0 && Int.random(in: 0..<4, using: &dice) > 0
          let start: PacketIndex.StartPoint = isStart ? .trusted : Int.random(in: 0..<9, using: &dice) == 0 ? .claimed : .none
          clip.packets.append(
            PacketIndex.Entry(
              pts: pts, dts: time - 1000, position: position, byteCount: 10, start: start, isDiscarded: isDiscarded))
          position += 10
          if !isDiscarded {
            clip.times.append(pts)
            if isStart { clip.starts.append(pts) }
          }
        }
      }
    }
    clip.times.sort()
    // The file's last packet may be cut off and is no beginning, unless it is the only one.
    if let last = clip.packets.entries.last, clip.packets.count > 1 { clip.starts.removeAll { $0 == last.pts } }
    clip.packets.complete()
    return clip
  }

  @Test(arguments: 1...200) func equalsThePlainReference(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let clip = Self.clip(&dice)
    let what = Comment(rawValue: "seed \(seed)")
    guard !clip.times.isEmpty else {
      #expect(DisplayTimeline(clip.packets, tick: 0.001, mayJump: true) == nil, what)
      return
    }
    let timeline = try #require(DisplayTimeline(clip.packets, tick: 0.001, mayJump: true), what)
    #expect((0..<timeline.count).map(timeline.ticks) == clip.times, what)
    for (ordinal, entry) in clip.packets.entries.enumerated() {
      let rank = entry.isDiscarded ? nil : clip.times.firstIndex { $0 == entry.pts }
      #expect(timeline.rank(ordinal: ordinal) == rank, what)
    }
    #expect(timeline.rank(ordinal: -1) == nil && timeline.rank(ordinal: clip.packets.count) == nil, what)

    let start = clip.times[0]
    let map = FrameMap(
      clip.packets, timeline, timeBase: Ratio(1, 1000), startTime: MediaTime(value: start, timescale: 1000))
    #expect(map.count == clip.times.count && map.isComplete && map.end == .positiveInfinity, what)
    #expect(map.time(ofPicture: -1) == nil && map.time(ofPicture: map.count) == nil, what)
    for (number, pts) in clip.times.enumerated() {
      #expect(map.time(ofPicture: number) == MediaTime(value: pts - start, timescale: 1000), what)
      let first = clip.starts.filter { $0 <= pts }.max().flatMap { clip.times.firstIndex(of: $0) } ?? 0
      #expect(map.start(for: number) == first, what)
    }
    for ticks in (-3 as Int64)...(clip.times[clip.times.count - 1] - start + 3) {
      let number = max(0, (clip.times.firstIndex { $0 - start > ticks } ?? clip.times.count) - 1)
      #expect(map.number(at: MediaTime(value: ticks, timescale: 1000)) == number, what)
      // Half a tick later it is still the same picture.
      #expect(map.number(at: MediaTime(value: 2 * ticks + 1, timescale: 2000)) == number, what)
    }
    #expect(map.number(at: .positiveInfinity) == map.count - 1 && map.number(at: .negativeInfinity) == 0, what)
  }

  @Test func unreliableStampsGiveNoOrder() {
    func timeline(_ stamps: [Int64?], mayJump: Bool = false) -> DisplayTimeline? {
      var packets = PacketIndex()
      for pts in stamps {
        packets.append(
          PacketIndex.Entry(pts: pts, dts: pts, position: -1, byteCount: 1, start: .none, isDiscarded: false))
      }
      packets.complete()
      return DisplayTimeline(packets, tick: 0.001, mayJump: mayJump)
    }
    #expect(timeline([]) == nil)
    #expect(timeline([0, 40, nil, 120]) == nil)
    #expect(timeline([0, 40, 40, 120]) == nil)
    #expect(timeline([0, 40, 20_000]) != nil && timeline([0, 40, 20_000], mayJump: true) == nil)
    #expect(timeline([0, 40, 9000], mayJump: true)?.count == 3)
    // A packet without a stamp that is not shown disturbs nothing.
    var packets = PacketIndex()
    for (pts, isDiscarded) in [(nil as Int64?, true), (40, false), (0, false)] {
      packets.append(
        PacketIndex.Entry(pts: pts, dts: nil, position: -1, byteCount: 1, start: .none, isDiscarded: isDiscarded))
    }
    packets.complete()
    #expect(DisplayTimeline(packets, tick: 0.001, mayJump: true)?.order == [2, 1])
  }
}
