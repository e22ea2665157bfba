import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct TimeRangeTests {
  private func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1000) }
  private func range(_ start: Double, _ end: Double) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
  }

  @Test func isHalfOpen() {
    let range = range(1, 3)
    #expect(range.duration == time(2) && range.end == time(3))
    #expect(range.contains(time(1)) && range.contains(time(2.999)))
    #expect(!range.contains(time(3)) && !range.contains(time(0.999)))
    #expect(!range.contains(.indefinite) && !range.contains(MediaTime.invalid))
  }

  @Test func endIsExactAcrossTimescales() {
    let range = TimeRange(
      start: MediaTime(value: 1001, timescale: 30_000), duration: MediaTime(value: 1, timescale: 25))
    #expect(range.end == MediaTime(value: 2201, timescale: 30_000) && !range.end.hasBeenRounded)
    #expect(TimeRange(start: range.start, end: range.end) == range)
  }

  @Test func validity() {
    #expect(TimeRange.zero.isValid && TimeRange.zero.isEmpty)
    #expect(!TimeRange.invalid.isValid && TimeRange.invalid.isEmpty && TimeRange.invalid.end == .invalid)
    #expect(TimeRange(start: time(2), end: time(1)) == .invalid)
    #expect(!TimeRange(start: .zero, duration: time(-1)).isValid)
    #expect(!TimeRange(start: .indefinite, duration: time(1)).isValid)
    #expect(!TimeRange(start: .negativeInfinity, end: .zero).isValid)
    #expect(!TimeRange(start: .zero, duration: .invalid).isValid)
  }

  @Test func withoutEnd() {
    let live = TimeRange(start: time(5), duration: .indefinite)
    #expect(live.isValid && !live.isEmpty && live.end == .indefinite)
    #expect(live.contains(time(1e6)) && !live.contains(time(4)))
    let open = TimeRange(start: time(5), end: .positiveInfinity)
    #expect(open.end == .positiveInfinity && open.contains(time(1e6)))
    #expect(TimeRange.all.end == .positiveInfinity && TimeRange.all.contains(time(-1e6)))
    #expect(TimeRange.all.contains(range(1, 2)) && TimeRange.all.intersection(range(1, 2)) == range(1, 2))
    #expect(open.intersection(range(1, 7)) == range(5, 7))
    #expect(open.union(range(1, 7)).start == time(1) && open.union(range(1, 7)).end == .positiveInfinity)
    #expect(TimeRange.all.union(open) == .all)
  }

  @Test func intersections() {
    #expect(range(0, 4).intersection(range(2, 6)) == range(2, 4))
    #expect(range(0, 9).intersection(range(2, 6)) == range(2, 6))
    #expect(range(0, 2).intersection(range(2, 6)).isEmpty)
    #expect(range(0, 1).intersection(range(2, 6)) == TimeRange(start: time(2), duration: .zero))
    #expect(range(0, 4).intersection(range(3, 5)) == range(3, 4) && range(0, 3).intersection(range(3, 5)).isEmpty)
    #expect(range(0, 4).intersection(.invalid) == .invalid)
  }

  @Test func unions() {
    #expect(range(0, 1).union(range(2, 6)) == range(0, 6))
    #expect(range(2, 6).union(range(3, 4)) == range(2, 6))
    #expect(range(2, 6).union(.zero) == range(2, 6) && TimeRange.zero.union(range(2, 6)) == range(2, 6))
    #expect(range(2, 6).union(.invalid) == .invalid)
  }

  @Test func containsRanges() {
    #expect(range(0, 4).contains(range(0, 4)) && range(0, 4).contains(range(1, 2)))
    #expect(range(0, 4).contains(TimeRange(start: time(4), duration: .zero)))
    #expect(!range(0, 4).contains(range(3, 5)) && !range(0, 4).contains(TimeRange.invalid))
  }

  @Test func clamping() {
    #expect(range(1, 3).clamped(time(0)) == time(1) && range(1, 3).clamped(time(9)) == time(3))
    #expect(range(1, 3).clamped(time(2)) == time(2) && range(1, 3).clamped(.positiveInfinity) == time(3))
    #expect(range(1, 3).clamped(.invalid) == .invalid)
  }

  @Test func joining() {
    #expect(TimeRange.joined([]).isEmpty)
    #expect(TimeRange.joined([range(0, 1), range(2, 3)]) == [range(0, 1), range(2, 3)])
    #expect(TimeRange.joined([range(0, 1), range(1, 3), range(2, 5), range(6, 7)]) == [range(0, 5), range(6, 7)])
    #expect(TimeRange.joined([range(0, 9), range(2, 3)]) == [range(0, 9)])
  }
}
