import Libav

extension Muxer {
  /// Adds chapters, at the file's times.
  func add(_ chapters: [Chapter]) throws {
    // Some have no duration, and some lie after the last frame.
    let lasting = chapters.filter { $0.timeRange.start.isNumeric && $0.timeRange.end.isNumeric && !$0.timeRange.isEmpty }
    for chapter in lasting.sorted(by: { $0.timeRange.start < $1.timeRange.start }) {
      try addChapter(chapter.title, from: chapter.timeRange.start.ticks(of: Ratio(1, 1000)), to: chapter.timeRange.end.ticks(of: Ratio(1, 1000)))
    }
  }
}
