import CellGraphics
import Pixels
import Playback
import TerminalHarness

/// The screens after a key that makes the frames stand still.
struct Landing {
  /// The screen when the key was pressed.
  var before: ScreenPixels
  /// The time when it was pressed.
  var pressed: Double
  /// The screens since, one for each change.
  var screens: [Snapshot]
  /// The number of each pane's frame at the end, as its bar shows it.
  var numbers: [Int]
}

/// Measurements of frames that stand still.
///
/// They are evaluated when the program has ended: the link does not stand still meanwhile.
extension LinkRun {
  /// Seconds between two looks at the screen.
  private static let interval = 0.01
  /// Decibels of one frame against another from which a coarse image may be of either.
  private static let alike = 30.0

  // MARK: Looking

  /// Presses a key after which the frames stand still, and watches until nothing comes for a second, at most `time` seconds,
  /// but at least until the bars of all panes show the numbers of their frames.
  func land(_ process: TerminalProcess, _ keyDelay: Double, key: String, within time: Double) throws -> Landing {
    let before = ScreenPixels(process.screen)
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
    return Landing(before: before, pressed: pressed, screens: seen, numbers: numbers)
  }

  /// Goes one second back, from rest.
  func seekBack(_ process: TerminalProcess, _ keyDelay: Double) throws -> Landing {
    try land(process, keyDelay, key: "<", within: Self.seeking)
  }

  /// Holds the key that goes one second back, and lands where its last repeat leads.
  func scrubBack(_ process: TerminalProcess, _ keyDelay: Double) throws -> Landing {
    for _ in 1..<Self.repeatCount {
      process.send("<")
      process.live(Self.repeatInterval)
    }
    return try seekBack(process, keyDelay)
  }

  // MARK: Judging

  /// Returns when each clip's first frame was due, judged by the frame on which a pause landed: it shows where the clock was
  /// when the key came.
  func starts(_ pause: Landing, _ keyDelay: Double) throws -> [Double] {
    try lastFrames(pause).map { frame in
      // It stood somewhere within the frame's time.
      pause.pressed + keyDelay - (frame.timing.pts.seconds + frame.timing.duration.seconds / 2)
    }
  }

  /// Seconds from a pause until 40 dB, and the exact frame, stand in every pane; nil when they never do. `bytes` is what the
  /// exact frames take on a screen that shows nothing.
  func refinement(_ pause: Landing) throws -> (clear: Double?, exact: Double?, bytes: Int) {
    let frames = try lastFrames(pause)
    func time(_ least: Double) -> Double? {
      arrival(of: pause) { index, shown in FrameMatch.psnr(shown, frames[index].image) >= least }
    }
    return (time(40), time(FrameMatch.cap), frames.reduce(0) { $0 + Self.exactBytes($1.image) })
  }

  /// Seconds until every pane is more like its last frame than like what it showed before; nil when one never is.
  func seekTime(_ landing: Landing) throws -> Double? {
    try arrival(of: landing, lastFrames(landing), instead: places.map { $0.cut(landing.before) })
  }

  /// Seconds until every pane is more like its last frame than like the one a second later, which a held key passed; nil when
  /// one never is.
  func scrubTime(_ landing: Landing) throws -> Double? {
    let frames = try lastFrames(landing)
    return try arrival(
      of: landing, frames,
      instead: frames.indices.map { index in
        let later = landing.numbers[index] + Int((1 / max(frames[index].timing.duration.seconds, 0.01)).rounded())
        let request = places[index].request
        let image = try ReferenceFrames(clips[index].path, request).frame(number: later, request).image
        return ScreenPixels(width: image.width, height: image.height, bytes: image.withBytes { Array($0) })
      })
  }

  /// Seconds until every pane is more like its last frame than like another; where these are so alike that a coarse image
  /// is one of both, until there is one.
  private func arrival(of landing: Landing, _ frames: [RenderedFrame], instead others: [ScreenPixels]) -> Double? {
    arrival(of: landing) { index, shown in
      let (frame, other) = (frames[index].image, others[index])
      let likeness = FrameMatch.psnr(shown, frame)
      return likeness > FrameMatch.psnr(shown, other)
        || likeness >= Self.alike && FrameMatch.psnr(other, frame) >= Self.alike
    }
  }

  /// Seconds until something holds in every pane; nil when it never does in one.
  private func arrival(of landing: Landing, where isThere: (_ pane: Int, ScreenPixels) -> Bool) -> Double? {
    let times = places.indices.map { index in
      landing.screens.first { isThere(index, places[index].cut($0.pixels)) }.map { $0.time - landing.pressed }
    }
    return times.contains { $0 == nil } ? nil : times.compactMap(\.self).max()
  }

  private func lastFrames(_ landing: Landing) throws -> [RenderedFrame] {
    try zip(clips, zip(places, landing.numbers)).map { clip, seen in
      try ReferenceFrames(clip.path, seen.0.request).frame(number: seen.1, seen.0.request)
    }
  }

  /// Returns the number of bytes of a frame that is sent as it is.
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
}
