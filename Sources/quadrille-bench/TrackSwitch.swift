import Dispatch
import Pixels
import Playback

/// The time to show another video track at a time, relative to a seek to that time.
enum TrackSwitch {
  private static let count = 20

  static func measure(_ clip: String) throws -> [TableRow] {
    let asset = Asset(path: clip)
    let facts = DispatchSemaphore(value: 0)
    asset.load(.facts) { _ in facts.signal() }
    facts.wait()
    let tracks = asset.loadedValue(of: .facts)?.tracks.filter { $0.mediaType == .video } ?? []
    guard tracks.count == 2 else { throw BenchError("\(clip) has not two video tracks") }
    let stage = try Stage()
    try stage.play(asset, tracks[0])
    var switches: [Double] = [], seeks: [Double] = []
    for n in 0..<count {
      let number = Int(1000 * (Double(n + 1) * 0.618034).truncatingRemainder(dividingBy: 1)) + 20
      let time = MediaTime(seconds: (Double(number) + 0.5) / ScrubClip.rate, preferredTimescale: 90_000)
      seeks.append(try stage.measure(number) { $0.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) })
      switches.append(
        try stage.measure(number) {
          $0.replaceCurrentItem(with: PlayerItem(asset: asset, videoTrack: tracks[(n + 1) % 2]))
          $0.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
        })
      // The index of the other track is built meanwhile.
      try stage.awaitIndex()
    }
    return [
      TableRow(
        "another video track is seen / a seek to that time, p50 of \(count)", zip(switches, seeks).map { $0 / $1 }, atMost: 1.05,
        note: "\(text(median(switches), 0)) ms / \(text(median(seeks), 0)) ms, p95 \(text(percentile(switches, 0.95), 0)) ms")
    ]
  }

  /// A player and its output.
  private final class Stage {
    let player: Player
    private let output: VideoOutput
    private let context = PlaybackContext(threads: 2)
    private let woken = DispatchSemaphore(value: 0), indexed = DispatchSemaphore(value: 0)
    private var observer: TimeObserver?

    init() throws {
      try context.bus.startDelivering()
      player = Player(context: context)
      output = VideoOutput(
        player, request: RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * (Workbench.rows - 3))))
      output.setWaker { [woken] in woken.signal() }
      observer = player.addEventObserver(on: InlineExecutor()) { [indexed] in if $0 == .framesIndexed { indexed.signal() } }
    }

    deinit { context.bus.stopDelivering() }

    func play(_ asset: Asset, _ track: AssetTrack) throws {
      player.replaceCurrentItem(with: PlayerItem(asset: asset, videoTrack: track))
      try awaitIndex()
    }

    func awaitIndex() throws {
      guard indexed.wait(timeout: .now() + Workbench.patience) == .success else { throw BenchError("the clip is not indexed") }
    }

    /// Returns the milliseconds from asking until the frame is there.
    func measure(_ number: Int, _ ask: (Player) -> Void) throws -> Double {
      let start = context.clock.now
      ask(player)
      while true {
        if let (frame, _) = output.copyFrame(at: player.hostTime), frame.timing.number == number, !frame.isApproximate {
          return Double(context.clock.now - start) / 1e6
        }
        guard woken.wait(timeout: .now() + Workbench.patience) == .success else { throw BenchError("frame \(number) does not come") }
      }
    }
  }
}
