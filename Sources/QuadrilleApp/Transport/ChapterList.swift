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

  init(_ player: Player) { self.init(player.currentItem?.asset?.loadedValue(of: .facts)) }

  init(_ facts: AssetFacts?) {
    self.init(facts?.chapters ?? [], markers: facts?.markers ?? [])
  }

  var isEmpty: Bool { chapters.isEmpty }

  /// Index of the chapter at a time: the last one that has started; nil before the first.
  func index(at time: MediaTime) -> Int? {
    var low = 0, high = chapters.count
    while low < high {
      let middle = (low + high) / 2
      if chapters[middle].timeRange.start <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

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
