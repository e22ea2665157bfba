import Playback
import Terminal

/// The chapters of a clip, and what somebody has marked in it, each in the order of their beginnings.
struct ChapterList: Equatable {
  let chapters: [Chapter]
  let markers: [CompositionMarker]

  /// Going back from so long behind a chapter's beginning leads to that beginning, not to the one before.
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

  /// The chapter of a time: the last one that has begun; nil before the first.
  func index(at time: MediaTime) -> Int? { chapters.lastIndex { $0.timeRange.start <= time } }

  /// Where the chapter begins that is so many on, or back; nil where there is none.
  func start(from time: MediaTime, by count: Int) -> MediaTime? {
    guard !chapters.isEmpty else { return nil }
    let here = index(at: time) ?? -1
    var target = here + count
    // A part of a chapter that has been seen counts as one.
    if count < 0, here >= 0, time - chapters[here].timeRange.start > Self.threshold { target += 1 }
    if target >= chapters.count { return nil }
    return target < 0 ? .zero : chapters[target].timeRange.start
  }

  /// The chapter of a time in words; nil where there are none.
  func words(at time: MediaTime) -> TerminalText? {
    guard !chapters.isEmpty else { return nil }
    guard let index = index(at: time) else { return "before the first of \(chapters.count) chapters" }
    let name = chapters[index].title.map { TerminalText($0) } ?? ""
    return "chapter \(index + 1)/\(chapters.count)\(name.isBlank ? "" : ": ")\(name)"
  }
}
