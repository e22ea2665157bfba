import ArgumentParser
import Foundation
import TerminalHarness
import TestSupport

/// Measures files on servers and HTTP Live Streaming over a far link.
struct NetworkSources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources", abstract: "Measure network sources.",
    discussion: """
      Takes a clip with its index in front, the same with its index behind, the same fragmented, a clip of more than 64 MB, and the \
      master playlist of a stream with variants. Rows: start, seek, hls, cut, cpu.
      """)

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 5 else { throw ValidationError("Requires five clips.") }
  }

  func run() throws {
    let bench = options.workbench(rounds: 5)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("start", RemoteFile.start), ("seek", RemoteFile.seek), ("hls", StreamStart.measure), ("cut", RemoteFile.cut), ("cpu", RemoteFile.cost),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }
}

/// A server in this process and a link to it with a round trip of 50 ms. The link delays what is sent, not the opening of
/// connections.
struct FarServer {
  static let roundTrip = 0.05
  let server: TestServer
  private let proxy: SlowProxy

  init() throws {
    server = try TestServer()
    proxy = try SlowProxy(to: UInt16(server.port), LinkSpeed(name: "unlimited, 50 ms", rate: nil, roundTrip: Self.roundTrip))
  }

  /// Serves a file, and returns its address beyond the link.
  func serve(_ path: String, as name: String) throws -> String {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    server.on("/\(name)") { $1.respond(to: $0, file: bytes) }
    return address(of: name)
  }

  func address(of name: String) -> String { "http://127.0.0.1:\(proxy.port)/\(name)" }
}

extension Workbench {
  /// The time from the start of the program to the first frame, in seconds.
  fileprivate func timeToFirstFrame(_ clip: String) throws -> Double {
    let begin = now()
    let process = try start([clip])
    guard process.run(timeout: Self.patience, until: FrameArea.middle.hasFrame) else { throw BenchError("no frame:\n\(process.screen)") }
    let time = now() - begin
    process.send("q")
    _ = process.runUntilExit(timeout: Self.patience)
    return time
  }
}

/// Files on a server, against the same files on disk in the same run.
enum RemoteFile {
  static func start(_ bench: Workbench) throws -> [TableRow] {
    try [("index in front", 0, 3.0), ("index behind", 1, 7), ("fragmented", 2, 4)].map { name, index, limit in
      let clip = bench.clips[index], server = try FarServer()
      let address = try server.serve(clip, as: "clip.mp4")
      var trips: [Double] = [], far: [Double] = [], near: [Double] = []
      for _ in 1...bench.rounds {
        near.append(try bench.timeToFirstFrame(clip))
        far.append(try bench.timeToFirstFrame(address))
        trips.append((far[far.count - 1] - near[near.count - 1]) / FarServer.roundTrip)
      }
      return TableRow(
        "first frame, \(name), beyond a local file's", trips, atMost: limit, unit: " round trips", digits: 1,
        note: "\(text(median(far) * 1000, 0)) ms − \(text(median(near) * 1000, 0)) ms")
    }
  }

  /// Seeks to the middle of a clip, which has not been fetched.
  static func seek(_ bench: Workbench) throws -> [TableRow] {
    func time(_ clip: String) throws -> Double {
      let process = try bench.start(["--paused", clip])
      guard process.run(timeout: Workbench.patience, until: FrameArea.middle.hasFrame) else { throw BenchError("no frame:\n\(process.screen)") }
      process.run(seconds: 1)
      let begin = now()
      process.send("5")
      guard process.run(timeout: Workbench.patience, until: { $0.contains("0:40.000") }) else { throw BenchError("no seek:\n\(process.screen)") }
      let time = now() - begin
      try process.quit()
      return time
    }
    let clip = bench.clips[3], server = try FarServer()
    let address = try server.serve(clip, as: "clip.mp4")
    var trips: [Double] = [], far: [Double] = [], near: [Double] = []
    for _ in 1...bench.rounds {
      near.append(try time(clip))
      far.append(try time(address))
      trips.append((far[far.count - 1] - near[near.count - 1]) / FarServer.roundTrip)
    }
    return [
      TableRow(
        "seek to what has not been fetched, beyond a local file's", trips, atMost: 3, unit: " round trips", digits: 1,
        note: "\(text(median(far) * 1000, 0)) ms − \(text(median(near) * 1000, 0)) ms")
    ]
  }

