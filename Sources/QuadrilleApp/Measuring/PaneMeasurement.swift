import Alignment
import Measuring
import Playback
import Terminal

/// The findings about a pane's clip: a value without a player.
struct PaneMeasurement {
  /// A place at which the clips differ in their frames.
  struct Event: Equatable {
    var time: MediaTime
    var words: TerminalText
  }

  /// Frames that a person named as belonging together.
  struct NamedPoint: Equatable, Sendable {
    let point: SyncPoint
    /// The index of the candidate among those aligned.
    let candidate: Int
    var time: MediaTime
    var words: TerminalText
  }

  /// The result of the alignment in a line.
  var summary: TerminalText
  /// In their order.
  var events: [Event]
  var syncPoints: [NamedPoint]
  /// The aligned clip; nil for the reference.
  var clip: AlignedClip?
  /// The metric shown; nil for none.
  var scores: PaneScores?

  /// The findings about a candidate.
  ///
  /// - Parameter index: its index among those aligned.
  init(candidate clip: AlignedClip, index: Int) {
    self.clip = clip
    syncPoints = clip.map.syncPoints.map { point in
      let time = Self.time(of: point.candidate, in: clip.candidate.times)
      return NamedPoint(point: point, candidate: index, time: time, words: point.words)
    }
    summary = Self.summary(clip.map)
    events = clip.map.events.map { event in
      Event(time: Self.time(of: event.candidate.lowerBound, in: clip.candidate.times), words: event.words)
    }
  }

  /// The findings about the reference.
  ///
  /// - Parameter candidates: all those aligned with it, with the numbers of their panes.
  init(reference candidates: [(number: Int, clip: AlignedClip)]) {
    summary = candidates.count == 1 ? "reference of pane \(candidates[0].number)" : "reference of \(candidates.count) panes"
    events = candidates.flatMap { number, clip in
      clip.map.events.map { event in
        let pane: TerminalText = candidates.count > 1 ? "pane \(number)  " : ""
        return Event(time: Self.time(of: event.reference.lowerBound, in: clip.reference.times), words: pane + event.words)
      }
    }.sorted { $0.time < $1.time }
    syncPoints = candidates.enumerated().flatMap { index, candidate in
      candidate.clip.map.syncPoints.map { point in
        let pane: TerminalText = candidates.count > 1 ? "pane \(candidate.number)  " : ""
        let time = Self.time(of: point.reference, in: candidate.clip.reference.times)
        return NamedPoint(point: point, candidate: index, time: time, words: pane + point.words)
      }
    }
  }

  private static func time(of frame: Int, in times: [Int64]) -> MediaTime {
    guard let last = times.indices.last else { return .zero }
    return max(.zero, MediaTime(nanoseconds: times[min(max(0, frame), last)]))
  }

  static func summary(_ map: AlignmentMap) -> TerminalText {
    if map.verdict == .unrelated { return "the clips have nothing in common" }
    let sure = map.frames.count { $0.reference != nil && $0.isSure }
    var words: TerminalText = "\(map.pairCount) of \(map.frames.count) frames matched"
    if sure < map.pairCount { words += ", \(sure) for sure" }
    let points = map.syncPoints.count
    if points > 0 { words += ", with \(points) sync point\(points == 1 ? "" : "s")" }
    return map.verdict == .ambiguous ? words + "; ambiguous: too little moves" : words
  }
}

extension SyncPoint {
  fileprivate var words: TerminalText { "#\(candidate) is #\(reference) of the reference" }
}

extension AlignmentEvent {
  /// The frames concerned and what became of them.
  var words: TerminalText {
    func frames(_ range: Range<Int>) -> TerminalText {
      range.count == 1 ? "#\(range.lowerBound)" : "#\(range.lowerBound)–#\(range.upperBound - 1)"
    }
    let name: TerminalText = "\(kind.rawValue)" + (isSure ? "" : "?")
    switch kind {
    case .dropped, .removed: return name + "  reference \(frames(reference))"
    case .repeated, .frozen: return name + "  \(frames(candidate)), reference #\(reference.lowerBound)"
    case .inserted: return name + "  \(frames(candidate))"
    case .swapped: return name + "  at #\(candidate.lowerBound), back to reference #\(reference.lowerBound)"
    }
  }
}
