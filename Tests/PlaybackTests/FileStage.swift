import DecodePool
import Pixels
import TestSupport

@testable import Playback

/// A player of files whose clock the test moves, on a pool without threads.
final class FileStage {
  let clock = ManualClock()
  let pool: DecodePool
  let bus: TimeObserverBus
  let player: Player
  let output: VideoOutput
  let events = Recorder<PlayerEvent>()
  private var observer: TimeObserver?
  /// When each frame came, in seconds since playing began, and which it was.
  private(set) var frames: [(host: Double, timing: FrameTiming, number: Int?)] = []

  init() {
    pool = DecodePool(threads: 0, now: clock.unsignedNow)
    bus = TimeObserverBus(clock: clock) {}
    player = Player(context: PlaybackContext(pool: pool, bus: bus))
    output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 64, height: 36)))
    observer = player.addEventObserver(on: InlineExecutor()) { [events] in events.append($0) }
  }

  convenience init(_ asset: Asset, index: FrameIndex?) async throws {
    self.init()
    player.replaceCurrentItem(with: try await Self.item(asset, index: index))
  }

  /// An item that is opened where it is asked for, on no thread of its own.
  static func item(_ asset: Asset, index: FrameIndex?) async throws -> PlayerItem {
    let facts = try await asset.load(.facts), input = asset.input
    guard let track = facts.preferredVideoTrack else { throw MovieSource.noVideo(facts) }
    return PlayerItem {
      let session = InputSession(input)
      return try MovieSource(session.open(), session: session, facts: facts, track: track, index: index, threads: 1)
    }
  }

  func run(seconds: Double) {
    let start = clock.now
    while Double(clock.now - start) < seconds * 1e9 {
      repeat { bus.deliver() } while pool.runNextStep()
      while let (frame, due) = output.take(at: clock.now) {
        frames.append((Double(clock.now - start) / 1e9, frame.timing, FrameNumber.read(frame.image)))
        output.didShow(due: due, at: clock.now)
      }
      clock.advance(by: 5_000_000)
    }
  }
}
