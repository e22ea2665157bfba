/// Spreads the preparation of upcoming clips over frames, so that they are ready in time.
struct WorkAhead {
  private struct Task {
    var clip: CompositionPlan.Clip
    /// When it is shown first.
    var start: MediaTime
  }

  private var tasks: [Task] = []
  private var done: Set<Int> = []
  /// Pieces of work to be done before the next frame.
  private var credit = 0
  /// Frames that have been given.
  private var given = 0

  /// The first frames come as soon as they can: whoever shows them has none in hand yet.
  private static let headStart = 6
  /// The limit for a caller that only wants to be ready, such as a player with a full queue: nothing is opened for clips
  /// that follow much later.
  private static let readiness = 16

  /// The number of frames ahead for which work is done.
  private var reach: Int {
    given < Self.headStart ? Self.headStart : given <= Self.readiness ? 2 * Self.readiness - given : .max
  }

  /// Opening a file, and the frames that a decoder holds back.
  private static let overhead = 12
  /// Taken for what is not known: frames between a random access point and the one that is wanted.
  private static let unknownDistance = 60

  /// True if work is due before the next frame.
  var isDue: Bool { credit > 0 && !tasks.isEmpty }

  /// Takes up what comes next, once for each frame that is given.
  ///
  /// - Parameters:
  ///   - work: the clips, and when they are shown first; the soonest first.
  ///   - time: when the next frame is shown.
  ///   - frameRate: frames a second that are given.
  ///   - distance: frames to be decoded before a clip's first one; nil where that is not known.
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

  /// The piece of work that is to be done now; nil where there is none.
  mutating func take() -> (clip: CompositionPlan.Clip, start: MediaTime)? {
    guard credit > 0, let task = tasks.first else { return nil }
    credit -= 1
    return (task.clip, task.start)
  }

  /// A clip stands at its first frame.
  mutating func didPrepare(_ clip: CompositionPlan.Clip) {
    done.insert(clip.number)
    tasks.removeAll { $0.clip.number == clip.number }
  }
}
