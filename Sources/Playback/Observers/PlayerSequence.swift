/// Values that a player reports, as an asynchronous sequence: `for await event in player.events`.
///
/// Each loop gets its own values, from its beginning on. It ends when its task is cancelled; until then it keeps the player
/// alive. The context's bus must be driven, as for observers.
public struct PlayerSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let buffering: AsyncStream<Element>.Continuation.BufferingPolicy
  private let observe: @Sendable (@escaping @Sendable (Element) -> Void) -> TimeObserver

  /// - Parameters:
  ///   - buffering: which values are kept while the loop is busy.
  ///   - observe: registers an observer that passes each value to a function.
  init(
    buffering: AsyncStream<Element>.Continuation.BufferingPolicy,
    observe: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> TimeObserver
  ) {
    self.buffering = buffering
    self.observe = observe
  }

  /// The values of one loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Keeps the player alive.
    private let sequence: PlayerSequence
    /// Keeps the values coming.
    private let observer: TimeObserver
    private var values: AsyncStream<Element>.Iterator

    fileprivate init(_ sequence: PlayerSequence) {
      let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: sequence.buffering)
      self.sequence = sequence
      observer = sequence.observe { continuation.yield($0) }
      values = stream.makeAsyncIterator()
    }

    /// Returns the next value; nil once the task is cancelled.
    public mutating func next() async -> Element? { await values.next() }
  }

  /// Starts to collect values.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Player {
  /// The events from the beginning of a loop on, in order, after those that tell the present state (see
  /// `addEventObserver(includesState:on:using:)`). While the loop is busy, the newest 1024 wait for it.
  public var events: PlayerSequence<PlayerEvent> {
    PlayerSequence(buffering: .bufferingNewest(1024)) { [self] report in
      addEventObserver(includesState: true, on: InlineExecutor(), using: report)
    }
  }

  /// Returns the current media time about every `interval` during playback, and at each jump, start and stop. While the loop
  /// is busy, only the newest time waits for it.
  ///
  /// - Parameter interval: media time; values below a millisecond count as a millisecond.
  public func times(every interval: MediaTime) -> PlayerSequence<MediaTime> {
    PlayerSequence(buffering: .bufferingNewest(1)) { [self] report in
      addPeriodicTimeObserver(forInterval: interval, on: InlineExecutor(), using: report)
    }
  }
}
