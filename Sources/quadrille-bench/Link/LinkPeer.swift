import Pixels
import Playback
import TerminalHarness

/// Another program over the same link.
struct LinkPeer: Sendable {
  var name: String
  var command: String
  var arguments: [String]
  /// The arguments that make it begin at a second of a clip, or at the frame that is due then.
  var beginning: @Sendable (_ seconds: Int, _ frame: Int) -> [String]
  /// The key that ends it.
  var quitKey: String

  /// Maximum number of seconds to wait for its end.
  static let patience = 30.0

  static let all = [
    LinkPeer(
      name: "mpv --vo=tct", command: "mpv", arguments: ["--no-config", "--vo=tct", "--really-quiet", "--no-audio"],
      beginning: { seconds, _ in ["--start=\(seconds)"] }, quitKey: "q"),
    LinkPeer(
      name: "timg -ph", command: "timg",
      arguments: ["-ph", "-V", "-g\(Workbench.columns)x\(Workbench.rows)"],
      beginning: { _, frame in ["--frame-offset=\(frame)"] }, quitKey: "\u{3}"),
  ]

  /// The figures of one run.
  struct Figures {
    var psnr: Double
    var lag: Double
    /// Frames per second that the snapshots can tell apart.
    var frames: Double
    var rate: Double
    /// Seconds from the key until it has ended and the screen is as it leaves it; nil if that took longer than `patience`.
    var quit: Double?
  }

  func measure(_ bench: Workbench, _ speed: LinkSpeed, _ clip: LinkClip, from begin: Int) throws -> Figures {
    let seen = try screens(bench, speed, clip, from: begin)
    // Whichever frame it is, however late.
    let cut = seen.snapshots.map { Snapshot(time: $0.time, pixels: seen.place.cut($0.pixels)) }
    let matches = try FrameMatch.matches(
      cut, clip: clip.path, seen.place.request, start: seen.start, limit: .infinity, earliest: Double(begin))
    guard !matches.isEmpty else { throw BenchError("\(name) shows nothing") }
    return Figures(
      psnr: matches.map(\.psnr).reduce(0, +) / Double(matches.count), lag: median(matches.map(\.lag)),
      frames: Double(Set(matches.map(\.pts)).count - 1) / ((cut.last?.time ?? 0) - cut[0].time), rate: seen.rate,
      quit: seen.quit)
  }

  /// The screens of one run, and the time when the clip's first frame was due or would have been.
  struct Screens {
    var snapshots: [Snapshot]
    var place: FramePlace
    var start: Double
    var rate: Double
    var quit: Double?
  }

  func screens(_ bench: Workbench, _ speed: LinkSpeed, _ clip: LinkClip, from begin: Int) throws -> Screens {
    let request = RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * Workbench.rows))
    let frame = try ReferenceFrames(clip.path, request).frame(at: Double(begin), request).timing.number
    let arguments = arguments + beginning(begin, frame) + [clip.path]
    let (place, delay) = try standingAlone(bench, clip, arguments, from: begin)
    var options = bench.options
    options.setLink(bytesPerSecond: speed.rate ?? 1e12, roundTrip: speed.roundTrip, buffer: LinkSpeed.buffer)
    let process = try TerminalProcess(command, arguments, options: options)
    let launched = now()
    process.live(LinkRun.comingUp)
    let before = (time: now(), bytes: process.bytesReceived)
    let snapshots = try LinkRun.snapshots(of: process)
    let rate = Double(process.bytesReceived - before.bytes) / (now() - before.time)
    let pressed = now()
    process.send(quitKey)
    let status = process.runUntilExit(timeout: Self.patience)
    let quit = status == nil || now() - pressed > Self.patience ? nil : now() - pressed
    return Screens(
      snapshots: snapshots, place: place, start: launched + delay - Double(begin), rate: rate, quit: quit)
  }

  /// Returns where it draws, and the seconds from its start until the first frame is due, measured in a run without a link.
  ///
  /// A frame that it shows is due when it is first seen, so the least time at which any was seen is when the clip began.
  private func standingAlone(
    _ bench: Workbench, _ clip: LinkClip, _ arguments: [String], from begin: Int
  ) throws -> (place: FramePlace, delay: Double) {
    let process = try TerminalProcess(command, arguments, options: bench.options)
    let launched = now()
    // What begins late in a clip may decode all before it.
    _ = process.run(timeout: Self.patience) { FramePlace.find(drawnOn: $0) != nil }
    process.live(1)
    guard let place = FramePlace.find(drawnOn: process.screen) else { throw BenchError("\(name) draws nothing") }
    let snapshots = try LinkRun.snapshots(of: process, count: 8).map {
      Snapshot(time: $0.time, pixels: place.cut($0.pixels))
    }
    let matches = try FrameMatch.matches(
      snapshots, clip: clip.path, place.request, start: launched - Double(begin), limit: .infinity,
      earliest: Double(begin))
    guard let least = matches.map(\.lag).min() else { throw BenchError("\(name) shows nothing") }
    return (place, least)
  }
}
