import Synchronization

/// What is known of the times of a source's frames, which may be found out while it plays.
///
/// Players look at one index, whoever finds out. How a timeline arrives:
/// - **In parts.** `publish` replaces what was known by a timeline with `isComplete == false`, which tells the truth about
///   all frames before its `end`: a later one adds to it. `finish` publishes the last one and says that no more will come.
/// - **Corrected.** A timeline with other random access frames may be published at any time, also after the end.
/// - **Wrong.** Frames that come in another order than their time stamps refute a timeline of origin `.packets`, and with
///   it all others of that origin: after `refuteOrder`, `timeline` is nil and `orderIsUnreliable` true, timelines of origin
///   `.packets` are refused, and the index has not ended until it is finished with another.
/// - **Decoded.** A timeline of origin `.decode` comes with `finish`. It replaces all that was known before, of numbers and
///   of ends, too. Nothing refutes it.
///
/// Sources and players take a timeline over when they go elsewhere and when the index has ended, so that within a run of
/// decoding times stay as they are.
///
/// Safe from any thread. Who holds an index keeps the work alive that finds out; freeing it ends that.
public final class FrameIndex: Sendable {
  /// What has been found so far.
  struct Content: Sendable {
    /// Of a file; nil for other sources, and before the first were read.
    var packets: PacketIndex?
    var timeline: PresentationTimeline?
  }

  private struct State {
    var content = Content() {
      didSet { version += 1 }
    }
    private(set) var version = 0
    var progress = 0.0
    var hasEnded = false
    var orderIsUnreliable = false
    var waiters: [@Sendable () -> Void] = []

    mutating func take(_ new: Content) { content = orderIsUnreliable ? Self.withoutOrder(new) : new }

    static func withoutOrder(_ content: Content) -> Content {
      var content = content
      if content.packets?.decoded == nil { content.packets?.ptsOrderIsReliable = false }
      if content.timeline?.origin == .packets { content.timeline = nil }
      return content
    }
  }

  /// What finds out.
  private enum Finder: Sendable {
    /// Somebody else, who publishes.
    case nobody
    case movie(MovieIndex)
    case composition(CompositionIndex)
  }

  private let state = Mutex(State())
  private let finder: Finder

  private var movie: MovieIndex? {
    guard case .movie(let movie) = finder else { return nil }
    return movie
  }

  /// An index of which nothing is known yet; whoever made it publishes what is found out, and finishes it.
  public init() { finder = .nobody }

  /// An index of which all is known.
  public init(timeline: PresentationTimeline) {
    finder = .nobody
    finish(timeline)
  }

  /// An index of a file, which `movie` finds out.
  init(_ movie: MovieIndex) { finder = .movie(movie) }

  /// An index of a composition, which `composition` finds out.
  init(_ composition: CompositionIndex) { finder = .composition(composition) }

  deinit { movie?.end(keeping: state.withLock { $0.content.packets }) }

  // MARK: - What is known

  /// The frames' times as far as they are known and can be relied on; nil while nothing is.
  public var timeline: PresentationTimeline? { state.withLock { $0.content.timeline } }

  /// How much of the clip has been looked at, 0…1; where it has to be decoded, too, from 0 on once more.
  public var progress: Double { state.withLock { $0.hasEnded ? 1 : $0.progress } }

  /// Whether nothing more is being found out.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether frames were found to come in another order than that of their time stamps.
  public var orderIsUnreliable: Bool { state.withLock { $0.orderIsUnreliable } }

  /// Says that the timeline is wanted, so that finding out begins; later calls change nothing.
  public func begin() {
    switch finder {
    case .nobody: break
    case .movie(let movie): movie.begin(for: self)
    case .composition(let composition): composition.begin(for: self)
    }
  }

  /// Calls `body` once when nothing more is being found out: at once, or later on the thread that finishes the index; never
  /// when the index goes before.
  public func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiters.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }

  // MARK: - Finding out

  /// Replaces what is known.
  ///
  /// - Parameters:
  ///   - timeline: nil leaves what is known as it is.
  ///   - progress: 0…1; disregarded once the index has ended.
  public func publish(_ timeline: PresentationTimeline?, progress: Double) {
    publish(content: timeline.map { Content(timeline: $0) }, progress: progress)
  }

  /// Replaces what is known by the last that will be found out; nil where that is nothing.
  public func finish(_ timeline: PresentationTimeline?) { finish(content: Content(timeline: timeline)) }

  /// Tells that frames come in another order than that of their time stamps, so that no timeline of these can be right.
  ///
  /// Whoever publishes finishes the index again, with a timeline of origin `.decode`, or with nil where none can be had.
  public func refuteOrder() {
    let isNew = state.withLock { state in
      guard !state.orderIsUnreliable, state.content.timeline?.origin != .decode else { return false }
      state.orderIsUnreliable = true
      state.take(state.content)
      if state.hasEnded { (state.hasEnded, state.progress) = (false, 0) }
      return true
    }
    if isNew { movie?.orderWasRefuted(in: self) }
  }

  // MARK: - Of files

  /// What is known now; it may be of the clip's beginning only.
  var content: Content { state.withLock { $0.content } }

  /// What is known now, if it is another than at `version`, which is then brought up to date.
  func content(newerThan version: inout Int) -> Content? {
    state.withLock { state in
      guard state.version != version else { return nil }
      version = state.version
      return state.content
    }
  }

  func publish(content: Content?, progress: Double?) {
    state.withLock { state in
      if let progress { state.progress = min(max(progress, 0), 1) }
      if let content { state.take(content) }
    }
  }

  /// Replaces what was known at `version`. Returns whether it did: not where something else is known by now.
  func publish(content: Content, inPlaceOf version: Int) -> Bool {
    state.withLock { state in
      guard state.version == version else { return false }
      state.take(content)
      return true
    }
  }

  /// - Returns: false, not having ended, where the timeline is one that has been refuted.
  @discardableResult func finish(content: Content) -> Bool {
    let waiters: [@Sendable () -> Void]? = state.withLock { state in
      state.take(content)
      guard content.timeline == nil || state.content.timeline != nil else { return nil }
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters ?? [] { waiter() }
    return waiters != nil
  }

  /// Whether all is known that can be without decoding, or will never be.
  var hasPackets: Bool { movie?.hasPackets ?? hasEnded }

  /// Finds out what can be without decoding, and calls `body` once when that is known, as `whenEnded` does; at once where
  /// nothing is read.
  func readPackets(then body: @escaping @Sendable () -> Void) {
    switch finder {
    case .nobody: body()
    case .movie(let movie): movie.readPackets(for: self, then: body)
    case .composition(let composition):
      composition.begin(for: self)
      whenEnded(body)
    }
  }

  /// A flagged random access point was found to be right.
  func verify(randomAccessPoint ordinal: Int) {
    movie?.updateRandomAccess(ordinal, .flagged, in: self) { $0.verify(ordinal) }
  }

  /// Decoding from a verified random access point gave another frame than decoding from the beginning.
  func refute(randomAccessPoint ordinal: Int) {
    movie?.updateRandomAccess(ordinal, .verified, in: self) { $0.refute(ordinal) }
  }
}
