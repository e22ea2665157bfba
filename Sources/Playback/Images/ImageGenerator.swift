import DecodePool
import Pixels
import Synchronization

/// Makes images of single frames of a clip's video: the counterpart of AVAssetImageGenerator.
///
/// Any number of times can be asked for at once; each is answered exactly once, in the order of asking, with
/// the requested and the actual time, an error, or that it was called off. Frames are turned as the track
/// says and have square pixels. Freeing the generator calls off what is left. Safe from any thread.
public final class ImageGenerator: Sendable {
  private struct Settings {
    var maximumSize = PixelSize(width: 0, height: 0)
    var before = MediaTime.positiveInfinity
    var after = MediaTime.positiveInfinity
  }

  private let queue: ImageQueue
  private let settings = Mutex(Settings())

  /// Work on a shared pool is due so late, in nanoseconds, that everything that plays comes before it.
  private static let patience: UInt64 = 3600 * 1_000_000_000

  /// - Parameters:
  ///   - asset: the clip; it is opened when the first frame is asked for.
  ///   - videoTrack: one of the asset's; nil for the preferred one.
  ///   - context: on whose threads to work, after everything that plays there; nil for a thread of its own.
  ///   - decoderThreads: threads that libavcodec may use besides; 1 means none.
  public convenience init(
    asset: Asset, videoTrack: AssetTrack? = nil, context: PlaybackContext? = nil, decoderThreads: Int = 1
  ) {
    self.init(
      item: PlayerItem(asset: asset, videoTrack: videoTrack, showsSound: false), pool: context?.pool,
      decoderThreads: decoderThreads)
  }

  /// A generator whose frames come from a source of the caller's.
  ///
  /// - Parameters:
  ///   - context: on whose threads to work, after everything that plays there; nil for a thread of its own.
  ///   - source: makes it; called once, when the first frame is asked for, on a thread of the generator's choice. The
  ///     generator alone uses what it returns, by one thread at a time, and frees it. An error fails all that is asked for.
  public convenience init(
    context: PlaybackContext? = nil, source: @escaping @Sendable () throws -> any FrameSource
  ) {
    self.init(item: PlayerItem(source: source), pool: context?.pool, decoderThreads: 1)
  }

  /// - Parameter pool: where to work, after everything that plays there.
  package convenience init(asset: Asset, videoTrack: AssetTrack? = nil, pool: DecodePool) {
    self.init(item: PlayerItem(asset: asset, videoTrack: videoTrack, showsSound: false), pool: pool, decoderThreads: 1)
  }

  package convenience init(pool: DecodePool, source: @escaping @Sendable () throws -> any FrameSource) {
    self.init(item: PlayerItem(source: source), pool: pool, decoderThreads: 1)
  }

  private init(item: PlayerItem, pool: DecodePool?, decoderThreads: Int) {
    queue = ImageQueue(
      item: item, pool: pool ?? DecodePool(threads: 1), threads: max(1, decoderThreads),
      patience: pool == nil ? 0 : Self.patience)
  }

  deinit { queue.close() }

  /// Frames are scaled down to fit in; a side of 0, as at first, is free. Never enlarged.
  public var maximumSize: PixelSize {
    get { settings.withLock { $0.maximumSize } }
    set { settings.withLock { $0.maximumSize = newValue } }
  }

  /// How much earlier than asked for a frame may be shown; +∞, as at first, takes what is cheap.
  ///
  /// With zero before and after, it is the frame that is on display at the time: its PTS is at or before
  /// it and the next one's behind. Negative values count as zero.
  public var requestedTimeToleranceBefore: MediaTime {
    get { settings.withLock { $0.before } }
    set { settings.withLock { $0.before = max(.zero, newValue) } }
  }

  /// How much later than asked for a frame may be shown; +∞, as at first, takes what is cheap.
  public var requestedTimeToleranceAfter: MediaTime {
    get { settings.withLock { $0.after } }
    set { settings.withLock { $0.after = max(.zero, newValue) } }
  }

