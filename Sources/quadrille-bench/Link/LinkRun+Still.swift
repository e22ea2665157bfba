import CellGraphics
import Pixels
import TerminalHarness

/// What is seen of frames that stand still.
extension LinkRun {
  /// Seconds between two looks at the screen.
  private static let interval = 0.02

  /// Pauses and waits until the exact frame stands in every pane: its number in the bar tells where the clock was when
  /// the key came. `bytes` is what the exact frames take on a screen that shows nothing.
  func pause(
    _ process: TerminalProcess, _ keyDelay: Double
  ) throws -> (starts: [Double], clear: Double?, exact: Double?, bytes: Int) {
    let seen = try landing(process, keyDelay, key: " ", within: Self.refining)
    var starts: [Double] = []
    var clear: [Double?] = []
    var exact: [Double?] = []
    var bytes = 0
    for (index, number) in seen.numbers.enumerated() {
      let place = places[index]
      let frame = try ReferenceFrames(clips[index].path, place.request).frame(number: number, place.request)
      // It stood somewhere within the frame's time.
      let clock = frame.timing.pts.seconds + frame.timing.duration.seconds / 2
      starts.append(seen.pressed + keyDelay - clock)
      let quality = seen.screens.map { (time: $0.time, psnr: FrameMatch.psnr(place.cut($0.pixels), frame.image)) }
      clear.append(quality.first { $0.psnr >= 40 }.map { $0.time - seen.pressed })
      exact.append(quality.first { $0.psnr >= FrameMatch.cap }.map { $0.time - seen.pressed })
      bytes += Self.exactBytes(frame.image)
    }
    return (starts, Self.last(clear), Self.last(exact), bytes)
  }

  /// What a frame takes that is sent as it is.
  private static func exactBytes(_ image: PixelImage) -> Int {
    var grid = CellGrid(columns: image.width, rows: (image.height + 1) / 2)
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid,
      palette: Palette(depth: .trueColor))
    var encoder = DifferenceEncoder(
      columns: grid.columns, rows: grid.rows,
      profile: EncoderProfile(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    var bytes: [UInt8] = []
    return encoder.encode(grid, imageBudget: nil, into: &bytes).bytes
  }

  /// Goes one second back, from rest, and waits a little: seconds until every pane is more like its new frame than
  /// like the one before; nil when one never is.
  func seekBack(_ process: TerminalProcess, _ keyDelay: Double) throws -> Double? {
    let before = ScreenPixels(process.screen)
    let seen = try landing(process, keyDelay, key: "<", within: Self.seeking)
    let times = try seen.numbers.enumerated().map { index, number in
      let place = places[index]
      let frame = try ReferenceFrames(clips[index].path, place.request).frame(number: number, place.request).image
      let old = place.cut(before)
      return seen.screens.first {
        let shown = place.cut($0.pixels)
        return FrameMatch.psnr(shown, frame) > FrameMatch.psnr(shown, old)
      }.map { $0.time - seen.pressed }
    }
    return Self.last(times)
  }

  /// Holds the key that goes one second back: seconds from its last repeat until every pane is more like its last frame than
  /// like the one a second later; nil when one never is.
  func scrubBack(_ process: TerminalProcess, _ keyDelay: Double) throws -> Double? {
    for _ in 1..<Self.repeatCount {
      process.send("<")
      process.live(Self.repeatInterval)
    }
    let seen = try landing(process, keyDelay, key: "<", within: Self.seeking)
    let times = try seen.numbers.enumerated().map { index, number in
      let place = places[index]
      let reference = ReferenceFrames(clips[index].path, place.request)
      let last = try reference.frame(number: number, place.request)
      let later = number + Int((1 / max(last.timing.duration.seconds, 0.01)).rounded())
      let former = try reference.frame(number: later, place.request).image
      return seen.screens.first {
        let shown = place.cut($0.pixels)
        return FrameMatch.psnr(shown, last.image) > FrameMatch.psnr(shown, former)
      }.map { $0.time - seen.pressed }
    }
    return Self.last(times)
  }

  /// Presses a key after which the frames stand still, and watches until nothing comes for a second, at most `time`
  /// seconds, but until the bars of all panes tell their frames' numbers.
  private func landing(
    _ process: TerminalProcess, _ keyDelay: Double, key: String, within time: Double
  ) throws -> (pressed: Double, screens: [Snapshot], numbers: [Int]) {
    let pressed = now()
    process.send(key)
    var seen: [Snapshot] = []
    let end = pressed + time
    var bytes = -1
    // Not before the key's effect can be here.
    var quietSince = pressed + 2 * keyDelay + 0.5
    func areStill() -> Bool { process.screen.frameNumbers(exactOnly: false).count == clips.count }
    func isOver() -> Bool { areStill() && (now() - quietSince >= 1 || now() >= end) }
    while !isOver(), now() < pressed + Self.landing, process.exitStatus == nil {
      process.live(Self.interval)
      guard process.bytesReceived != bytes else { continue }
      bytes = process.bytesReceived
      quietSince = max(quietSince, now())
      seen.append(Snapshot(time: now(), pixels: ScreenPixels(process.visibleScreen)))
    }
    let numbers = process.screen.frameNumbers(exactOnly: false)
    guard numbers.count == clips.count else {
      throw BenchError("no frame stands after \(text(now() - pressed, 1)) s:\n\(process.screen)")
    }
    return (pressed, seen, numbers)
  }

  /// The last of times, of which none may be missing.
  private static func last(_ times: [Double?]) -> Double? {
    times.contains { $0 == nil } ? nil : times.compactMap(\.self).max()
  }
}
