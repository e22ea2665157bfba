/// Spreads the preparation of upcoming clips over frames, so that they are ready in time.
struct WorkAhead {
  private struct Task {
    var clip: CompositionPlan.Clip
    /// The clip's first display time.
    var start: MediaTime
  }

  private var tasks: [Task] = []
  private var done: Set<Int> = []
  /// Pieces of work due before the next frame.
  private var credit = 0
  /// The number of frames delivered.
  private var given = 0

  /// The first frames come as quickly as possible, since the viewer has none yet.
  private static let headStart = 6
  /// The limit for a caller that only wants to be ready, such as a player with a full queue: nothing is opened for clips
  /// that follow much later.
  private static let readiness = 16

  /// The number of frames ahead for which work is done.
  private var reach: Int {
    given < Self.headStart ? Self.headStart : given <= Self.readiness ? 2 * Self.readiness - given : .max
  }

  /// The cost of opening a file, and of the frames that a decoder holds back.
  private static let overhead = 12
  /// The assumed number of frames between a random access point and the target, if unknown.
  private static let unknownDistance = 60

  /// True if work is due before the next frame.
  var isDue: Bool { credit > 0 && !tasks.isEmpty }

  /// Plans the upcoming work, once per frame delivered.
  ///
  /// - Parameters:
  ///   - work: the clips and their first display times; the soonest first.
  ///   - time: the display time of the next frame.
  ///   - frameRate: frames delivered per second.
  ///   - distance: frames to decode before a clip's first one; nil if unknown.
  mutating func plan(
    _ work: [(clip: CompositionPlan.Clip, start: MediaTime)], at time: MediaTime, frameRate: Double,
    distance: (CompositionPlan.Clip) -> Int?
  ) {
    done.formIntersection(work.map(\.clip.number))
    tasks = work.filter { !done.contains($0.clip.number) }.map { Task(clip: $0.clip, start: $0.start) }
    credit = 0
    given += 1
    var total = 0
    for task in tasks {
      total += Self.overhead + (distance(task.clip) ?? Self.unknownDistance)
      let frames = max(1, ((task.start - time).seconds * max(1, frameRate)).rounded(.down))
      if frames > Double(reach) { break }
      credit = max(credit, Int((Double(total) / frames).rounded(.up)))
    }
  }

  /// Takes the next piece of work that is due; nil if there is none.
  mutating func take() -> (clip: CompositionPlan.Clip, start: MediaTime)? {
    guard credit > 0, let task = tasks.first else { return nil }
    credit -= 1
    return (task.clip, task.start)
  }

  /// Notes that a clip is at its first frame.
  mutating func didPrepare(_ clip: CompositionPlan.Clip) {
    done.insert(clip.number)
    tasks.removeAll { $0.clip.number == clip.number }
  }
}
