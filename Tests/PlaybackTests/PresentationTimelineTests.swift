import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Display order, times and start points of random clips against a plain reference.
@Suite(.timeLimit(.minutes(20))) struct PresentationTimelineTests {
  private struct Clip {
    var packets = PacketIndex()
    /// PTS of the shown frames in display order.
    var times: [Int64] = []
    /// PTS of the shown frames at which decoding can begin.
    var starts: [Int64] = []
  }

  /// Groups of pictures of uneven length, reordered as B-frames are, some packets decoded but not shown.
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
          let start: RandomAccess = isStart ? .verified : Int.random(in: 0..<9, using: &dice) == 0 ? .flagged : .none
          clip.packets.append(
            PacketIndex.Entry(
              pts: pts, dts: time - 1000, position: position, byteCount: 10, randomAccess: start, isDiscarded: isDiscarded))
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

  @Test(arguments: TestSeeds.first(60)) func equalsThePlainReference(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let clip = Self.clip(&dice)
    let what = Comment(rawValue: "seed \(seed)")
    guard !clip.times.isEmpty else {
      #expect(PacketTimeline(clip.packets, tick: 0.001, mayJump: true) == nil, what)
      return
    }
    let timeline = try #require(PacketTimeline(clip.packets, tick: 0.001, mayJump: true), what)
    #expect((0..<timeline.count).map { timeline.ticks(at: $0) } == clip.times, what)
    for (ordinal, entry) in clip.packets.entries.enumerated() {
      let displayIndex = entry.isDiscarded ? nil : clip.times.firstIndex { $0 == entry.pts }
      #expect(timeline.displayIndex(ofOrdinal: ordinal) == displayIndex, what)
    }
    #expect(timeline.displayIndex(ofOrdinal: -1) == nil && timeline.displayIndex(ofOrdinal: clip.packets.count) == nil, what)

    let start = clip.times[0]
    let whole = PresentationTimeline(
      timeline, timeBase: Ratio(1, 1000), startTime: MediaTime(value: start, timescale: 1000))
    #expect(whole.frameCount == clip.times.count && whole.isComplete && whole.end == .positiveInfinity, what)
    #expect(whole.time(ofFrame: -1) == nil && whole.time(ofFrame: whole.frameCount) == nil, what)
    for (number, pts) in clip.times.enumerated() {
      #expect(whole.time(ofFrame: number) == MediaTime(value: pts - start, timescale: 1000), what)
      let first = clip.starts.filter { $0 <= pts }.max().flatMap { clip.times.firstIndex(of: $0) } ?? 0
      #expect(whole.randomAccessFrame(for: number) == first, what)
    }
    for ticks in (-3 as Int64)...(clip.times[clip.times.count - 1] - start + 3) {
      let number = max(0, (clip.times.firstIndex { $0 - start > ticks } ?? clip.times.count) - 1)
      #expect(whole.frameNumber(at: MediaTime(value: ticks, timescale: 1000)) == number, what)
      // Half a tick later it is still the same frame.
      #expect(whole.frameNumber(at: MediaTime(value: 2 * ticks + 1, timescale: 2000)) == number, what)
    }
    #expect(whole.frameNumber(at: .positiveInfinity) == whole.frameCount - 1 && whole.frameNumber(at: .negativeInfinity) == 0, what)

    // A list of the same frames tells the same.
    let frames = clip.times.indices.map { n in
      PresentationTimeline.Frame(
        pts: MediaTime(value: clip.times[n] - start, timescale: 1000), duration: MediaTime(value: 1, timescale: 1000),
        isRandomAccess: clip.starts.contains(clip.times[n]))
    }
    let list = try #require(PresentationTimeline(frames: frames, origin: .packets), what)
    #expect(list.frameCount == whole.frameCount && list.isComplete && list.end == whole.end, what)
    for ticks in (-3 as Int64)...(clip.times[clip.times.count - 1] - start + 3) {
      let time = MediaTime(value: ticks, timescale: 1000)
      #expect(list.frameNumber(at: time) == whole.frameNumber(at: time), what)
    }
    for number in -1...whole.frameCount {
      #expect(list.time(ofFrame: number) == whole.time(ofFrame: number), what)
      #expect(list.randomAccessFrame(for: number) == whole.randomAccessFrame(for: number), what)
    }
  }

  private static func frame(_ value: Int64, _ timescale: Int32 = 25, lasts: Int64 = 1, isRandomAccess: Bool = false)
    -> PresentationTimeline.Frame
  {
    PresentationTimeline.Frame(
      pts: MediaTime(value: value, timescale: timescale), duration: MediaTime(value: lasts, timescale: timescale),
      isRandomAccess: isRandomAccess)
  }

  @Test func aListTellsWhereItsFramesEnd() throws {
    // A time in each scale, and a gap: a frame is shown until the next one begins.
    let frames = [
      Self.frame(0), Self.frame(1, 30), Self.frame(1001, 24_000, isRandomAccess: true), Self.frame(7, lasts: 3),
    ]
    let whole = try #require(PresentationTimeline(frames: frames))
    #expect(whole.origin == .decode && whole.isComplete && whole.isCountable && !whole.isCutOff)
    #expect(whole.end == .positiveInfinity && whole.duration == MediaTime(value: 10, timescale: 25))
    for (number, frame) in frames.enumerated() {
      let timing = try #require(whole.timing(at: frame.pts))
      let end = number < 3 ? frames[number + 1].pts : MediaTime(value: 10, timescale: 25)
      #expect(timing.pts == frame.pts && timing.end == end && timing.number == number && timing.endIsExact)
    }
    #expect((0..<4).map(whole.randomAccessFrame) == [0, 0, 2, 2])
    let part = try #require(PresentationTimeline(frames: frames, isComplete: false))
    #expect(part.end == MediaTime(value: 10, timescale: 25) && part.duration == nil)
    #expect(part.timing(at: MediaTime(value: 8, timescale: 25))?.end == part.end)
  }

  @Test func numbersOfFramesAreBroughtInside() throws {
    let frames = (0..<4).map {
      PresentationTimeline.Frame(
        pts: MediaTime(value: Int64($0), timescale: 25), duration: MediaTime(value: 1, timescale: 25), isRandomAccess: $0 == 0)
    }
    let whole = try #require(PresentationTimeline(frames: frames))
    #expect([-3, 0, 3, 4, .max].map { whole.clamped(frame: $0) } == [0, 0, 3, 3, 3])
    // More may follow.
    let begun = try #require(PresentationTimeline(frames: frames, isComplete: false))
    #expect([-3, 3, 4].map { begun.clamped(frame: $0) } == [0, 3, 4])
  }

  @Test func aListThatIsNoTimelineIsRefused() {
    #expect(PresentationTimeline(frames: []) == nil)
    #expect(PresentationTimeline(frames: [Self.frame(1), Self.frame(1)]) == nil)
    #expect(PresentationTimeline(frames: [Self.frame(2), Self.frame(1)]) == nil)
    #expect(PresentationTimeline(frames: [Self.frame(1, lasts: 0)]) == nil)
    let odd = PresentationTimeline.Frame(pts: .indefinite, duration: .zero, isRandomAccess: true)
    #expect(PresentationTimeline(frames: [odd, Self.frame(1)]) == nil)
  }

  @Test func framesOfAListGetItsNumbersAndEnds() throws {
    let list = try #require(PresentationTimeline(frames: [Self.frame(0), Self.frame(2), Self.frame(3)]))
    var guess = FrameTiming(
      pts: MediaTime(value: 2, timescale: 25), duration: MediaTime(value: 5, timescale: 25), number: 7,
      numberIsExact: false)
    guess.isCertain = false
    let known = list.numbered(guess)
    #expect(known.number == 1 && known.numberIsExact && known.endIsExact && !known.isCertain)
    #expect(known.duration == MediaTime(value: 1, timescale: 25))
    // A frame that is none of these stays as it is.
    let other = FrameTiming(
      pts: MediaTime(value: 1, timescale: 25), duration: MediaTime(value: 5, timescale: 25), number: 7,
      numberIsExact: false)
    #expect(list.numbered(other) == other)
  }

  @Test func unreliableStampsGiveNoOrder() {
    func timeline(_ stamps: [Int64?], mayJump: Bool = false) -> PacketTimeline? {
      var packets = PacketIndex()
      for pts in stamps {
        packets.append(
          PacketIndex.Entry(pts: pts, dts: pts, position: -1, byteCount: 1, randomAccess: .none, isDiscarded: false))
      }
      packets.complete()
      return PacketTimeline(packets, tick: 0.001, mayJump: mayJump)
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
        PacketIndex.Entry(pts: pts, dts: nil, position: -1, byteCount: 1, randomAccess: .none, isDiscarded: isDiscarded))
    }
    packets.complete()
    #expect(PacketTimeline(packets, tick: 0.001, mayJump: true)?.ordinals == [2, 1])
  }
}
