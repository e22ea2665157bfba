/// The visible content of a composition: contiguous spans, in each of which the same clips take part.
struct CompositionPlan: Sendable {
  /// A clip and where it is shown; what takes part in several spans has one number.
  struct Clip: Hashable, Sendable {
    var number: Int
    var clip: CompositionClip
    /// The range of the whole, on the composition's timeline.
    var timeRange: TimeRange
  }

  enum Base: Sendable {
    case black
    case missing
    case clip(Clip)
    case transition(VideoTransition, TimeRange, from: Side, to: Side)
  }

  /// One of the two that a transition shows.
  enum Side: Sendable {
    case black
    case missing
    case clip(Clip)

    var clip: Clip? { if case .clip(let clip) = self { clip } else { nil } }
  }

  struct Overlay: Sendable {
    var overlay: CompositionOverlay
    var clip: Clip
  }

  struct Span: Sendable {
    fileprivate(set) var timeRange: TimeRange
    let base: Base
    let overlays: [Overlay]
    /// All that take part, those of the base first.
    let clips: [Clip]
    /// True if it looks different from moment to moment, whatever its clips do.
    let isAnimated: Bool

    fileprivate init(_ timeRange: TimeRange, _ base: Base, _ overlays: [Overlay]) {
      self.timeRange = timeRange
      self.base = base
      self.overlays = overlays
      let below: [Clip?] =
        switch base {
        case .black, .missing: []
        case .clip(let clip): [clip]
        case .transition(_, _, let from, let to): [from.clip, to.clip]
        }
      clips = below.compactMap { $0 } + overlays.map(\.clip)
      if case .transition = base {
        isAnimated = true
      } else {
        isAnimated = overlays.contains { item in
          let range = item.overlay.timeRange
          let start = range.start + item.overlay.fadeIn
          return !TimeRange(start: start, end: max(start, range.end - item.overlay.fadeOut)).contains(timeRange)
        }
      }
    }

    /// The one clip that is all there is to see.
    var onlyClip: Clip? {
      guard overlays.isEmpty, case .clip(let clip) = base else { return nil }
      return clip
    }

    /// Returns true if one goes on as the other, so that nothing begins between them.
    func looksLike(_ other: Span) -> Bool {
      guard overlays.isEmpty, other.overlays.isEmpty else { return false }
      switch (base, other.base) {
      case (.black, .black): return true
      case (.clip(let a), .clip(let b)): return a.number == b.number
      default: return false
      }
    }

    /// The clip whose frames say when the image changes: that with the most frames a second; of equals the first.
    ///
    /// - Parameter rate: frames a second of a clip, as its asset has them; 0 where it does not say.
    /// - Returns: nil where no clip moves.
    func master(rate: (Clip) -> Double) -> Clip? {
      var best: (clip: Clip, rate: Double)?
      for clip in clips where clip.clip.direction != .freeze {
        let known = rate(clip)
        let own = (known > 0 ? known : CompositionPlan.usualRate) * clip.speed
        if own > (best?.rate ?? 0) { best = (clip, own) }
      }
      return best?.clip
    }
  }

  let spans: [Span]
  /// Times in the midst of clips at which others come or go, ascending; by the clips' numbers.
  private let joints: [Int: [MediaTime]]
  let duration: MediaTime
  let frameDuration: MediaTime?
  /// The duration of an image that changes faster than any clip does.
  var step = CompositionPlan.animationFrame

  /// Taken for the frames a second of a clip that does not say how many it has.
  private static let usualRate = 25.0
  /// A step where no clip says how long one is.
  static let animationFrame = MediaTime(value: 1, timescale: 25)

