import Dispatch
import Pixels
import Playback

/// The seams between items of a queue: a thousand of them, between items of 12 frames, at twice the speed.
enum Seams {
  private static let seams = 1000
  private static let frames = 12
  private static let speed = 2.0

  static func measure(_ clip: String) throws -> [TableRow] {
    let asset = Asset(path: clip)
    let context = PlaybackContext(threads: 2)
    try context.bus.startDelivering()
    defer { context.bus.stopDelivering() }
    let player = Player(context: context)
    player.actionAtItemEnd = .advance
    player.insert(PlayerItem(asset: asset))
    let woken = DispatchSemaphore(value: 0)
    let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * (Workbench.rows - 3))))
    output.setWaker { woken.signal() }
    var wrong: [Int] = [], seen = 0, late: [Double] = [], others: [Double] = []
    /// The host time when the next frame is due.
    var expectedDue: Double?
    let interval = 1000 / (ScrubClip.rate * speed)
    player.rate = speed
    while seen < (seams + 1) * frames {
      if player.queuedItems.count < 3 { player.insert(PlayerItem(asset: asset)) }
      let now = player.hostTime
      if let (frame, due) = output.copyFrame(at: now) {
        let expected = seen % frames
        if frame.timing.number != expected { wrong.append(expected) }
        // What was dropped or doubled is counted once.
        seen += 1 + (frame.timing.number - expected + frames) % frames
        if frame.timing.number == 0, seen > 1 {
          // The first frame of an item is due when the last of the former one has been shown for its time.
          if let expectedDue { late.append(Double(now) / 1e6 - expectedDue) }
        } else {
          others.append(Double(now - due) / 1e6)
        }
        expectedDue = frame.timing.number == frames - 1 ? Double(due) / 1e6 + interval : nil
        continue
      }
      let next = output.nextFrameTime(after: now).map { max(0, $0 - now) } ?? 1_000_000_000
      if woken.wait(timeout: .now() + .nanoseconds(Int(next))) == .timedOut, next == 1_000_000_000, seen == 0 {
        throw BenchError("no frame comes")
      }
    }
    return [
      TableRow("frames dropped or doubled at \(seams) seams", [Double(wrong.count)], atMost: 0, digits: 0,
        note: wrong.isEmpty ? "" : "before frames \(wrong.map(String.init).joined(separator: " "))"),
      TableRow(
        "lateness at a seam, p99 of \(seams)", [percentile(late, 0.99)], atMost: (interval / 2 * 10).rounded() / 10, unit: " ms", digits: 1,
        note: "p50 \(text(percentile(late, 0.5), 1)) ms; of other frames p50 \(text(percentile(others, 0.5), 1)), p99 \(text(percentile(others, 0.99), 1)) ms"),
    ]
  }
}
