/// Reads the cues of parts of a track's media, in the order in which the parts are shown. Use from one thread at a time.
final class EditedCueReader: CueReader {
  private let reader: any RewindableCueReader
  private var parts: ArraySlice<SubtitleEdits.Part>
  /// Cues from before the part, which may still be visible at its start.
  private var former: [SubtitleCue] = []
  /// The step that follows them.
  private var ready: CueStep?

  /// - Parameter reader: reads the media, from its beginning.
  init(_ reader: any RewindableCueReader, _ parts: [SubtitleEdits.Part]) {
    self.reader = reader
    self.parts = parts[...]
  }

  func next() throws -> CueStep {
    if let step = ready {
      ready = nil
      return step
    }
    guard let part = parts.first else { return .endOfFile }
    switch try reader.next() {
    case .progress: return .progress
    case .page(_, let time) where time >= part.media.end: return try endPart(part)
    case .cues(_, let time, _) where time >= part.media.end: return try endPart(part)
    case .page(let cues, let time) where time <= part.media.start:
      former = cues
      return .progress
    case .cues(let cues, let time, _) where time <= part.media.start:
      former = cues.filter(\.timeRange.end.isPositiveInfinity)
      return .cues(cues.filter { !$0.timeRange.end.isPositiveInfinity }.compactMap(part.place), from: part.place(time))
    case .page(let cues, let time): return behindFormer(.page(cues.compactMap(part.place), from: part.place(time)), part)
    case .cues(let cues, let time, _): return behindFormer(.cues(cues.compactMap(part.place), from: part.place(time)), part)
    case .endOfFile: return try endPart(part)
    }
  }

  private func endPart(_ part: SubtitleEdits.Part) throws -> CueStep {
    parts.removeFirst()
    if !parts.isEmpty { try reader.rewind() }
    // Cues without an end end with the part.
    return behindFormer(.page([], from: part.place(part.media.end)), part)
  }

  private func behindFormer(_ step: CueStep, _ part: SubtitleEdits.Part) -> CueStep {
    guard !former.isEmpty else { return step }
    ready = step
    defer { former = [] }
    return .cues(former.compactMap(part.place), from: part.place(part.media.start))
  }
}