  /// Asks for frames, with the settings as they are now.
  ///
  /// Times before the first frame and past the last give these.
  ///
  /// - Parameter completion: called once for each time, in order, one at a time, from the working thread;
  ///   what it does keeps the next frame waiting.
  public func generateImages(
    at times: [MediaTime], completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add(requests(times, batch: queue.newBatch(), completion))
  }

  /// Asks for frames and gives the answers one by one, in order; ending the loop calls the rest off.
  ///
  /// All are asked for now. Answers that nobody has taken wait in memory.
  public func images(at times: [MediaTime]) -> AsyncStream<GeneratedImage> {
    let (stream, continuation) = AsyncStream.makeStream(of: GeneratedImage.self)
    let batch = queue.newBatch()
    guard !times.isEmpty else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak queue] end in
      if case .cancelled = end { queue?.cancel(batch: batch) }
    }
    let counter = Counter(left: times.count)
    queue.add(
      requests(times, batch: batch) { answer in
        continuation.yield(answer)
        if counter.countDown() { continuation.finish() }
      })
    return stream
  }

  /// The frame at a time, with the settings as they are now.
  ///
  /// - Throws: `PlaybackError`; with reason `cancelled` when it or its task was called off.
  public func image(at time: MediaTime) async throws -> Still {
    try await single { answer, batch in self.requests([time], batch: batch, answer) }
  }

  /// The frame with a number, zero-based in display order.
  ///
  /// - Throws: as `image(at:)`; with reason `noSuchFrame` where there are not so many.
  public func image(ofFrame number: Int) async throws -> Still {
    try await single { answer, batch in [self.request(number: number, batch: batch, answer)] }
  }

  /// Asks for the frame with a number, zero-based in display order; fails with reason `noSuchFrame` where there are
  /// not so many.
  ///
  /// - Parameter completion: called once, from the working thread; what it does keeps the next frame waiting.
  public func generateImage(
    ofFrame number: Int, completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add([request(number: number, batch: queue.newBatch(), completion)])
  }

  /// Asks for the very frame that a player shows, by its timing, in the generator's size.
  ///
  /// - Parameter completion: called once, from the working thread; what it does keeps the next frame waiting.
  public func generateImage(
    of timing: FrameTiming, completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add([
      ImageQueue.Request(
        batch: queue.newBatch(), time: timing.pts, target: .frame(timing),
        maximumSize: settings.withLock { $0.maximumSize }, answer: completion)
    ])
  }

  /// Calls off everything that has not been answered; the answers say so.
  public func cancelAll() { queue.cancel() }

  // MARK: - Inside

  private func requests(
    _ times: [MediaTime], batch: Int, _ answer: @escaping @Sendable (GeneratedImage) -> Void
  ) -> [ImageQueue.Request] {
    let settings = settings.withLock { $0 }
    return times.map { time in
      ImageQueue.Request(
        batch: batch, time: time,
        target: .time(
          TimeTarget(
            time: time.isValid && !time.isIndefinite ? time : .zero, before: settings.before, after: settings.after)),
        maximumSize: settings.maximumSize, answer: answer)
    }
  }

  private func request(
    number: Int, batch: Int, _ answer: @escaping @Sendable (GeneratedImage) -> Void
  ) -> ImageQueue.Request {
    ImageQueue.Request(
      batch: batch, time: .indefinite, target: .number(max(0, number)),
      maximumSize: settings.withLock { $0.maximumSize }, answer: answer)
  }

  private func single(
    _ make: (@escaping @Sendable (GeneratedImage) -> Void, Int) -> [ImageQueue.Request]
  ) async throws -> Still {
    let batch = queue.newBatch()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.add(make({ continuation.resume(returning: $0) }, batch))
        // The handler may have run before there was anything to call off.
        if Task.isCancelled { queue.cancel(batch: batch) }
      }
    } onCancel: {
      queue.cancel(batch: batch)
    }
    return try answer.get()
  }
}

/// Counts down to the last of several answers.
private final class Counter: Sendable {
  private let left: Mutex<Int>
  init(left: Int) { self.left = Mutex(left) }

  /// One more has come. Returns whether it was the last.
  func countDown() -> Bool {
    left.withLock { left in
      left -= 1
      return left == 0
    }
  }
}
