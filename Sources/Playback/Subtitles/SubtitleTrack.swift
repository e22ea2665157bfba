import DecodePool
import Libav
import Synchronization

/// The cues of a subtitle track, read in the background on first use.
///
/// The whole track is read, so cues that started long before a time are known there, however playback got there. Safe to
/// use from any thread.
public final class SubtitleTrack: Sendable {
  /// The progress of reading.
  public enum Status: Hashable, Sendable {
    /// More cues may follow.
    case reading
    /// All cues are known.
    case complete
    /// Reading failed; the cues read before remain.
    case failed(PlaybackError)
  }

  private struct State {
    var timeline = SubtitleTimeline()
    var script = ScriptLines()
    var status = Status.reading
    var byteCount = 0
    var imageByteCount = 0
    var observers: [@Sendable () -> Void] = []
    /// By request, called once when reading has ended.
    var waiters: [Int: @Sendable (Result<SubtitleTimeline, PlaybackError>) -> Void] = [:]
    var requestCount = 0

    /// The final result; nil while reading.
    var result: Result<SubtitleTimeline, PlaybackError>? {
      switch status {
      case .reading: nil
      case .complete: .success(timeline)
      case .failed(let error): .failure(error)
      }
    }
  }

  /// The maximum number of cues, and of bytes of text and images, that are kept.
  private static let maxCues = 200_000
  private static let maxBytes = 32 << 20
  private static let maxImageBytes = 64 << 20
  /// The minimum time between two calls of the observers, in nanoseconds.
  private static let interval: HostTime = 50_000_000

  private let state = Mutex(State())
  private let interrupter = Interrupter()

  /// - Parameters:
  ///   - video: the track whose frames contain the cues, which then share its index, or that the subtitles accompany; nil
  ///     for a separate file.
  ///   - startTime: the stream's time that is time 0.
  init(
    _ input: MediaInput, track: AssetTrack, video: AssetTrack?, startTime: MediaTime,
    startThread: @escaping ThreadStarter
  ) {
    runInBackground(startThread) { [weak self, interrupter] in
      do {
        let reader = try Self.reader(of: track, input, interrupter, beside: video, startTime: startTime)
        try Self.read(reader, into: { self })
      } catch {
        self?.finish(.failed(PlaybackError(error)))
      }
    } refused: {
      finish(.failed($0))
    }
  }

  private static func reader(
    of track: AssetTrack, _ input: MediaInput, _ interrupter: Interrupter, beside video: AssetTrack?, startTime: MediaTime
  ) throws -> any CueReader {
    if case .rendition(let index)? = track.streamPart {
      guard let source = input.segments else { throw PlaybackError(.playlist, "has no such subtitles") }
      return HLSCueReader(source, try source.rendition(index, interrupter), startTime: startTime, interrupter)
    }
    let opened = try input.open(interrupter, role: ReadingRole(.following))
    let captioned = video.flatMap { $0.index == track.index ? $0 : nil }
    if let edits = SubtitleEdits(opened.demuxer, of: track, beside: video) {
      let media = try input.open(interrupter, appliesEditLists: false, role: ReadingRole(.following))
      return try edits.reader(opened.demuxer, media: media.demuxer, beside: video, startTime: startTime) {
        if let captioned { return try CaptionReader(media.demuxer, of: captioned, startTime: .zero) }
        return try SubtitleReader(media, track: track, beside: nil, startTime: .zero)
      }
    }
    if let captioned { return try CaptionReader(opened.demuxer, of: captioned, startTime: startTime) }
    return try SubtitleReader(opened, track: track, beside: video, startTime: startTime)
  }

  /// Creates a track that cannot be read.
  init(failed error: PlaybackError) { state.withLock { $0.status = .failed(error) } }

  deinit {
    interrupter.interrupt()
    for waiter in state.withLock({ $0.waiters.values }) { waiter(.failure(.cancelled)) }
  }

