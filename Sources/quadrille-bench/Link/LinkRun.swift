import Foundation
import Pixels
import TerminalHarness

/// One run of the program over a link, and what is seen of it.
struct LinkRun {
  static let snapshotCount = 20
  static let seekCount = 4
  /// Repeats of a key that is held, and seconds between them.
  static let repeatCount = 5
  static let repeatInterval = 0.05
  /// Seconds from when the bars tell that the clips play until the first snapshot.
  static let comingUp = 3.0
  /// Seconds in which a paused frame should have become exact.
  static let refining = 12.0
  /// Seconds that a seek is watched.
  static let seeking = 2.5
  /// Seconds in which a key that pauses or seeks should be seen to have done so.
  static let landing = 60.0
  /// Seconds that a key's effect is waited for; one that takes longer counts as this.
  static let keyPatience = 15.0

  let clips: [LinkClip]
  let places: [FramePlace]
  /// Seconds that a frame may be late to be compared with.
  let limit: Double
  /// Seconds into the clips at which they are begun.
  var begin = 0
  var keyCount = 24

  /// Where the program draws each of these clips, seen on a screen without a link.
  static func places(of clips: [LinkClip], _ bench: Workbench) throws -> [FramePlace] {
    let number = 60
    let process = try bench.start(["--colors", "24bit", "--paused", "--start", "#\(number)"] + clips.map(\.path))
    try process.stand(at: number, panes: clips.count)
    let screen = ScreenPixels(process.screen)
    try process.quit()
    let areas = clips.count == 1 ? [FrameArea.screen] : FrameArea.panes
    return try zip(clips, areas).map { try FramePlace.find(screen, in: $1, clip: $0.path, number: number) }
  }

  private var areas: [FrameArea] { clips.count == 1 ? [.middle] : FrameArea.quarters }

  func measure(_ link: some LinkedStart, arguments: [String]) throws -> LinkResult {
    let process = try link.start(
      ["--colors", "24bit", "--loop", "--start", "\(begin)"] + arguments + clips.map(\.path))
    try awaitFrames(process)
    process.live(Self.comingUp)
    var figures = LinkResult()
    let before = (time: now(), bytes: process.bytesReceived, link: link.linkBytes)
    var watch = PaneWatch(process, areas)
    var counts = [Int](repeating: 0, count: areas.count)
    let snapshots = try Self.snapshots(of: process) { for index in watch.changes() ?? [] { counts[index] += 1 } }
    let end = now()
    let seconds = end - before.time
    figures.rate = Double(process.bytesReceived - before.bytes) / seconds
    if let first = before.link, let last = link.linkBytes { figures.linkRate = Double(last - first) / seconds }

    let pause = try land(process, link.keyDelay, key: " ", within: Self.refining)
    let seeks = try (0..<Self.seekCount).map { _ in try seekBack(process, link.keyDelay) }
    let scrub = try scrubBack(process, link.keyDelay)
    process.send(" ")
    process.live(2)
    figures.key = percentile(try keyTimes(process), 0.95)
    let pressed = now()
    process.send("q")
    guard process.runUntilExit(timeout: Workbench.patience) != nil else { throw BenchError("q does not end it") }
    figures.quit = now() - pressed

    let refinement = try refinement(pause)
    (figures.clear, figures.exact) = (refinement.clear, refinement.exact)
    figures.exactLimit = link.rate.map { Double(refinement.bytes) / (0.9 * $0) + 2 * link.keyDelay + 0.3 }
    figures.seek = try seeks.map(seekTime)
    figures.scrub = try scrubTime(scrub)
    let starts = try starts(pause, link.keyDelay)
    for (index, clip) in clips.enumerated() {
      let place = places[index]
      let cut = snapshots.map { Snapshot(time: $0.time, pixels: place.cut($0.pixels)) }
      let matches = try FrameMatch.matches(
        cut, clip: clip.path, place.request, start: starts[index], limit: limit,
        earliest: Double(begin))
      guard matches.count > Self.snapshotCount / 2 else { throw BenchError("\(clip.name) ends before the measurement") }
      figures.panes.append(
        (matches.map(\.psnr).reduce(0, +) / Double(matches.count), median(matches.map(\.lag))))
    }
    let rates = try counts.indices.map { index in
      let part = PixelRect(
        x: areas[index].columns.lowerBound, y: 2 * areas[index].rows.lowerBound, width: areas[index].columns.count,
        height: 2 * areas[index].rows.count
      ).intersection(places[index].rect)
      let origin = places[index].rect
      let changes = try FrameMatch.changes(
        clip: clips[index].path, places[index].request,
        in: PixelRect(x: part.x - origin.x, y: part.y - origin.y, width: part.width, height: part.height),
        start: starts[index], from: before.time, to: end)
      return (updates: Double(counts[index]) / seconds, changes: Double(changes) / seconds)
    }
    if link.passesQueries, let least = rates.min(by: { $0.updates < $1.updates }) {
      (figures.updates, figures.changes) = least
    }
    return figures
  }

