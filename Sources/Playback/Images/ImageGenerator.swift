import DecodePool
import Pixels
import Synchronization

/// Generates images of single frames of a clip's video, like AVAssetImageGenerator.
///
/// Any number of times can be requested at once. Each request is answered exactly once, in the order requested, with the
/// requested time and a frame, an error or a cancellation. A frame of a composition that lacks media is an error. Frames are oriented as the track specifies and have square
/// pixels. Freeing the generator cancels the remaining requests. Safe to use from any thread.
public final class ImageGenerator: Sendable {
  private struct Settings {
    var maximumSize = PixelSize(width: 0, height: 0)
    var before = MediaTime.positiveInfinity
    var after = MediaTime.positiveInfinity
  }

  private let queue: ImageQueue
  private let settings = Mutex(Settings())

  /// Deadline of work on a shared pool, in nanoseconds: so late that all playback comes first.
  private static let patience: UInt64 = 3600 * 1_000_000_000

  /// Creates a generator for an asset.
  ///
  /// - Parameters:
  ///   - asset: the clip; opened when the first frame is requested.
  ///   - videoTrack: one of the asset's video tracks; nil for the preferred one.
  ///   - context: the context whose threads do the work, with lower priority than playback; nil for a separate thread.
  ///   - decoderThreads: additional threads for libavcodec; 1 means none.
  public convenience init(
    asset: Asset, videoTrack: AssetTrack? = nil, context: PlaybackContext? = nil, decoderThreads: Int = 1
  ) {
    self.init(
      item: PlayerItem(asset: asset, videoTrack: videoTrack, showsSound: false), pool: context?.pool,
      decoderThreads: decoderThreads)
  }

  /// Creates a generator for a custom frame source.
  ///
  /// - Parameters:
  ///   - context: the context whose threads do the work, with lower priority than playback; nil for a separate thread.
  ///   - source: creates the source; called once, when the first frame is requested, on a thread chosen by the generator.
  ///     Only the generator uses the source, from one thread at a time, and frees it. If it throws, all requests fail.
  public convenience init(
    context: PlaybackContext? = nil, source: @escaping @Sendable () throws -> any FrameSource
  ) {
    self.init(item: PlayerItem(source: source), pool: context?.pool, decoderThreads: 1)
  }

  /// - Parameter pool: the pool that does the work, with lower priority than playback.
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

  /// The size that frames are scaled down to fit in, never enlarged. A side of 0, the default, is unconstrained.
  public var maximumSize: PixelSize {
    get { settings.withLock { $0.maximumSize } }
    set { settings.withLock { $0.maximumSize = newValue } }
  }

  /// The tolerance before the requested time. The default, +∞, takes the cheapest frame.
  ///
  /// If both tolerances are zero, the result is the frame on display at the requested time: its PTS is at or before that
  /// time, and the next frame's is after. Negative values count as zero.
  public var requestedTimeToleranceBefore: MediaTime {
    get { settings.withLock { $0.before } }
    set { settings.withLock { $0.before = max(.zero, newValue) } }
  }

  /// The tolerance after the requested time. The default, +∞, takes the cheapest frame.
  public var requestedTimeToleranceAfter: MediaTime {
    get { settings.withLock { $0.after } }
    set { settings.withLock { $0.after = max(.zero, newValue) } }
  }

  /// Requests frames with the current settings.
  ///
  /// Times before the first frame give the first frame; times after the last give the last.
  ///
  /// - Parameter completion: called once per time, in order and one at a time, on the working thread; the next frame waits
  ///   until it returns.
  public func generateImages(
    at times: [MediaTime], completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add(requests(times, batch: queue.newBatch(), completion))
  }

  /// Requests frames and returns the results one by one, in order. Ending the loop cancels the rest.
  ///
  /// All are requested immediately. Results wait in memory until they are taken.
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

  /// Returns the frame at a time, with the current settings.
  ///
  /// - Throws: `PlaybackError`; with reason `cancelled` if the request or its task was cancelled.
  public func image(at time: MediaTime) async throws -> Still {
    try await single { answer, batch in self.requests([time], batch: batch, answer) }
  }

  /// Returns the frame with a zero-based number in display order.
  ///
  /// - Throws: as `image(at:)` does; with reason `noSuchFrame` if the number is negative or too large.
  public func image(ofFrame number: Int) async throws -> Still {
    try await single { answer, batch in [self.request(number: number, batch: batch, answer)] }
  }

  /// Requests the frame with a zero-based number in display order; fails with reason `noSuchFrame` if it is negative
  /// or too large.
  ///
  /// - Parameter completion: called once, on the working thread; the next frame waits until it returns.
  public func generateImage(
    ofFrame number: Int, completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add([request(number: number, batch: queue.newBatch(), completion)])
  }

  /// Requests the exact frame that a player shows, by its timing, in the generator's size.
  ///
  /// - Parameter completion: called once, on the working thread; the next frame waits until it returns.
  public func generateImage(
    of timing: FrameTiming, completion: @escaping @Sendable (GeneratedImage) -> Void
  ) {
    queue.add([
      ImageQueue.Request(
        batch: queue.newBatch(), time: timing.pts, target: .frame(timing),
        maximumSize: settings.withLock { $0.maximumSize }, answer: completion)
    ])
  }

  /// Cancels all unanswered requests; their results say so.
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
      batch: batch, time: .indefinite, target: .number(number),
      maximumSize: settings.withLock { $0.maximumSize }, answer: answer)
  }

  private func single(
    _ make: (@escaping @Sendable (GeneratedImage) -> Void, Int) -> [ImageQueue.Request]
  ) async throws -> Still {
    let batch = queue.newBatch()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.add(make({ continuation.resume(returning: $0) }, batch))
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { queue.cancel(batch: batch) }
      }
    } onCancel: {
      queue.cancel(batch: batch)
    }
    return try answer.get()
  }
}

/// Counts down to the last of several results.
private final class Counter: Sendable {
  private let left: Mutex<Int>
  init(left: Int) { self.left = Mutex(left) }

  /// Counts one more. Returns true if it was the last.
  func countDown() -> Bool {
    left.withLock { left in
      left -= 1
      return left == 0
    }
  }
}
