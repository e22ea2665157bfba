/// The visible content of a composition: contiguous spans, in each of which the same clips take part.
struct CompositionPlan: Sendable {
  /// A clip and its display range; the same number identifies it in several spans.
  struct Clip: Hashable, Sendable {
    var number: Int
    var clip: CompositionClip
    /// The range of the whole, on the composition's timeline.
    var timeRange: TimeRange
    /// The line that describes it; nil if unknown.
    var line: FileLine?
  }

  enum Base: Sendable {
    case black
    case missing(PlaybackError)
    case clip(Clip)
    case transition(VideoTransition, TimeRange, from: Side, to: Side)
  }

  /// One side of a transition.
  enum Side: Sendable {
    case black
    case missing(PlaybackError)
    case clip(Clip)

    var clip: Clip? { if case .clip(let clip) = self { clip } else { nil } }
    var missing: PlaybackError? { if case .missing(let error) = self { error } else { nil } }
  }

  struct Overlay: Sendable {
    var overlay: CompositionOverlay
    var clip: Clip
  }

  struct Span: Sendable {
    let start: MediaTime
    /// The start of the next span, or the composition's end. Stored, since a start and a rounded duration may add up to
    /// another time.
    fileprivate(set) var end: MediaTime
    let base: Base
    let overlays: [Overlay]
    /// All clips that take part, those of the base first.
    let clips: [Clip]
    /// True if the image changes continuously, whatever its clips do.
    let isAnimated: Bool

    fileprivate init(from start: MediaTime, to end: MediaTime, _ base: Base, _ overlays: [Overlay]) {
      (self.start, self.end) = (start, end)
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
          return start < range.start + item.overlay.fadeIn || end > range.end - item.overlay.fadeOut
        }
      }
    }

    /// The error for a piece without media; nil if there is none.
    var missing: PlaybackError? {
      switch base {
      case .black, .clip: nil
      case .missing(let error): error
      case .transition(_, _, let from, let to): from.missing ?? to.missing
      }
    }

    func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// The only visible clip.
    var onlyClip: Clip? {
      guard overlays.isEmpty, case .clip(let clip) = base else { return nil }
      return clip
    }

    /// Returns true if one span continues the other, so that nothing starts between them.
    func looksLike(_ other: Span) -> Bool {
      guard overlays.isEmpty, other.overlays.isEmpty else { return false }
      switch (base, other.base) {
      case (.black, .black): return true
      case (.clip(let a), .clip(let b)): return a.number == b.number
      default: return false
      }
    }

    /// Returns the clip whose frames determine when the image changes: the one with the highest frame rate; on ties, the
    /// first.
    ///
    /// - Parameter rate: returns a clip's frame rate as given by its asset; 0 if unknown.
    /// - Returns: nil if no clip moves.
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
  /// Times within clips at which others start or end, ascending; by clip number.
  private let joints: [Int: [MediaTime]]
  let duration: MediaTime
  let frameDuration: MediaTime?
  let blending: ColorBlending
  private let missingOverlays: [Composition.MissingOverlay]
  /// The duration of an image that changes faster than any clip does.
  var step = CompositionPlan.animationFrame

  /// The frame rate assumed for a clip that does not specify one.
  private static let usualRate = 25.0
  /// The step if no clip specifies a frame duration.
  static let animationFrame = MediaTime(value: 1, timescale: 25)

  init(_ composition: Composition) {
    let video = composition.videoComposition
    duration = composition.duration
    missingOverlays = composition.missingOverlays
    // One that is lost in rounding would not advance.
    let end = duration
    frameDuration = video.frameDuration.flatMap { $0.isNumeric && $0 > .zero && end + $0 > end ? $0 : nil }
    blending = video.blending
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
      overlays.append(Overlay(overlay: overlay, clip: Clip(number: number, clip: clip, timeRange: overlay.timeRange, line: overlay.line)))
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

  /// Returns the error for media that is missing at a time; nil if none is known to be.
  func missing(at time: MediaTime, in span: Span) -> PlaybackError? {
    span.missing ?? missingOverlays.first { $0.timeRange.contains(time) }?.error
  }

  /// Returns the mapping of a clip's frames to display times.
  ///
  /// - Parameter tolerance: the maximum distance of its timestamps from frame times.
  func map(of clip: Clip, tolerance: MediaTime) -> ClipMap {
    ClipMap(clip, joints: joints[clip.number] ?? [], tolerance: tolerance)
  }

  private static func joints(_ spans: [Span]) -> [Int: [MediaTime]] {
    var result: [Int: [MediaTime]] = [:]
    for item in spans {
      for clip in item.clips {
        for time in [item.start, item.end] where time > clip.timeRange.start && time < clip.timeRange.end {
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
      guard case .clip(let clip) = segment.content else { return }
      self.clip = Clip(number: number, clip: clip, timeRange: segment.timeRange, line: segment.line)
    }

    var side: Side {
      switch segment.content {
      case .empty: .black
      case .missing(let name, let reason): .missing(PlaybackError(missing: name, reason, at: segment.line))
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
    // Those that have started and not ended.
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
      // In stacking order.
      let span = Span(from: start, to: end, below, present.sorted { $0.clip.number < $1.clip.number })
      if spans.last?.looksLike(span) == true {
        spans[spans.count - 1].end = end
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
      case .missing(let name, let reason): return .missing(PlaybackError(missing: name, reason, at: piece.segment.line))
      case .clip: if let clip = piece.clip { return .clip(clip) }
      }
    }
    return .black
  }

  /// Returns the index of the span at a time; the last one's after the end, nil if there is none.
  func spanNumber(at time: MediaTime) -> Int? {
    spans.isEmpty ? nil : max(0, spans.partitioningIndex { $0.start > time } - 1)
  }

  /// Returns the start of the frame on display at a time if frames are on a fixed grid; else the time itself.
  func frameGrid(_ time: MediaTime) -> MediaTime {
    guard let frameDuration, let number = time.count(of: frameDuration) else { return time }
    return frameDuration * number
  }

  /// Returns the duration of a frame that ends later than it starts; above 0 even if that cannot be represented exactly.
  static func duration(from start: MediaTime, to end: MediaTime) -> MediaTime {
    max(end - start, MediaTime(value: 1, timescale: MediaTime.maximumTimescale))
  }

  /// Returns when the image changes in a span between two times: during one frame of the clip that determines it, or in the
  /// whole span if no clip moves.
  func steps(in span: Span, from begin: MediaTime, to end: MediaTime) -> FrameSteps {
    FrameSteps(
      from: max(span.start, begin), to: min(span.end, end), step: span.isAnimated ? step : nil)
  }
}

extension CompositionPlan.Clip {
  /// Seconds of the asset shown per second of the composition; 0 for a freeze frame.
  var speed: Double {
    clip.direction == .freeze ? 0 : clip.timeRange.duration.seconds / max(timeRange.duration.seconds, 1e-9)
  }
}
