import Foundation
import TerminalHarness
import TestSupport

/// One run of a player whose frames are read from the terminal while its sound is recorded.
struct SyncRun {
  /// A frame, by the moment at which it was complete in the terminal.
  struct Frame {
    var number: Int
    var host: Double
  }

  /// Something done meanwhile, at a time after the first frame.
  struct Action {
    var at: Double
    var perform: (TerminalProcess) throws -> Void
  }

  private(set) var frames: [Frame] = []
  /// The times at which actions were performed.
  private(set) var actions: [Double] = []
  let trace: SoundTrace
  let speed: Double
  private(set) var cpuSeconds = 0.0

  /// - Parameters:
  ///   - command: The player and its arguments, in whose output frames fill the box of `image`.
  ///   - image: The size of a frame on the screen, in half cells.
  ///   - noise: The clip's samples.
  ///   - joins: True if numbers begin again with each clip of a list.
  init(
    _ command: [String], columns: Int, rows: Int, image: (width: Int, height: Int), seconds: Double, noise: [Float],
    speed: Double = 1, joins: Bool = false, actions: [Action] = []
  ) throws {
    self.speed = speed
    let sound = try SoundRecording()
    var options = TerminalProcess.Options()
    (options.columns, options.rows, options.cellPixels) = (columns, rows, (8, 16))
    options.environment = [
      "COLORTERM": "truecolor", "PULSE_SERVER": sound.address, "XDG_CONFIG_HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent",
      "MPV_HOME": "/nonexistent",
    ]
    let process = try TerminalProcess(command[0], Array(command.dropFirst()), options: options)
    var seen: [Frame] = [], bytes = 0, base = 0, waiting = actions, times: [Double] = []
    let end = now() + seconds + 20
    _ = process.run(timeout: seconds + 20) {
      guard process.exitStatus == nil, now() < end else { return false }
      if process.bytesReceived != bytes {
        let host = now()
        bytes = process.bytesReceived
        let screen = process.screen
        let number = FrameNumber.read(width: image.width, height: image.height) { x, y in
          let halves = screen.halves(column: x, row: y / 2)
          let color = y % 2 == 0 ? halves?.upper : halves?.lower
          return (color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0)
        }
        if let number {
          if joins, let last = seen.last, base + number < last.number { base = last.number + 1 }
          if base + number != seen.last?.number { seen.append(Frame(number: base + number, host: host)) }
        }
      }
      guard let first = seen.first else { return true }
      if let action = waiting.first, now() - first.host >= action.at {
        times.append(now())
        try? action.perform(process)
        waiting.removeFirst()
      }
      return now() - first.host < seconds
    }
    process.send("q")
    guard process.runUntilExit(timeout: 10) != nil else { throw BenchError("\(command) does not end") }
    cpuSeconds = process.usage?.cpuSeconds ?? 0
    let samples = try sound.finish()
    (frames, self.actions) = (seen, times)
    trace = SoundTrace(samples, of: noise, speed: speed) { host in Self.media(at: host, seen, speed) }
    guard !seen.isEmpty, !trace.matches.isEmpty else {
      throw BenchError("\(seen.count) frames were seen and \(trace.matches.count) pieces of sound heard:\n\(process.screen)")
    }
  }

  /// The place in the clip by the frames around a moment.
  private static func media(at host: Double, _ frames: [Frame], _ speed: Double) -> Double? {
    guard let frame = frames.last(where: { $0.host <= host }) ?? frames.first else { return nil }
    return Double(frame.number) / Double(SoundClips.framesPerSecond) + (host - frame.host) * speed
  }

  // MARK: - Figures

  /// By how much frames come after their sound, in milliseconds, with the moment of each.
  var offsets: [(host: Double, milliseconds: Double)] {
    frames.compactMap { frame in
      let media = Double(frame.number) / Double(SoundClips.framesPerSecond)
      return trace.host(ofMedia: media, near: frame.host, speed: speed).map { (frame.host, 1000 * (frame.host - $0)) }
    }
  }

  /// The offsets while nothing has just begun: a second after the start and after each action.
  var steadyOffsets: [(host: Double, milliseconds: Double)] {
    let disturbances = [frames[0].host] + actions
    return offsets.filter { offset in !disturbances.contains { offset.host >= $0 - 0.05 && offset.host < $0 + 1 } }
  }

  /// The change of the offset in milliseconds per minute: the median slope between the medians of seconds.
  var drift: Double {
    let steady = steadyOffsets
    guard let first = steady.first else { return .nan }
    let seconds = Dictionary(grouping: steady) { Int($0.host - first.host) }.map { (Double($0), median($1.map(\.milliseconds))) }
    let slopes = seconds.flatMap { a in seconds.filter { $0.0 > a.0 }.map { ($0.1 - a.1) / ($0.0 - a.0) } }
    return slopes.isEmpty ? .nan : 60 * median(slopes)
  }

  /// The share of frames that were not shown, of those between the first and the last.
  var dropped: Double {
    guard let first = frames.first, let last = frames.last, last.number > first.number else { return 0 }
    return 1 - Double(frames.count) / Double(last.number - first.number + 1)
  }
}
