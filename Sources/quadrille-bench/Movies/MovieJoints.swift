import Dispatch
import Pixels
import Playback

/// Whether the joints of a movie are seen: two clips by turns, 200 joints, on a screen of the usual size.
enum MovieJoints {
  private static let joints = 200
  private static let frames = 12
  /// Frames between the beginnings of two pieces of one clip.
  private static let step = 17

  static func measure(_ clips: [String]) throws -> [TableRow] {
    let assets = clips.map { Asset(path: $0) }
    var movie = Composition()
    for number in 0...joints {
      let first = Int64(5 + number / clips.count * step % 250)
      try movie.append(
        TimeRange(
          start: MediaTime(value: first, timescale: CutList.rate),
          duration: MediaTime(value: Int64(frames), timescale: CutList.rate)),
        of: assets[number % clips.count])
    }
    let context = PlaybackContext(threads: 2)
    try context.bus.startDelivering()
    defer { context.bus.stopDelivering() }
    let player = Player(context: context)
    let woken = DispatchSemaphore(value: 0)
    let output = VideoOutput(
      player, request: RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * (Workbench.rows - 3))))
    output.setWaker { woken.signal() }
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(composition: movie)))
    player.rate = 1
    let total = (joints + 1) * frames
    var last = -1, wrong: [Int] = [], late: [Double] = [], others: [Double] = []
    while last < total - 1 {
      let now = player.hostTime
      if let (frame, due) = output.copyFrame(at: now) {
        let number = Int((frame.timing.pts.seconds * Double(CutList.rate)).rounded())
        if number != last + 1 { wrong.append(number) }
        if number > 0 {
          let lateness = Double(now - due) / 1e6
          if number % frames == 0 { late.append(lateness) } else { others.append(lateness) }
        }
        last = number
        continue
      }
      let next = output.nextFrameTime(after: now).map { max(0, $0 - now) } ?? 1_000_000_000
      if woken.wait(timeout: .now() + .nanoseconds(Int(next))) == .timedOut, next == 1_000_000_000, last < 0 || player.rate == 0 {
        throw BenchError("no frame comes behind frame \(last)")
      }
    }
    let interval = 1000 / Double(CutList.rate)
    return [
      TableRow(
        "frames dropped or doubled over \(joints) joints of two clips", [Double(wrong.count)], atMost: 0, digits: 0,
        note: wrong.isEmpty ? "" : "before frames \(wrong.prefix(20).map(String.init).joined(separator: " "))"),
      TableRow(
        "lateness at a joint, p99 of \(late.count)", [percentile(late, 0.99)], atMost: (interval / 2 * 10).rounded() / 10, unit: " ms",
        digits: 1,
        note: "p50 \(text(percentile(late, 0.5), 1)) ms; of other frames p50 \(text(percentile(others, 0.5), 1)), p99 \(text(percentile(others, 0.99), 1)) ms"),
      TableRow("memory at its peak with that, MB", [try ProcessFigures.ownPeakMegabytes()], atMost: 250, digits: 0, note: "this process"),
    ]
  }
}
