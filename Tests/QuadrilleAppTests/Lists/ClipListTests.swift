import Playback
import TestSupport
import Terminal
import Testing

@testable import QuadrilleApp

/// The order in which clips are played.
@Suite(.timeLimit(.minutes(20))) struct ClipListTests {
  private func list(_ count: Int) -> ClipList { ClipList((1...count).map { ClipList.Clip(path: "/f/\($0).mp4") }) }

  @Test func goingOnAndBack() {
    var list = list(4)
    #expect(list.current == 0 && list.index(by: -1) == nil && list.index(by: 1) == 1 && list.index(by: 3) == 3)
    #expect(list.index(by: 4) == nil && list.index(by: 0) == nil && list.follower == 1)
    list.go(to: 3)
    #expect(list.follower == nil && list.index(by: 1) == nil && list.index(by: -3) == 0 && list.words == "clip 4/4: 4.mp4")
    list.setRepetition(.list)
    #expect(list.follower == 0 && list.index(by: 1) == 0 && list.index(by: 6) == 1 && list.index(by: -4) == 3)
    list.setRepetition(.clip)
    #expect(list.follower == nil && list.index(by: -1) == 2 && list.index(by: 1) == nil)
  }

  @Test func repetitionInTurn() {
    var one = list(1), several = list(2)
    var seen: [ClipList.Repetition] = []
    for _ in 0..<3 {
      several.setRepetition(several.nextRepetition)
      seen.append(several.repetition)
    }
    #expect(seen == [.list, .clip, .off])
    one.setRepetition(one.nextRepetition)
    #expect(one.repetition == .clip && one.follower == nil)
    one.setRepetition(one.nextRepetition)
    #expect(one.repetition == .off)
    one.setRepetition(.list)
    #expect(one.repetition == .clip)
  }

  @Test func whatCannotBePlayedIsPassedOver() {
    var list = list(4)
    list.didFail(1)
    #expect(list.follower == 2 && list.index(by: 2) == 3)
    list.go(to: 2)
    #expect(list.index(by: -1) == 0)
    list.didFail(3)
    #expect(list.follower == nil && !list.hasFailed)
    list.setRepetition(.list)
    #expect(list.follower == 0)
    for index in [0, 2] { list.didFail(index) }
    #expect(list.follower == nil && list.index(by: -1) == nil && list.hasFailed)
  }

  @Test func whyThereIsNoOther() {
    var list = list(2)
    #expect(list.words(ofNone: -1) == "already at the first clip")
    list.didFail(0)
    list.go(to: 1)
    #expect(list.index(by: -1) == nil && list.words(ofNone: -1) == "no playable clip before this one")
    #expect(list.words(ofNone: 1) == "already at the last clip")
  }

  @Test func aListIsPlayedSoManyTimes() {
    func played(_ list: inout ClipList) -> [Int] {
      var seen = [list.current]
      while let next = list.follower {
        list.goOn(to: next)
        seen.append(next)
      }
      return seen
    }
    var list = list(3)
    list.setRepetition(.list, maxRounds: 2)
    #expect(played(&list) == [0, 1, 2, 0, 1, 2])
    // By hand it goes round.
    #expect(list.index(by: 1) == 0)
    list.go(to: 1)
    #expect(played(&list) == [1, 2, 0, 1, 2])
    list.go(to: 0)
    list.didFail(0)
    list.didFail(2)
    #expect(played(&list) == [0, 1, 1])
    list.setRepetition(.list)
    #expect(list.maxRounds == nil && list.follower == 1)
  }

  /// A clip that does not loop in the player is begun again by the list.
  @Test func aClipIsPlayedSoManyTimes() {
    func played(_ list: inout ClipList) -> [Int] {
      var seen = [list.current]
      while seen.count < 10, let next = list.successor {
        list.goOn(to: next)
        seen.append(next)
      }
      return seen
    }
    var list = list(1)
    #expect(list.successor == nil)
    list.setRepetition(.list, maxRounds: 3)
    #expect(list.follower == nil && played(&list) == [0, 0, 0])
    list.go(to: 0)
    #expect(played(&list) == [0, 0, 0])
    list.setRepetition(.clip)
    #expect(played(&list).count == 10)
    var several = self.list(2)
    several.setRepetition(.list, maxRounds: 2)
    #expect(played(&several) == [0, 1, 0, 1])
  }

  @Test func aListOfOneThatCanBePlayedFollowsItself() {
    var list = list(2)
    list.setRepetition(.list)
    list.didFail(1)
    #expect(list.follower == 0)
  }

  @Test func anyOrder() {
    var list = list(50), random = SplitMix64(seed: 1)
    list.go(to: 7)
    list.setShuffled(true, using: &random)
    #expect(list.current == 7 && list.index(by: -1) == nil && list.isShuffled)
    #expect(Set(list.order) == Set(0..<50) && list.order != Array(0..<50))
    var seen = [list.current]
    while let next = list.follower {
      list.go(to: next)
      seen.append(next)
    }
    #expect(Set(seen) == Set(0..<50) && seen.count == 50)
    let last = list.current
    list.setShuffled(false, using: &random)
    #expect(list.current == last && list.order == Array(0..<50) && list.index(by: -1) == (last > 0 ? last - 1 : nil))
  }

  @Test func names() {
    #expect(ClipList("a/b.mp4").clip.name == "b.mp4" && ClipList.Clip(path: "x.mp4", title: "A film").name == "A film")
    // Control characters of a list never reach the terminal.
    #expect(ClipList.Clip(path: "x.mp4", title: "\u{1B}[2J").name.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(ClipList.Clip(path: "x.mp4", title: "  ").name == "x.mp4")
  }
}
