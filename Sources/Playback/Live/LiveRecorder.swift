import Glibc
import Libav

/// Writes the packets of a live source to a file as they arrive, without encoding them again. Use from one thread at a time.
struct LiveRecorder {
  private enum State {
    /// Begins with the first packet.
    case waiting
    case writing(Output)
    case ended
  }

  private struct Output {
    let muxer: Muxer
    let streams: [Muxer.Stream]
    let descriptor: Descriptor
    /// The last decoding time of each stream, which must increase.
    var last: [Int64]
  }

  private let path: String
  private var state = State.waiting

  /// - Parameter path: of the file; its ending selects the container. If there is a file already, the name gets a number.
  init(_ path: String) { self.path = path }

  /// Writes a packet, leaving it empty. A failure ends the recording, and is reported.
  mutating func write(_ packet: Packet, _ record: PacketRecord, _ streams: LiveStreams, _ packets: LivePackets) {
    do {
      if case .waiting = state {
        let (output, name) = try open(streams)
        state = .writing(output)
        packets.setRecording(.running(file: name))
      }
      guard case .writing(var output) = state else { return }
      state = .ended
      let dts = max(record.dts ?? record.pts ?? 0, output.last[record.stream] &+ 1)
      output.last[record.stream] = dts
      try output.muxer.write(
        packet, to: output.streams[record.stream], pts: max(dts, record.pts ?? dts), dts: dts, duration: record.duration)
      state = .writing(output)
    } catch {
      state = .ended
      packets.setRecording(.stopped(PlaybackError(error)))
    }
  }

  /// Completes the file.
  mutating func finish() {
    if case .writing(let output) = state { try? output.muxer.finish() }
    state = .ended
  }

  private func open(_ streams: LiveStreams) throws -> (Output, name: String) {
    let (descriptor, name) = try OutputFile.createNew(at: path)
    let muxer = try Muxer(ending: FileName.ending(of: path), descriptor: descriptor.number, isSeekable: true, isLive: true)
    let made = try streams.parameters.map { try muxer.addStream($0) }
    try muxer.writeHeader()
    return (Output(muxer: muxer, streams: made, descriptor: descriptor, last: made.map { _ in .min }), name)
  }
}
