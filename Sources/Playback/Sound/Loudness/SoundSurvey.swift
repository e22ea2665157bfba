import DecodePool
import Libav
import Synchronization

/// Reads the whole sound of a file once, in the background and at the lowest priority, or takes what an earlier reading has kept.
///
/// Only regular files are read. Freeing the survey ends it. Safe to use from any thread.
public final class SoundSurvey: Sendable {
  /// The result so far.
  private let progress: Progress
  private let session: InputSession

  private final class Progress: Sendable {
    let overview = Mutex<SoundOverview?>(nil)
    let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func publish(_ new: SoundOverview) {
      overview.withLock { $0 = new }
      wake()
    }
  }

  /// The time between reports, in nanoseconds.
  private static let interval: UInt64 = 200_000_000

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - track: one of the asset's sound tracks; nil for the preferred one.
  ///   - folder: the folder in which overviews are kept, at most 16 MB; nil to keep none.
  ///   - wake: called from any thread when more is known.
  /// - Returns: nil if the asset is no file with sound, or its facts are not loaded.
  public init?(asset: Asset, track: AssetTrack? = nil, folder: String?, wake: @escaping @Sendable () -> Void) {
    guard !asset.isComposition, let facts = asset.loadedValue(of: .facts), let track = track ?? facts.preferredSoundTrack,
      track.streamPart == nil, let key = SoundOverviewStore.key(of: asset.input, track: track.index)
    else { return nil }
    let store = folder.map(SoundOverviewStore.init)
    let input = asset.input
    let (session, progress) = (InputSession(input), Progress(wake: wake))
    (self.session, self.progress) = (session, progress)
    runInBackground(asset.startThread) {
      lowerThreadPriority()
      if let known = store?.load(key) { return progress.publish(known) }
      guard let overview = try? Self.read(session, track, startTime: facts.startTime, progress) else { return }
      // Another file may have replaced it.
      if SoundOverviewStore.key(of: input, track: track.index) == key { store?.save(overview, key) }
      progress.publish(overview)
    } refused: { _ in }
  }

  deinit { session.interrupt() }

  /// The sound read so far; nil before the first of it.
  public var overview: SoundOverview? { progress.overview.withLock { $0 } }

  /// - Throws: an error if the file cannot be read to its end.
  private static func read(
    _ session: InputSession, _ track: AssetTrack, startTime: MediaTime, _ progress: Progress
  ) throws -> SoundOverview {
    let levels = try SoundLevels(session.open().demuxer, track: track, startTime: startTime)
    var overview = SoundOverview(), loudness = IntegratedLoudness()
    var next = 0, power = 0.0, reported = monotonicNanoseconds()
    while true {
      while levels.end == nil, !levels.isKnown(next..<next + 1) { try levels.decode() }
      // What has been left behind by a jump of timestamps was silent.
      let first = max(next, levels.first)
      overview.skip(to: Int64(first))
      next = first
      while next < levels.known {
        let level = levels[next]
        overview.add(level)
        next += 1
        power += Double(level.weighted)
        if next % 10 == 0 {
          loudness.add(power: power / 10)
          power = 0
        }
      }
      if levels.end != nil { break }
      let now = monotonicNanoseconds()
      if now - reported >= interval {
        reported = now
        progress.publish(overview)
      }
    }
    overview.finish()
    overview.integratedLoudness = loudness.units
    return overview
  }
}