  init(_ composition: Composition) {
    let video = composition.videoComposition
    duration = composition.duration
    frameDuration = video.frameDuration.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil }
    let whole = TimeRange(start: .zero, duration: duration)
    var number = 0
    var tracks: [[Piece]] = []
    for track in composition.tracks {
      tracks.append(
        track.segments.map { segment in
          number += 1
          return Piece(segment, number)
        })
    }
    var overlays: [Overlay] = []
    for overlay in video.overlays {
      guard let clip = overlay.clip, !overlay.timeRange.intersection(whole).isEmpty else { continue }
      number += 1
      overlays.append(Overlay(overlay: overlay, clip: Clip(number: number, clip: clip, timeRange: overlay.timeRange)))
    }
    let instructions = video.instructions.filter { !$0.timeRange.isEmpty }.sorted { $0.timeRange.start < $1.timeRange.start }
    var times: [MediaTime] = [.zero, duration]
    for track in tracks { times += track.map(\.segment.timeRange.end) }
    for range in instructions.map(\.timeRange) { times += [range.start, range.end] }
    for overlay in overlays.map(\.overlay) {
      let range = overlay.timeRange
      times += [range.start, range.end, range.start + overlay.fadeIn, range.end - overlay.fadeOut]
    }
    times = times.filter { $0 >= .zero && $0 <= whole.end }.sorted()
    spans = Self.spans(times, tracks, instructions, overlays)
    joints = Self.joints(spans)
  }

  /// When the frames of a clip are shown.
  ///
  /// - Parameter tolerance: how far its time stamps may lie beside the times of its frames.
  func map(of clip: Clip, tolerance: MediaTime) -> ClipMap {
    ClipMap(clip, joints: joints[clip.number] ?? [], tolerance: tolerance)
  }

  private static func joints(_ spans: [Span]) -> [Int: [MediaTime]] {
    var result: [Int: [MediaTime]] = [:]
    for item in spans {
      for clip in item.clips {
        for time in [item.timeRange.start, item.timeRange.end] where time > clip.timeRange.start && time < clip.timeRange.end {
          if result[clip.number]?.last != time { result[clip.number, default: []].append(time) }
        }
      }
    }
    return result
  }

  private struct Piece {
    var segment: CompositionSegment
    var clip: Clip?

    init(_ segment: CompositionSegment, _ number: Int) {
      self.segment = segment
      if case .clip(let clip) = segment.content { self.clip = Clip(number: number, clip: clip, timeRange: segment.timeRange) }
    }

    var side: Side {
      switch segment.content {
      case .empty: .black
      case .missing: .missing
      case .clip: clip.map { .clip($0) } ?? .black
      }
    }
  }

  private static func spans(
    _ times: [MediaTime], _ tracks: [[Piece]], _ instructions: [VideoCompositionInstruction], _ overlays: [Overlay]
  ) -> [Span] {
    var spans: [Span] = []
    var places = Array(repeating: 0, count: tracks.count)
    var instruction = 0
    // Those that have begun and are not over.
    var waiting = overlays.sorted { $0.overlay.timeRange.start < $1.overlay.timeRange.start }[...]
    var present: [Overlay] = []
    for (start, end) in zip(times, times.dropFirst()) where start < end {
      for track in tracks.indices {
        while places[track] < tracks[track].count, tracks[track][places[track]].segment.timeRange.end <= start {
          places[track] += 1
        }
      }
      func piece(_ track: Int) -> Piece? {
        guard tracks.indices.contains(track), places[track] < tracks[track].count else { return nil }
        return tracks[track][places[track]]
      }
      while instruction < instructions.count, instructions[instruction].timeRange.end <= start { instruction += 1 }
      while let next = waiting.first, next.overlay.timeRange.start <= start {
        waiting.removeFirst()
        present.append(next)
      }
      present.removeAll { $0.overlay.timeRange.end <= start }
      let below: Base
      if instruction < instructions.count, instructions[instruction].timeRange.contains(start) {
        let active = instructions[instruction]
        below = .transition(
          active.transition, active.timeRange, from: piece(active.from)?.side ?? .black, to: piece(active.to)?.side ?? .black)
      } else {
        below = base(tracks.indices.reversed().lazy.compactMap { piece($0) })
      }
      // In the order in which they lie over each other.
      let span = Span(TimeRange(start: start, end: end), below, present.sorted { $0.clip.number < $1.clip.number })
      if let last = spans.last, last.looksLike(span) {
        spans[spans.count - 1].timeRange = TimeRange(start: last.timeRange.start, end: end)
      } else {
        spans.append(span)
      }
    }
    return spans
  }

  /// Returns the visible content of overlapping pieces, highest first.
  private static func base(_ pieces: some Sequence<Piece>) -> Base {
    for piece in pieces {
      switch piece.segment.content {
      case .empty: continue
      case .missing: return .missing
      case .clip: if let clip = piece.clip { return .clip(clip) }
      }
    }
    return .black
  }

  /// The number of the span that is seen at a time; the last one's behind the end, nil where there is none.
  func spanNumber(at time: MediaTime) -> Int? {
    spans.isEmpty ? nil : max(0, spans.partitioningIndex { $0.timeRange.start > time } - 1)
  }

  /// Returns the start of the frame on display at a time if frames are on a fixed grid; else the time itself.
  func frameGrid(_ time: MediaTime) -> MediaTime {
    guard let frameDuration, let number = time.count(of: frameDuration) else { return time }
    return frameDuration * number
  }

  /// When the image changes in a span between two times: while one frame of the clip is on display that says when it does, or
  /// in all of the span where no clip moves.
  func steps(in span: Span, from begin: MediaTime, to end: MediaTime) -> FrameSteps {
    FrameSteps(
      from: max(span.timeRange.start, begin), to: min(span.timeRange.end, end), step: span.isAnimated ? step : nil)
  }
}

extension CompositionPlan.Clip {
  /// Seconds of the asset that a second of the composition shows; 0 where one frame stands.
  var speed: Double {
    clip.direction == .freeze ? 0 : clip.timeRange.duration.seconds / max(timeRange.duration.seconds, 1e-9)
  }
}