  /// The whole screen at several moments of one run, and when the first clip's first frame was due.
  func screens(_ link: some LinkedStart) throws -> (snapshots: [Snapshot], start: Double) {
    let process = try link.start(["--colors", "24bit"] + clips.map(\.path))
    try awaitFrames(process)
    process.live(Self.comingUp)
    let snapshots = try Self.snapshots(of: process)
    let pause = try land(process, link.keyDelay, key: " ", within: Self.refining)
    return (snapshots, try starts(pause, link.keyDelay)[0])
  }

  /// Lets the program run until the bars of all panes tell that they play.
  private func awaitFrames(_ process: TerminalProcess) throws {
    var bytes = -1
    let isPlaying = process.run(
      timeout: Workbench.patience,
      while: {
        guard process.exitStatus == nil, process.bytesReceived != bytes else { return process.exitStatus == nil }
        bytes = process.bytesReceived
        let signs = (0..<Workbench.rows).reduce(0) { $0 + process.text(row: $1).count { $0 == "►" } }
        return signs < clips.count
      })
    guard isPlaying, process.exitStatus == nil else {
      throw BenchError("nothing plays over the link:\n\(process.screen)")
    }
  }

  /// The screen, again and again: never twice at the same point of the frames' beat.
  ///
  /// - Parameter look: called after everything that happens.
  static func snapshots(
    of process: TerminalProcess, count: Int = snapshotCount, look: () -> Void = {}
  ) throws -> [Snapshot] {
    try (0..<count).map { index in
      let wait = 0.28 + 0.04 * (Double(index) * 0.618).truncatingRemainder(dividingBy: 1)
      _ = process.run(
        timeout: wait,
        while: {
          look()
          return process.exitStatus == nil
        })
      guard process.exitStatus == nil else { throw BenchError("it has ended:\n\(process.screen)") }
      return Snapshot(time: now(), pixels: ScreenPixels(process.visibleScreen))
    }
  }

  /// Seconds from pressing `a` until it is said what keys steer now.
  private func keyTimes(_ process: TerminalProcess) throws -> [Double] {
    try (0..<keyCount).map { key in
      let words = key % 2 == 0 ? "keys control only the focused pane" : "keys control all panes"
      let begin = now()
      process.send("a")
      var bytes = -1
      _ = process.run(
        timeout: Self.keyPatience,
        while: {
          guard process.bytesReceived != bytes else { return true }
          bytes = process.bytesReceived
          return !((Workbench.rows - 3)..<Workbench.rows).contains { process.text(row: $0).contains(words) }
        })
      guard process.exitStatus == nil else { throw BenchError("it has ended:\n\(process.screen)") }
      let time = now() - begin
      // At ever other points of the updates' beat.
      process.live(0.2 + 0.2 * (Double(key) * 0.618).truncatingRemainder(dividingBy: 1))
      return time
    }
  }
}
