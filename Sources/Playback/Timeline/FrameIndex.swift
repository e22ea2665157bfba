import Synchronization

/// The frame times of a source, which may be discovered during playback.
///
/// All players of a source share one index, whoever fills it. A timeline may arrive in several ways:
/// - **In parts.** `publish` replaces the current timeline with one whose `isComplete` is false. It is correct for all
///   frames before its `end`; a later one adds to it. `finish` publishes the last one and ends the index.
/// - **Corrected.** A timeline with other random access frames may be published at any time, even after the end.
/// - **Wrong.** Frames that come in another order than their timestamps refute a timeline of origin `.packets`. After
///   `markOrderUnreliable`, `timeline` is nil and `orderIsUnreliable` true, all timelines of origin `.packets` are rejected, and
///   the index has not ended until it is finished with another timeline.
/// - **Decoded.** A timeline of origin `.decode` is passed to `finish`. It replaces everything known before, including
///   numbers and ends, and cannot be refuted.
///
/// Sources and players adopt a timeline when they seek and when the index has ended, so that times stay constant within a
/// decoding run.
///
/// Safe to use from any thread. Holding an index keeps the work that fills it alive; freeing it ends the work.
public final class FrameIndex: Sendable {
  /// The content found so far.
  struct Content: Sendable {
    /// The packets of a file; nil for other sources, and before any have been read.
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

  /// The work that fills the index.
  private enum Finder: Sendable {
    /// An external publisher.
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

  /// Creates an empty index. The caller publishes what it finds, and finishes the index.
  public init() { finder = .nobody }

  /// Creates a complete index.
  public init(timeline: PresentationTimeline) {
    finder = .nobody
    finish(timeline)
  }

  /// Creates the index of a file, filled by `movie`.
  init(_ movie: MovieIndex) { finder = .movie(movie) }

  /// Creates the index of a composition, filled by `composition`.
  init(_ composition: CompositionIndex) { finder = .composition(composition) }

  deinit { movie?.end(keeping: state.withLock { $0.content.packets }) }

  // MARK: - What is known

  /// The reliable frame times known so far; nil while there are none.
  public var timeline: PresentationTimeline? { state.withLock { $0.content.timeline } }

  /// The fraction of the clip that has been examined, 0…1; starts again from 0 if the clip must also be decoded.
  public var progress: Double { state.withLock { $0.hasEnded ? 1 : $0.progress } }

  /// True if nothing more will be found.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// True if frames were found to come in another order than their timestamps.
  public var orderIsUnreliable: Bool { state.withLock { $0.orderIsUnreliable } }

  /// Requests the timeline, which starts the work of finding it; later calls have no effect. Of a source that arrives over
  /// time, everything is fetched.
  public func begin() {
    movie?.await()
    beginInBackground()
  }

  /// Starts the work of finding the timeline, from what arrives for playback.
  func beginInBackground() {
    switch finder {
    case .nobody: break
    case .movie(let movie): movie.begin(for: self)
    case .composition(let composition): composition.begin(for: self)
    }
  }

  /// Calls `body` once when nothing more will be found: immediately, or later on the thread that finishes the index. Never
  /// called if the index is freed first.
  public func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiters.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }

  // MARK: - Finding out

  /// Replaces the timeline.
  ///
  /// - Parameters:
  ///   - timeline: nil keeps the current one.
  ///   - progress: 0…1; ignored once the index has ended.
  public func publish(_ timeline: PresentationTimeline?, progress: Double) {
    publish(content: timeline.map { Content(timeline: $0) }, progress: progress)
  }

  /// Replaces the timeline with the final one and ends the index; nil if there is none.
  public func finish(_ timeline: PresentationTimeline?) { finish(content: Content(timeline: timeline)) }

  /// Reports that frames come in another order than their timestamps, so that no timeline of origin `.packets` is right.
  ///
  /// The publisher must finish the index again, with a timeline of origin `.decode`, or with nil if there is none.
  public func markOrderUnreliable() {
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

  /// The current content, which may cover only the start of the clip.
  var content: Content { state.withLock { $0.content } }

  /// Returns the current content if it is newer than `version`, and updates `version`.
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

  /// Replaces the content of `version`. Returns false if it has changed since.
  func publish(content: Content, inPlaceOf version: Int) -> Bool {
    state.withLock { state in
      guard state.version == version else { return false }
      state.take(content)
      return true
    }
  }

  /// - Returns: false, without ending the index, if the timeline is one that has been refuted.
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

  /// True if everything that can be known without decoding is known, or never will be.
  var hasPackets: Bool { movie?.hasPackets ?? hasEnded }

  /// Finds everything that needs no decoding, and calls `body` once when that is known, as `whenEnded` does; immediately if
  /// nothing is read.
  func readPackets(then body: @escaping @Sendable () -> Void) {
    switch finder {
    case .nobody: body()
    case .movie(let movie):
      movie.await()
      movie.readPackets(for: self, then: body)
    case .composition(let composition):
      composition.begin(for: self)
      whenEnded(body)
    }
  }

  /// Notes that a flagged random access point was found to be correct.
  func verify(randomAccessPoint ordinal: Int) {
    movie?.updateRandomAccess(ordinal, .flagged, in: self) { $0.verify(ordinal) }
  }

  /// Notes that decoding from a verified random access point gave another frame than decoding from the beginning.
  func refute(randomAccessPoint ordinal: Int) {
    movie?.updateRandomAccess(ordinal, .verified, in: self) { $0.refute(ordinal) }
  }
}
