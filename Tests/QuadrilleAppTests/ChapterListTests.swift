import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ChapterListTests {
  private static func time(_ seconds: Int) -> MediaTime { MediaTime(value: Int64(seconds), timescale: 1) }
  // Containers list them in any order.
  private let list = ChapterList(
    [(20, "Third"), (0, "First\u{1B}[31m"), (10, nil)].map { start, title in
      Chapter(timeRange: TimeRange(start: time(start), duration: time(10)), title: title)
    })

  @Test func onAndBack() {
    func start(_ seconds: Int, _ count: Int) -> Int? { list.start(from: Self.time(seconds), by: count).map { Int($0.seconds) } }
    #expect(start(0, 1) == 10 && start(9, 1) == 10 && start(10, 1) == 20 && start(25, 1) == nil)
    #expect(start(0, 2) == 20 && start(0, 3) == nil)
    // Near a beginning to the one before, else to the beginning of what is seen.
    #expect(start(11, -1) == 0 && start(12, -1) == 0 && start(15, -1) == 10 && start(29, -1) == 20 && start(29, -2) == 10)
    #expect(start(0, -1) == 0 && start(5, -9) == 0)
    #expect(ChapterList([]).start(from: .zero, by: 1) == nil)
  }

  @Test func markersStandBelowChapters() {
    func marker(_ start: Int, _ length: Int, _ name: String) -> CompositionMarker {
      CompositionMarker(timeRange: TimeRange(start: Self.time(start), duration: Self.time(length)), name: name)
    }
    let marked = ChapterList(list.chapters, markers: [marker(75, 5, "Rain"), marker(3, 0, "A\u{1B}look")])
    let entries = PaneList.chapters(marked, at: Self.time(12))
    #expect(entries.map(\.row.text.description) == [
      "Chapters", "0:00  First␛[31m", "0:10  chapter 2", "0:20  Third", "Markers", "0:03  A␛look", "1:15…1:20  Rain",
    ])
    #expect(entries.map(\.row.kind) == [.heading, .choice, .current, .choice, .heading, .choice, .choice])
    #expect(entries[6].action == .go(Self.time(75)))
    // Where nothing is marked there is nothing to tell apart.
    #expect(PaneList.chapters(list, at: Self.time(12)).count == 3)
    #expect(PaneList.chapters(ChapterList([], markers: marked.markers), at: .zero).map(\.row.kind) == [.heading, .choice, .choice])
  }

  @Test func words() {
    #expect(list.words(at: Self.time(0))?.description == "chapter 1/3: First␛[31m")
    #expect(list.words(at: Self.time(15))?.description == "chapter 2/3")
    #expect(ChapterList([]).words(at: .zero) == nil)
  }
}
