import Foundation
import TestSupport
import Testing

@testable import Playback

/// Live sources of every kind, each from a sender of its own.
@Suite(.timeLimit(.minutes(20))) struct LiveSourceTests {
  /// Waits until a condition holds.
  private func eventually(_ what: String, _ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(400)
    while !condition() {
      try #require(ContinuousClock.now < end, "never: \(what)")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func exact(_ asset: Asset) -> ImageGenerator {
    let generator = ImageGenerator(asset: asset)
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    return generator
  }

  private func number(_ asset: Asset, at seconds: Double) async throws -> Int {
    let image = try await exact(asset).image(at: MediaTime(seconds: seconds, preferredTimescale: 1000)).image
    return try #require(FrameNumber.read(image))
  }

  /// The frames of the first second and a half are in order, also when it has passed.
  private func checkFrames(_ asset: Asset) async throws {
    let first = try await number(asset, at: 0.001)
    #expect(try await number(asset, at: 1.401) == first + 35)
    #expect(try await number(asset, at: 0.601) == first + 15)
    #expect(try await number(asset, at: 0.001) == first)
  }

  private func failure(_ address: String) async -> String? {
    do {
      _ = try await Asset(path: address).load(.tracks)
      return nil
    } catch {
      return (error as? PlaybackError)?.message
    }
  }

  @Test func udp() async throws {
    let port = try UnusedPort().number
    let sender = LiveSender.ffmpeg("mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316")
    try sender.start()
    try await checkFrames(Asset(path: "udp://127.0.0.1:\(port)"))
  }

  @Test func rtpOfATransportStream() async throws {
    let port = try UnusedPort().number & ~1
    let sender = LiveSender.ffmpeg("rtp_mpegts", "rtp://127.0.0.1:\(port)")
    try sender.start()
    try await checkFrames(Asset(path: "rtp://127.0.0.1:\(port)"))
  }

  @Test func srt() async throws {
    let port = try UnusedPort().number
    let sender = LiveSender.ffmpeg("mpegts", "srt://127.0.0.1:\(port)?mode=listener&pkt_size=1316")
    try sender.start()
    try await checkFrames(whenOpen("srt://127.0.0.1:\(port)"))
  }

  @Test func rtmp() async throws {
    let port = try UnusedPort().number
    let sender = LiveSender.ffmpeg("flv", "rtmp://127.0.0.1:\(port)/live/key", ["-listen", "1"])
    try sender.start()
    try await checkFrames(whenOpen("rtmp://127.0.0.1:\(port)/live/key"))
  }

  /// Returns an asset once its server, which takes a moment to start, answers.
  private func whenOpen(_ address: String, recording: String? = nil) async throws -> Asset {
    let end = ContinuousClock.now + .seconds(400)
    while true {
      var options = Asset.Options()
      options.recording = recording
      let asset = Asset(path: address, options: options)
      do {
        _ = try await asset.load(.tracks)
        return asset
      } catch {
        guard ContinuousClock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  @Test(.enabled(if: LiveSender.hasRTSPServer, "GStreamer's RTSP server is not installed")) func rtsp() async throws {
    let port = try UnusedPort().number
    let sender = try LiveSender.rtsp(port: port, credentials: ("user", "secret"))
    try sender.start()
    let asset = try await whenOpen("rtsp://user:secret@127.0.0.1:\(port)/camera")
    #expect(try await asset.load(.facts).format == "rtsp" && !asset.path.contains("secret"))
    try await checkFrames(asset)
    #expect(await failure("rtsp://user:wrong@127.0.0.1:\(port)/camera") == "401 Unauthorized")
    #expect(await failure("rtsp://user:secret@127.0.0.1:\(port)/nothing") == "404 Not Found")
  }

  @Test func serversThatAreNotThere() async throws {
    let port = try UnusedPort().number
    #expect(await failure("rtsp://127.0.0.1:\(port)/camera") == "connection refused")
    #expect(await failure("rtmp://127.0.0.1:\(port)/a/b") == "connection refused")
    #expect(await failure("rtsps://127.0.0.1:\(port)/a")?.contains("not supported") == true)
  }

  /// A server that leads elsewhere is not followed, not even to itself.
  @Test func redirectsAreNotFollowed() async throws {
    let other = try TestServer()
    let server = try TestServer()
    let address = "rtsp://127.0.0.1:\(server.port)/camera", target = "rtsp://127.0.0.1:\(other.port)/camera"
    server.on(address) { request, connection in
      let answer = request.method == "OPTIONS" ? "200 OK\nPublic: DESCRIBE" : "302 Found\nLocation: \(target)"
      connection.send("RTSP/1.0 \(answer)\nCSeq: \(request["CSeq"] ?? "")\n\n")
    }
    #expect(await failure(address) == "leads to another address, which is not followed")
    #expect(other.requests.isEmpty)
  }

  /// A sender that dies and returns: the time goes on, and what was before can still be seen.
  @Test func anInterruptionIsSurvived() async throws {
    let port = try UnusedPort().number
    let sender = LiveSender.ffmpeg("mpegts", "srt://127.0.0.1:\(port)?mode=listener&pkt_size=1316")
    try sender.start()
    let asset = try await whenOpen("srt://127.0.0.1:\(port)")
    let packets = try #require(asset.input.live).packets
    let first = try await number(asset, at: 0.001)
    sender.stop()
    try await eventually("the loss is noticed") { if case .retrying = packets.status.trouble { true } else { false } }
    let edge = packets.keptRange.end
    try sender.start()
    try await eventually("it goes on") { packets.keptRange.end > edge + MediaTime(value: 1, timescale: 1) }
    #expect(packets.status.requests > 1 && packets.failure == nil)
    #expect(try await number(asset, at: 0.001) == first)
    let later = try await number(asset, at: packets.keptRange.end.seconds - 0.3)
    #expect(later < first + 3000)
  }

  /// What is recorded has the frames that arrived, unchanged.
  @Test(arguments: ["mkv", "mp4", "ts"]) func recording(ending: String) async throws {
    let folder = try TemporaryFolder()
    let port = try UnusedPort().number
    let sender = LiveSender.ffmpeg("mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316")
    try sender.start()
    for name in ["camera.\(ending)", "camera-2.\(ending)"] {
      var options = Asset.Options()
      options.recording = folder.path("camera.\(ending)")
      let asset = Asset(path: "udp://127.0.0.1:\(port)", options: options)
      let first = try await number(asset, at: 0.001)
      _ = try await number(asset, at: 1.001)
      #expect(asset.input.live?.packets.status.recording == .running(file: folder.path(name)))
      asset.finishRecording(until: .max)
      let recorded = Asset(path: folder.path(name))
      #expect(try await number(recorded, at: 0.001) == first)
      #expect(try await number(recorded, at: 0.961) == first + 24)
    }
  }
}
