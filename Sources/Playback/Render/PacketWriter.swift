import Libav
import Pixels

/// Codes frames, whose time stamps are their numbers meanwhile, and writes the packets with the frames' times.
///
/// Encoders reckon with equal frames and coarse ticks; so no time is lost in them.
final class PacketWriter {
  private let encoder: VideoEncoder
  private let muxer: Muxer
  private let stream: Muxer.Stream
  private let timeBase: Ratio
  private let text: TextTrackWriter?
  private let packet: Packet
  /// When the frames begin, in ticks.
  private var times: [Int64] = []
  /// When the last one ends.
  private var end: Int64 = 0

  /// - Parameters:
  ///   - timeBase: of the muxer's stream.
  ///   - text: what is written along with the frames.
  init(_ encoder: VideoEncoder, _ muxer: Muxer, _ stream: Muxer.Stream, _ timeBase: Ratio, _ text: TextTrackWriter?) throws {
    self.encoder = encoder
    self.muxer = muxer
    self.stream = stream
    self.timeBase = timeBase
    self.text = text
    packet = try Packet()
  }

  /// Frames that were handed over.
  var frameCount: Int { times.count }

  /// Codes the next frame.
  func send(_ frame: DecodedFrame, from start: MediaTime, to end: MediaTime) throws {
    // Rounded ticks of two frames must not coincide.
    times.append(max(start.ticks(of: timeBase), (times.last ?? .min) &+ (times.isEmpty ? 0 : 1)))
    self.end = max(end.ticks(of: timeBase), times[times.count - 1] + 1)
    try text?.write(through: start)
    try encoder.send(frame, number: Int64(times.count - 1))
    try write()
  }

  /// Codes what the encoder holds back, and makes the file whole.
  func finish() throws {
    try text?.write(through: .positiveInfinity)
    try encoder.send(nil)
    try write()
    try muxer.finish()
  }

  private func write() throws {
    while try encoder.receive(into: packet) == .packet {
      let number = packet.pts ?? 0
      try muxer.write(
        packet, to: stream, pts: time(number), dts: time(min(number, packet.dts ?? number)), duration: time(number + 1) - time(number))
    }
  }

  /// The time of a frame; packets that others wait for have decoding times before the first one.
  private func time(_ number: Int64) -> Int64 {
    if number >= Int64(times.count) { return end }
    if number >= 0 { return times[Int(number)] }
    let first = times.count > 1 ? times[1] - times[0] : end - times[0]
    return times[0] + number * max(1, first)
  }
}