  private static func read(_ reader: any CueReader, into track: () -> SubtitleTrack?) throws {
    let clock = MonotonicClock()
    var reportedAt = clock.now
    while true {
      let step = try reader.next()
      switch step {
      case .progress: continue
      case .endOfFile: return track()?.finish(.complete) ?? ()
      case .cues(let cues, let time, _), .page(let cues, let time):
        guard let track = track() else { return }
        if case .cues(_, _, let script?) = step { track.add(script, from: time) }
        let former: SubtitleTimeline.Former = if case .page = step { .all } else { .endless }
        guard track.add(cues, from: time, ending: former) else {
          throw PlaybackError(.tooLarge, "has too many subtitles")
        }
        if clock.now - reportedAt >= interval {
          reportedAt = clock.now
          track.tell()
        }
      }
    }
  }

  /// Adds cues. Returns false if there are too many.
  private func add(_ cues: [SubtitleCue], from time: MediaTime, ending former: SubtitleTimeline.Former) -> Bool {
    state.withLock { state in
      state.timeline.end(former, at: time)
      for cue in cues {
        state.byteCount += cue.lines.reduce(0) { $0 + $1.spans.reduce(0) { $0 + $1.text.utf8.count } }
        state.imageByteCount += cue.bitmaps.reduce(0) { $0 + $1.byteCount }
        state.timeline.insert(cue)
      }
      return state.byteCount <= Self.maxBytes && state.imageByteCount <= Self.maxImageBytes && state.timeline.cues.count <= Self.maxCues
    }
  }

  private func add(_ script: ScriptPart, from time: MediaTime) { state.withLock { $0.script.add(script, from: time) } }

  private func finish(_ status: Status) {
    let (waiters, result) = state.withLock { state in
      state.status = status
      defer { state.waiters = [:] }
      return (state.waiters.sorted { $0.key < $1.key }.map(\.value), state.result)
    }
    if let result { for waiter in waiters { waiter(result) } }
    tell()
  }

  private func tell() {
    for observer in state.withLock({ $0.observers }) { observer() }
  }

  // MARK: - What is known

  /// The progress of reading.
  public var status: Status { state.withLock { $0.status } }

  /// All cues read so far.
  public var timeline: SubtitleTimeline { state.withLock { $0.timeline } }

  /// Returns the cues shown at a time of the asset, of those read so far.
  public func cues(at time: MediaTime) -> [SubtitleCue] { state.withLock { $0.timeline.cues(at: time) } }

  /// Returns the lines of an SSA script that are shown at a time, of those read so far; nil if the track is none.
  package func script(at time: MediaTime) -> ScriptPart? { state.withLock { $0.script.visible(at: time) } }

  /// Returns the next time after `time` at which other lines of a script are shown; nil if there is none.
  package func nextScriptChange(after time: MediaTime) -> MediaTime? { state.withLock { $0.script.nextChange(after: time) } }

  /// Returns the next time after `time` at which other cues are shown; nil if there is none.
  public func nextChange(after time: MediaTime) -> MediaTime? {
    state.withLock { $0.timeline.nextChange(after: time) }
  }

  /// Returns all cues, once they have been read.
  ///
  /// Cancelling the task ends the wait; reading goes on.
  ///
  /// - Throws: `PlaybackError` if they cannot be read; with reason `cancelled` if the task is cancelled.
  public func load() async throws -> SubtitleTimeline {
    let id = newRequest()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        load(request: id) { continuation.resume(with: $0) }
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { cancel(request: id) }
      }
    } onCancel: {
      cancel(request: id)
    }
  }

  /// Calls back once with all cues, on the reading thread, or immediately if they have been read.
  public func load(_ completion: @escaping @Sendable (Result<SubtitleTimeline, PlaybackError>) -> Void) {
    load(request: newRequest(), completion)
  }

  private func newRequest() -> Int {
    state.withLock { state in
      state.requestCount += 1
      return state.requestCount
    }
  }

  private func cancel(request id: Int) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?(.failure(.cancelled))
  }

  private func load(request id: Int, _ completion: @escaping @Sendable (Result<SubtitleTimeline, PlaybackError>) -> Void) {
    let result = state.withLock { state in
      if state.result == nil { state.waiters[id] = completion }
      return state.result
    }
    if let result { completion(result) }
  }

  /// Calls `body` on the reading thread when more cues are known, at most about twenty times a second, and at the end. Does
  /// not report cues that are already known. The track retains `body` for its lifetime.
  public func observe(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(body) }
  }
}
