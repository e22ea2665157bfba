import Foundation
import TestSupport

/// A clip of eight seconds in several variants on a server, each in segments of two seconds.
struct VariantClip {
  /// An encoding of the clip.
  struct Variant {
    let name: String
    let size: String
    let bandwidth: Int
    var codec = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]
    var segments = ["-hls_segment_type", "mpegts"]
    var ending = "ts"
  }

  static let small = Variant(name: "small", size: "96x54", bandwidth: 100_000)
  static let large = Variant(name: "large", size: "192x108", bandwidth: 400_000)
  /// In another container and another codec, with timestamps that count from another moment.
  static let other = Variant(
    name: "other", size: "192x108", bandwidth: 400_000,
    codec: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:bframes=2:open-gop=0", "-tag:v", "hvc1"],
    segments: ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "other.mp4"], ending: "m4s")

  let server: TestServer
  let variants: [Variant]
  private let folder: TemporaryFolder
  static let frameRate = 25
  static let frameCount = 200

  /// - Parameters:
  ///   - head: lines to put in front of those of the variants.
  ///   - attributes: further attributes of all variants.
  init(_ variants: [Variant], head: String = "", attributes: String = "") throws {
    self.variants = variants
    folder = try TemporaryFolder()
    server = try TestServer()
    var master = "#EXTM3U\n\(head)"
    for variant in variants {
      try MediaTool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=\(variant.size):r=\(Self.frameRate):d=8", "-pix_fmt",
          "yuv420p",
        ]
          + variant.codec + ["-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-f", "hls", "-hls_time", "2"]
          + ["-hls_playlist_type", "vod", "-hls_segment_filename", folder.path("\(variant.name)%d.\(variant.ending)")]
          + variant.segments
          + [folder.path("\(variant.name).m3u8")])
      master += "#EXT-X-STREAM-INF:BANDWIDTH=\(variant.bandwidth),RESOLUTION=\(variant.size)\(attributes)\n\(variant.name).m3u8\n"
    }
    try serveFolder()
    server.on("/master.m3u8") { [master] in $1.respond(200, body: Array(master.utf8)) }
  }

  /// The address of the playlist of all variants.
  var address: String { server.url("/master.m3u8") }

  private func serveFolder() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
      server.on("/" + name) { $1.respond(to: $0, file: bytes) }
    }
  }

  /// Adds sound, as a rendition of its own, at sound.m3u8.
  func addSound() throws {
    try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=r=48000:d=8", "-c:a", "aac", "-f", "hls", "-hls_time", "2"]
        + ["-hls_playlist_type", "vod", "-hls_segment_filename", folder.path("sound%d.ts"), folder.path("sound.m3u8")])
    try serveFolder()
  }

  /// Serves text.
  func serve(_ text: String, at path: String) { server.on(path) { $1.respond(200, body: Array(text.utf8)) } }

  /// The hashes of a variant's frames as ffmpeg decodes them.
  func hashes(_ index: Int) throws -> [String] { try MediaTool.frameHashes(["-i", folder.path("\(variants[index].name).m3u8")]) }

  /// The numbers of the segments of a variant that have been requested.
  func requested(_ index: Int) -> [Int] {
    let variant = variants[index]
    return server.requests.compactMap { request in
      guard request.path.hasPrefix("/\(variant.name)"), request.path.hasSuffix(".\(variant.ending)") else { return nil }
      return Int(request.path.dropFirst(variant.name.count + 1).dropLast(variant.ending.count + 1))
    }
  }
}
