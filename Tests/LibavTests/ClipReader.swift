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

  init(_ path: String, threads: Int = 1, features: Decoder.Features = []) throws {
    demuxer = try Demuxer(path: path, interrupter: Interrupter())
    guard let stream = demuxer.streams.first(where: { $0.kind == .video }) else { throw NoVideo() }
    self.stream = stream
    decoder = try Decoder(demuxer: demuxer, stream: stream.index, threads: threads, features: features)
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

/// The difference between two frames.
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
