import Playback
import Terminal

/// The chapters and markers of a clip, each sorted by start time.
struct ChapterList: Equatable {
  let chapters: [Chapter]
  let markers: [CompositionMarker]

  /// Further into a chapter than this, going back leads to its start, not to the previous chapter.
  private static let threshold = MediaTime(value: 2, timescale: 1)

  init(_ chapters: [Chapter], markers: [CompositionMarker] = []) {
    self.chapters = chapters.sorted { $0.timeRange.start < $1.timeRange.start }
    self.markers = markers.sorted { $0.timeRange.start < $1.timeRange.start }
  }

  init(_ player: Player) {
    let facts = player.currentItem?.asset?.loadedValue(of: .facts)
    self.init(facts?.chapters ?? [], markers: facts?.markers ?? [])
  }

  var isEmpty: Bool { chapters.isEmpty }

  /// Index of the chapter at a time: the last one that has started; nil before the first.
  func index(at time: MediaTime) -> Int? { chapters.lastIndex { $0.timeRange.start <= time } }

  /// Start of the chapter some chapters ahead or back; nil if there is none.
  func start(from time: MediaTime, by count: Int) -> MediaTime? {
    guard !chapters.isEmpty else { return nil }
    let here = index(at: time) ?? -1
    var target = here + count
    // A partly played chapter counts as one.
    if count < 0, here >= 0, time - chapters[here].timeRange.start > Self.threshold { target += 1 }
    if target >= chapters.count { return nil }
    return target < 0 ? .zero : chapters[target].timeRange.start
  }

  /// The chapter at a time, as text; nil if there are none.
  func words(at time: MediaTime) -> TerminalText? {
    guard !chapters.isEmpty else { return nil }
    guard let index = index(at: time) else { return "before the first of \(chapters.count) chapters" }
    let name = chapters[index].title.map { TerminalText($0) } ?? ""
    return "chapter \(index + 1)/\(chapters.count)\(name.isBlank ? "" : ": ")\(name)"
  }
}
