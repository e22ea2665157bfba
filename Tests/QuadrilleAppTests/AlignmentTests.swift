import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct AlignmentTests {
  /// A clip of `count` frames at a whole rate, whose stamps may be rounded to milliseconds.
  private func member(offset: MediaTime = .zero, rate: Int64 = 30, count: Int64 = 600, isRounded: Bool = false) -> Alignment.Member {
    func time(_ number: Int64) -> MediaTime {
      isRounded
        ? MediaTime(value: (2000 * number + rate) / (2 * rate), timescale: 1000) : MediaTime(value: number, timescale: Int32(rate))
    }
    return Alignment.Member(offset: offset, range: time(0)...time(count - 1)) { asked in
      let number = (0..<count).last { time($0) <= asked } ?? 0
      return FrameTiming(pts: time(number), duration: time(number + 1) - time(number), number: Int(number))
    }
  }

  private func frames(_ n: Int64, rate: Int32 = 30) -> MediaTime { MediaTime(value: n, timescale: rate) }

  /// Numbers of the frames that members show at their targets.
  private func numbers(_ members: [Alignment.Member], leader: Int = 0, _ time: MediaTime) -> [Int] {
    zip(members, Alignment.targets(members, reference: leader, time: time)).map { $0.frame($1)?.number ?? -1 }
  }

  @Test func everyMoveKeepsTheDistance() {
    let members = [member(), member(offset: frames(-3))]
    for number in [3, 4, 100, 599] as [Int64] {
      #expect(numbers(members, frames(number)) == [Int(number), Int(number) - 3])
      #expect(numbers(members, leader: 1, frames(number - 3)) == [Int(number), Int(number) - 3])
    }
  }

  @Test func theEndsAreThoseThatAllHave() {
    let members = [member(), member(offset: frames(-3))]
    #expect(numbers(members, .zero) == [3, 0])
    #expect(numbers(members, leader: 1, .positiveInfinity) == [599, 596])
    let ahead = [member(), member(offset: frames(3))]
    #expect(numbers(ahead, .zero) == [0, 3])
    #expect(numbers(ahead, .positiveInfinity) == [596, 599])
    let three = [member(), member(offset: frames(5)), member(offset: frames(-2), count: 300)]
    #expect(numbers(three, .zero) == [2, 7, 0])
    #expect(numbers(three, .positiveInfinity) == [301, 306, 299])
  }

  @Test func roundedStampsDoNotMissTheFrame() {
    let members = [member(), member(isRounded: true), member(offset: frames(-3), isRounded: true)]
    for number in 3..<600 as Range<Int64> {
      #expect(numbers(members, frames(number)) == [Int(number), Int(number), Int(number) - 3])
    }
    let rounded = [member(isRounded: true), member()]
    for number in 0..<600 as Range<Int64> {
      let time = MediaTime(value: (2000 * number + 30) / 60, timescale: 1000)
      #expect(numbers(rounded, time) == [Int(number), Int(number)])
    }
  }

  @Test func nobodyGoesAheadOfAFrameThatTheLeaderHasNotLeft() {
    let members = [member(), member(offset: frames(-3)), member(isRounded: true)]
    for number in 3..<599 as Range<Int64> {
      let end = frames(number + 1)
      for left in [1, 2, 5, 10] as [Int64] {
        let time = end - MediaTime(value: left, timescale: 1000)
        #expect(numbers(members, time) == [Int(number), Int(number) - 3, Int(number)], "\(left) ms before the end")
      }
    }
  }

  @Test func otherRatesFollowTheTime() {
    let members = [member(rate: 30), member(rate: 25, count: 500)]
    for number in 0..<590 as Range<Int64> {
      #expect(numbers(members, frames(number)) == [Int(number), Int(number) * 25 / 30])
    }
  }

  @Test func clipsThatNeverMeetEachGoAsFarAsTheyCan() {
    let members = [member(count: 10), member(offset: frames(100), count: 10)]
    #expect(Alignment.range(of: members) == nil)
    #expect(Alignment.targets(members, reference: 0, time: .zero)[0] == .zero)
  }

  @Test func lapsesAndLosesMembers() {
    final class Object {}
    let (a, b) = (Object(), Object())
    var alignment = Alignment(offsets: [ObjectIdentifier(a): .zero, ObjectIdentifier(b): frames(3)])
    #expect(alignment.state == .kept)
    alignment.lapse()
    #expect(alignment.state == .lapsed && alignment.offsets.count == 2)
    alignment.remove(ObjectIdentifier(b))
    #expect(alignment.offsets.count == 1)
    withExtendedLifetime((a, b)) {}
  }

  // MARK: - Steps without an alignment

  /// Frames of panes that step together from a common time, after each step of the first one.
  private func steps(_ members: [Alignment.Member], _ counts: [Int], from start: MediaTime) -> [[Int]] {
    final class Key {}
    let keys = members.map { _ in Key() }
    var steps = CommonSteps()
    var times = members.map { _ in start }
    return counts.map { count in
      let number = (members[0].frame(times[0])?.number ?? 0) + count
      var target = members[0].range.lowerBound
      while let frame = members[0].frame(target), frame.number < number { target = frame.end }
      times = steps.targets(
        zip(zip(keys, times), members).map { .init(pane: ObjectIdentifier($0.0), time: $0.1, range: $1.range, frame: $1.frame) },
        time: target)
      return zip(members, times).map { $0.frame($1)?.number ?? -1 }
    }
  }

  @Test func panesThatStepTogetherStayTogether() {
    let members = [member(rate: 24, isRounded: true), member(rate: 30), member(rate: 25, isRounded: true)]
    let numbers = steps(members, Array(repeating: 1, count: 200) + Array(repeating: -1, count: 100), from: frames(5, rate: 1))
    #expect(numbers[3] == [124, 155, 129])
    for (index, shown) in numbers.enumerated() {
      let leader = 120 + (index < 200 ? index + 1 : 399 - index)
      // A frame that starts within 2 ms belongs to the moment.
      let others = [30, 25].map { Int((Double(leader) / 24 + 0.002) * Double($0)) }
      #expect(shown == [leader] + others, "after step \(index)")
    }
  }

  /// A pane that is at its end waits there, and the leader goes on.
  @Test func aShorterPaneWaitsAtItsEnd() {
    let members = [member(), member(count: 100)]
    let numbers = steps(members, [1, 1, 1, -1, -1, -1], from: frames(98))
    #expect(numbers == [[99, 99], [100, 99], [101, 99], [100, 99], [99, 99], [98, 98]])
  }
}

