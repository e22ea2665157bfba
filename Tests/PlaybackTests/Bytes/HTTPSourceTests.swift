import Foundation
import TestSupport
import Testing

@testable import Playback

/// Clips on servers.
@Suite(.timeLimit(.minutes(20))) struct HTTPSourceTests {
  private static func file(_ name: String, _ more: [String] = []) throws -> [UInt8] {
    let path = try SampleMedia.clip(
      name: name,
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=8", "-c:v", "libx264", "-b:v", "4M", "-g", "25", "-pix_fmt", "yuv420p",
      ] + more)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func exact(_ url: String) -> ImageGenerator {
    let generator = ImageGenerator(asset: Asset(path: url))
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    return generator
  }

  private func number(_ url: String, at seconds: Double) async throws -> Int {
    try await exact(url).image(at: MediaTime(seconds: seconds, preferredTimescale: 1000)).timing.number
  }

  private func failure(_ url: String) async -> String? {
    do {
      _ = try await Asset(path: url).load(.tracks)
      return nil
    } catch {
      return (error as? PlaybackError)?.message
    }
  }

  /// The first byte that a request asks for.
  private static func start(_ request: TestRequest) -> Int {
    request["Range"].flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) } ?? 0
  }

  @Test(arguments: ["front.mp4", "behind.mp4", "web.mkv", "web.ts"]) func framesAreThoseOfTheFile(name: String) async throws {
    let file = try Self.file(name, name == "front.mp4" ? ["-movflags", "+faststart"] : [])
    let server = try TestServer()
    server.on("/" + name) { $1.respond(to: $0, file: file, tag: "1") }
    #expect(try await number(server.url("/" + name), at: 6.1) == 152)
    #expect(try await number(server.url("/" + name), at: 0) == 0)
  }

  /// A server without ranges sends the whole file once, of which any frame can be shown.
  @Test func withoutRanges() async throws {
    let file = try Self.file("front.mp4", ["-movflags", "+faststart"])
    let server = try TestServer()
    server.on("/clip.mp4") { $1.respond(200, ["Content-Type: video/mp4"], body: file) }
    let generator = exact(server.url("/clip.mp4"))
    for (seconds, number) in [(6.1, 152), (1.0, 25)] {
      #expect(try await generator.image(at: MediaTime(seconds: seconds, preferredTimescale: 1000)).timing.number == number)
    }
    #expect(server.requests.count == 1)
  }

  /// Without ranges, a connection that breaks begins at the start again, if the file is still the same.
  @Test(arguments: [true, false]) func cutsWithoutRanges(isSame: Bool) async throws {
    let file = try Self.file("front.mp4", ["-movflags", "+faststart"])
    let server = try TestServer()
    server.on("/clip.mp4") { _, connection in
      let count = server.requests.count
      let head = "HTTP/1.1 200 OK\nETag: \"\(isSame ? 1 : count)\"\nContent-Length: \(file.count)\n\n"
      connection.send(head)
      // The second one comes less far than the first.
      connection.send(file[..<(count == 1 ? file.count / 2 : count == 2 ? file.count / 4 : file.count)])
      if count < 3 { connection.close() }
    }
    guard isSame else {
      let error = await #expect(throws: (any Error).self) { try await number(server.url("/clip.mp4"), at: 7.9) }
      #expect((error as? PlaybackError)?.message == "the file has changed on the server")
      return
    }
    #expect(try await number(server.url("/clip.mp4"), at: 7.9) == 197)
    #expect(server.requests.count == 3)
  }

  /// A connection that breaks goes on at the exact byte, and nothing comes twice.
  @Test func cutsAreMended() async throws {
    let file = try Self.file("web.ts")
    let server = try TestServer()
    server.on("/clip.ts") { request, connection in
      let start = Self.start(request), end = min(start + 700_000, file.count)
      connection.send(
        "HTTP/1.1 206 Partial Content\nETag: \"1\"\nContent-Range: bytes \(start)-\(file.count - 1)/\(file.count)\n"
          + "Content-Length: \(file.count - start)\n\n")
      connection.send(file[start..<end])
      if end < file.count { connection.close() }
    }
    #expect(try await number(server.url("/clip.ts"), at: 7.9) == 197)
    let starts = server.requests.map(Self.start)
    #expect(starts.count > 3 && Set(starts).count == starts.count, "\(starts)")
  }

  /// A file that changes is reported, never mixed.
  @Test func aChangeIsReported() async throws {
    let file = try Self.file("web.ts")
    let server = try TestServer()
    server.on("/clip.ts") { request, connection in
      let start = Self.start(request)
      connection.send(
        "HTTP/1.1 206 Partial Content\nETag: \"\(start)\"\nContent-Range: bytes \(start)-\(file.count - 1)/\(file.count)\n"
          + "Content-Length: \(file.count - start)\n\n")
      connection.send(file[start..<min(start + 500_000, file.count)])
      connection.close()
    }
    let error = await #expect(throws: (any Error).self) { try await number(server.url("/clip.ts"), at: 7.9) }
    #expect((error as? PlaybackError)?.message == "the file has changed on the server")
  }

  @Test func refusalsInWords() async throws {
    let server = try TestServer()
    server.on("/404") { $1.respond(404, body: []) }
    server.on("/text") { $1.respond(200, body: Array("not a clip".utf8)) }
    server.on("/secret") { request, connection in
      connection.respond(request["Authorization"] == "Basic dTpwdw==" ? 404 : 401, body: [])
    }
    #expect(await failure(server.url("/404")) == "404 Not Found")
    #expect(await failure(server.url("/text"))?.contains("not a clip") == true)
    #expect(await failure(server.url("/secret")) == "401 Unauthorized")
    let named = server.url("/secret").replacing("http://", with: "http://u:pw@")
    #expect(await failure(named) == "404 Not Found")
    #expect(Asset(path: named).path == server.url("/secret"))
    #expect(await failure("http://") != nil)
    #expect(PlaybackError(.network, "x").message(naming: "https://u:pw@h/a") == "https://h/a: x")
    #expect(WebAddress.withoutCredentials("https://u:pw@h:x/a") == "https://h:x/a")
    #expect(WebAddress.withoutCredentials("clip@home.mp4") == "clip@home.mp4")
  }
}
