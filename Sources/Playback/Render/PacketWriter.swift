import Libav
import Pixels

/// Encodes frames, with their numbers as temporary timestamps, and writes the packets with the frames' times.
///
/// Encoders assume frames of equal duration and coarse ticks; this way, no precision is lost.
final class PacketWriter {
  private let encoder: VideoEncoder
  private let muxer: Muxer
  private let stream: Muxer.Stream
  private let timeBase: Ratio
  private let text: TextTrackWriter?
  private let sound: SoundTrackWriter?
  private let packet: Packet
  /// The starts of the frames, in ticks.
  private var times: [Int64] = []
  /// The end of the last frame.
  private var end: Int64 = 0

  /// - Parameters:
  ///   - timeBase: the time base of the muxer's stream.
  ///   - text, sound: written along with the frames.
  init(
    _ encoder: VideoEncoder, _ muxer: Muxer, _ stream: Muxer.Stream, _ timeBase: Ratio, _ text: TextTrackWriter?,
    _ sound: SoundTrackWriter?
  ) throws {
    self.encoder = encoder
    self.muxer = muxer
    self.stream = stream
    self.timeBase = timeBase
    self.text = text
    self.sound = sound
    packet = try Packet()
  }

  /// The number of frames sent.
  var frameCount: Int { times.count }

  /// Encodes the next frame.
  func send(_ frame: DecodedFrame, from start: MediaTime, to end: MediaTime) throws {
    // Rounded ticks of two frames must not coincide.
    times.append(max(start.ticks(of: timeBase), (times.last ?? .min) &+ (times.isEmpty ? 0 : 1)))
    self.end = max(end.ticks(of: timeBase), times[times.count - 1] + 1)
    try text?.write(through: start)
    try encoder.send(frame, number: Int64(times.count - 1))
    try write()
  }

  /// Encodes the frames that the encoder holds back, and completes the file.
  func finish() throws {
    try text?.write(through: .positiveInfinity)
    try encoder.send(nil)
    try write()
    try sound?.finish()
    try muxer.finish()
  }

  private func write() throws {
    while try encoder.receive(into: packet) == .packet {
      let number = packet.pts ?? 0
      let decoding = time(min(number, packet.dts ?? number))
      // In the order of decoding, however many frames the encoder holds back.
      try sound?.write(through: MediaTime(ticks: decoding, in: timeBase))
      try muxer.write(packet, to: stream, pts: time(number), dts: decoding, duration: time(number + 1) - time(number))
    }
  }

  /// Returns the time of a frame; packets that others depend on have decoding times before the first.
  private func time(_ number: Int64) -> Int64 {
    if number >= Int64(times.count) { return end }
    if number >= 0 { return times[Int(number)] }
    let first = times.count > 1 ? times[1] - times[0] : end - times[0]
    return times[0] + number * max(1, first)
  }
}