@Suite(.timeLimit(.minutes(20))) struct PaneOffsetTests {
  @Test func reads() {
    #expect(PaneOffset("2:+3f") == PaneOffset("2:+03f") && PaneOffset("2:+3f")?.amount == .frames(3))
    #expect(PaneOffset("4:-12f")?.amount == .frames(-12) && PaneOffset("4:-12f")?.pane == 4)
    #expect(PaneOffset("2:-0.5")?.amount == .time(MediaTime(value: -5, timescale: 10)))
    #expect(PaneOffset("3:+1:02")?.amount == .time(MediaTime(value: 62, timescale: 1)))
  }

  @Test(arguments: ["", "2", "2:", "2:3f", "2:+", "2:+f", "1:+3f", "5:+3f", "0:+1", "2:+x", "2:+-1", "2:+1e3f", "2:+9999999f", "x:+1"])
  func refuses(text: String) { #expect(PaneOffset(text) == nil) }

  @Test func words() {
    func words(_ milliseconds: Int64, _ rate: Double?) -> String {
      "\(PaneOffset.words(MediaTime(value: milliseconds, timescale: 1000), frameRate: rate))"
    }
    #expect(words(100, 30) == "+3 frames +0.100 s")
    #expect(words(-33, 30) == "-1 frame -0.033 s")
    #expect(words(-1500, nil) == "-1.500 s")
    #expect(words(62_005, 25) == "+1550 frames +62.005 s")
  }
}
