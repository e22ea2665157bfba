import Pixels

/// The times of a composition's frames, computed from those of its clips as they become known.
struct CompositionTimeline {
  private struct Source {
    /// Nil if nothing will be known.
    var timeline: PresentationTimeline?
    var rate: Double
    var tolerance: MediaTime
  }

  private let plan: CompositionPlan
  private var sourcesKnown: [CompositionClip: Source] = [:]
  private var frames: [PresentationTimeline.Frame] = []
  /// The spans before this one are complete.
  private var span = 0
  /// True if there are more frames than are kept.
  private var isFull = false
  private var isCountable = true
  private var origin = PresentationTimeline.Origin.decode

  /// The maximum number of frames, as for a file; later ones are not known.
  static let maxFrames = 4 << 20

  init(_ plan: CompositionPlan) {
    self.plan = plan
    workOut()
  }

  /// One clip of each track of each asset, in order of first appearance.
  var sources: [CompositionClip] {
    var seen: Set<CompositionClip> = []
    var result: [CompositionClip] = []
    for clip in plan.spans.lazy.flatMap(\.clips) where seen.insert(clip.clip.source).inserted {
      result.append(clip.clip.source)
    }
    return result
  }

  /// The number of frames known so far.
  var frameCount: Int { frames.count }
  /// 0…1.
  var progress: Double { plan.spans.isEmpty ? 1 : Double(span) / Double(plan.spans.count) }

  /// The timeline known so far; nil while there is none.
  var known: PresentationTimeline? {
    let isComplete = span == plan.spans.count
    let end = isComplete ? plan.duration : plan.spans[span].start
    var frames = frames
    if let last = frames.indices.last { frames[last].duration = CompositionPlan.duration(from: frames[last].pts, to: end) }
    return PresentationTimeline(frames: frames, isComplete: isComplete, isCountable: isCountable, origin: origin)
  }

  /// Adds the frame times of a clip.
  ///
  /// - Parameters:
  ///   - timeline: of the clip's asset; nil if it is unknown for good.
  ///   - rate: its frame rate.
  ///   - clip: one of `sources`.
  mutating func add(_ timeline: PresentationTimeline?, rate: Double, tolerance: MediaTime, of clip: CompositionClip) {
    sourcesKnown[clip.source] = Source(timeline: timeline, rate: rate, tolerance: tolerance)
    if let timeline {
      if !timeline.isCountable { isCountable = false }
      if timeline.origin == .packets { origin = .packets }
    } else {
      isCountable = false
    }
    workOut()
  }

  private mutating func workOut() {
    while span < plan.spans.count, !isFull {
      let item = plan.spans[span]
      guard item.clips.allSatisfy({ sourcesKnown[$0.clip.source] != nil }) else { return }
      let former = frames.count
      if let length = plan.frameDuration { addGrid(item, length) } else { add(item) }
      guard frames.count < Self.maxFrames else {
        frames.removeSubrange(former...)
        isFull = true
        return
      }
      span += 1
    }
  }

  /// - Returns: true if more can follow.
  @discardableResult
  private mutating func append(_ time: MediaTime, isRandomAccess: Bool) -> Bool {
    if frames.last.map({ $0.pts < time }) ?? true, time < plan.duration {
      // Only the last frame's duration counts, which `known` sets.
      frames.append(PresentationTimeline.Frame(pts: time, duration: .zero, isRandomAccess: isRandomAccess))
    }
    return frames.count < Self.maxFrames
  }

  /// The interval of random access frames where the composition itself can seek anywhere.
  private static let interval = 12

  private mutating func addGrid(_ item: CompositionPlan.Span, _ length: MediaTime) {
    var time = frames.last.map { $0.pts + length } ?? .zero
    var isFirst = true
    while time < item.end, append(time, isRandomAccess: isFirst || frames.count.isMultiple(of: Self.interval)) {
      isFirst = false
      time = time + length
    }
  }

  private mutating func add(_ item: CompositionPlan.Span) {
    append(item.start, isRandomAccess: true)
    var begun = item.start
    if let master = item.master(rate: { sourcesKnown[$0.clip.source]?.rate ?? 0 }) {
      guard let source = sourcesKnown[master.clip.source], let timeline = source.timeline else { return }
      let map = plan.map(of: master, tolerance: source.tolerance)
      switch master.clip.direction {
      case .freeze: break
      case .forward: addForward(item, map, timeline, &begun)
      case .backward: addBackward(item, map, timeline, &begun)
      }
    }
    addSteps(item, from: begun, to: item.end)
  }

  /// Adds the changes during one frame.
  ///
  /// - Returns: true if more can follow.
  @discardableResult
  private mutating func addSteps(_ item: CompositionPlan.Span, from begin: MediaTime, to end: MediaTime) -> Bool {
    let steps = plan.steps(in: item, from: begin, to: end)
    var time = steps.next(after: begin)
    while time < end {
      guard append(time, isRandomAccess: frames.count.isMultiple(of: Self.interval)) else { return false }
      time = steps.next(after: time)
    }
    return true
  }

  /// Adds a frame of the clip that determines when the image changes.
  ///
  /// - Parameters:
  ///   - time: the frame's display time.
  ///   - begun: the display time of the previous frame, or the span's start; set to `time`.
  /// - Returns: true if more can follow.
  private mutating func append(
    _ time: MediaTime, of item: CompositionPlan.Span, isRandomAccess: Bool, _ begun: inout MediaTime
  ) -> Bool {
    guard time > begun else { return true }
    guard time < item.end, addSteps(item, from: begun, to: time) else { return false }
    begun = time
    return append(time, isRandomAccess: isRandomAccess)
  }

  private mutating func addForward(
    _ item: CompositionPlan.Span, _ map: ClipMap, _ timeline: PresentationTimeline, _ begun: inout MediaTime
  ) {
    // A frame earlier, since times may have been rounded.
    var number = max(0, timeline.frameNumber(at: map.sourceTime(item.start)) - 1)
    while let time = timeline.time(ofFrame: number), !map.isBehind(time) {
      let isRandomAccess = timeline.randomAccessFrame(for: number) == number
      guard append(map.shown(time), of: item, isRandomAccess: isRandomAccess, &begun) else { return }
      number += 1
    }
  }

  private mutating func addBackward(
    _ item: CompositionPlan.Span, _ map: ClipMap, _ timeline: PresentationTimeline, _ begun: inout MediaTime
  ) {
    var number = timeline.frameNumber(at: map.sourceTimeBackwards(item.start)) + 1
    while number >= 0 {
      if let time = timeline.time(ofFrame: number), !map.isBehind(time) {
        guard !map.isBefore(time) else { return }
        let isRandomAccess = frames.count.isMultiple(of: Self.interval)
        guard append(map.shownBackwards(time), of: item, isRandomAccess: isRandomAccess, &begun) else { return }
      }
      number -= 1
    }
  }
}

extension CompositionClip {
  /// An empty clip of the same source.
  var source: CompositionClip { CompositionClip(asset: asset, timeRange: .zero, videoTrack: videoTrack) }
}
