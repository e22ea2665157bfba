import Foundation
import Libav
import Pixels
import TestSupport

/// Reads a clip's frames one after another, the plain way.
final class ClipReader {
  let demuxer: Demuxer
  let stream: StreamInfo
  let decoder: Decoder
  let scaler = Scaler()
  let frame: DecodedFrame
  private let packet: Packet
  private var isDraining = false

  struct NoVideo: Error {}

  init(_ path: String, threads: Int = 1) throws {
    demuxer = try Demuxer(path: path, interrupter: Interrupter())
    guard let stream = demuxer.streams.first(where: { $0.kind == .video }) else { throw NoVideo() }
    self.stream = stream
    decoder = try Decoder(demuxer: demuxer, stream: stream.index, threads: threads)
    frame = try DecodedFrame()
    packet = try Packet()
  }

  /// Decodes the next frame into `frame`; false at the end.
  func next() throws -> Bool {
    while true {
      switch try decoder.receive(into: frame) {
      case .frame: return true
      case .endOfStream: return false
      case .needsPacket: break
      }
      guard !isDraining else { continue }
      switch try demuxer.read(into: packet) {
      case .endOfFile:
        isDraining = true
        _ = try decoder.send(nil)
      case .packet:
        if packet.streamIndex == stream.index { _ = try decoder.send(packet) }
      }
    }
  }

  /// The frame of a number, scaled.
  func image(_ number: Int, _ request: ScaleRequest) throws -> PixelImage {
    for _ in 0...number {
      guard try next() else { throw NoVideo() }
    }
    return try scaler.scale(frame, to: request)
  }
}

/// How far two frames are apart.
struct Difference {
  var mean = 0.0
  var most = 0

  init(_ a: PixelImage, _ b: PixelImage) {
    guard a.size == b.size else {
      (mean, most) = (255, 255)
      return
    }
    a.withBytes { x in
      b.withBytes { y in
        var sum = 0
        for i in x.indices {
          let distance = abs(Int(x[i]) - Int(y[i]))
          sum += distance
          most = max(most, distance)
        }
        mean = Double(sum) / Double(max(1, x.count))
      }
    }
  }
}

/// A file of raw frames with a header that says what they are: exact content in any pixel format.
enum RawClip {
  /// One frame of these bytes; libav's name of the format, tight planes in a row.
  static func path(
    _ format: String, width: Int, height: Int, bytes: [UInt8], arguments: [String] = [], container: String = "nut"
  ) throws -> String {
    let raw = try SampleMedia.file(name: "raw.bin", key: [bytes.hashKey]) { path in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    return try SampleMedia.clip(
      name: "raw.\(container)",
      arguments: [
        "-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-i", raw, "-c:v", "rawvideo",
      ]
        + arguments)
  }
}

extension [UInt8] {
  /// FNV-1a of the bytes and their number.
  fileprivate var hashKey: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(count)-\(hash)"
  }
}