  /// Lists the frames of a clip whose connection is cut in its middle.
  static func cut(_ bench: Workbench) throws -> [TableRow] {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: bench.clips[0])))
    func list(isCut: Bool) throws -> (text: String, seconds: Double) {
      let server = try FarServer()
      server.server.on("/clip.mp4") { request, connection in
        guard isCut, server.server.requests.count == 1 else { return connection.respond(to: request, file: bytes, tag: "1") }
        connection.send(
          "HTTP/1.1 206 Partial Content\nETag: \"1\"\nContent-Range: bytes 0-\(bytes.count - 1)/\(bytes.count)\nContent-Length: \(bytes.count)\n\n")
        connection.send(bytes[..<(bytes.count / 2)])
        connection.reset()
      }
      let output = NSTemporaryDirectory() + "quadrille-bench-frames-\(getpid())"
      defer { unlink(output) }
      let begin = now()
      let process = try TerminalProcess(
        "/bin/sh", ["-c", "exec \"$0\" frames \"$1\" > \"$2\"", bench.program, server.address(of: "clip.mp4"), output], options: bench.options)
      guard process.runUntilExit(timeout: Workbench.patience) == .exited(0) else { throw BenchError("frames: \(process.screen)") }
      return (try String(contentsOfFile: output, encoding: .utf8), now() - begin)
    }
    var pauses: [Double] = []
    for _ in 1...bench.rounds {
      let whole = try list(isCut: false), resumed = try list(isCut: true)
      guard whole.text == resumed.text else { throw BenchError("frames differ after the cut") }
      pauses.append(max(0, resumed.seconds - whole.seconds) * 1000)
    }
    return [TableRow("time lost by a connection that is cut; no frame lost or repeated", pauses, atMost: 1000, unit: " ms", digits: 0)]
  }

  /// Plays a clip of ten seconds.
  static func cost(_ bench: Workbench) throws -> [TableRow] {
    let clip = bench.clips[0], server = try FarServer()
    let address = try server.serve(clip, as: "clip.mp4")
    var ratios: [Double] = []
    for _ in 1...bench.rounds {
      let near = try bench.run(bench.program, ["--exit-at-end", clip]).cpu
      ratios.append(try bench.run(bench.program, ["--exit-at-end", address]).cpu / near)
    }
    return [TableRow("processor time of playing, against the same clip on disk", ratios, atMost: 1.05)]
  }
}

/// The first frame of HTTP Live Streaming.
enum StreamStart {
  static func measure(_ bench: Workbench) throws -> [TableRow] {
    let master = URL(fileURLWithPath: bench.clips[4])
    let folder = master.deletingLastPathComponent()
    var times: [Double] = [], lists: [Double] = [], segments: [Double] = []
    for _ in 1...bench.rounds {
      let server = try FarServer()
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.contains(".") {
        _ = try server.serve(folder.appendingPathComponent(name).path, as: name)
      }
      times.append(try bench.timeToFirstFrame(server.address(of: master.lastPathComponent)))
      let paths = server.server.requests.map(\.path)
      lists.append(Double(paths.count { $0.hasSuffix(".m3u8") }))
      segments.append(Double(paths.count { $0.hasSuffix(".ts") }))
    }
    return [
      TableRow("HLS, from the start to the first frame", times, atMost: 0.6, unit: " s"),
      TableRow("HLS, playlists fetched until then", lists, atMost: 3, digits: 0),
      TableRow("HLS, segments fetched until the program has ended", segments, atMost: 2, digits: 0),
    ]
  }
}
