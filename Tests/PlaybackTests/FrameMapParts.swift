import Libav
import TestSupport
import Testing

@testable import Playback

/// The packets of a clip's first video track, from which maps of its beginning can be made.
struct FrameMapParts {
  private let packets: PacketIndex
  private let timeBase: Ratio

  init(path: String) throws {
    let demuxer = try Demuxer(path: path, interrupter: Interrupter())
    guard let stream = demuxer.streams.first(where: { $0.kind == .video }) else { throw PlaybackError(.noVideo, "") }
    timeBase = stream.timeBase
    let scan = try PacketScan(demuxer: demuxer, stream: stream.index)
    _ = try scan.read()
    packets = scan.index
  }

  /// What is known when so many packets have been read; all with `.max`.
  func map(ofFirst count: Int) -> FrameMap {
    var part = packets
    if count < packets.count {
      part = PacketIndex()
      for entry in packets.entries.prefix(count) { part.append(entry) }
      part.seal()
    }
    guard let timeline = DisplayTimeline(part, tick: timeBase.value, mayJump: false) else {
      preconditionFailure("the clip's time stamps are not in order")
    }
    return FrameMap(part, timeline, timeBase: timeBase, startTime: .zero)
  }
}

extension FrameScript {
  /// What an index would know of a script at 25 pictures a second.
  func map() throws -> FrameMap {
    var packets = PacketIndex()
    for frame in frames {
      packets.append(
        PacketIndex.Entry(
          pts: frame.pts.value, dts: frame.pts.value, position: -1, byteCount: 1,
          start: frame.isKey ? .trusted : .none, isDiscarded: false))
    }
    packets.complete()
    let timeline = try #require(DisplayTimeline(packets, tick: 0.04, mayJump: false))
    return FrameMap(packets, timeline, timeBase: .init(1, 25), startTime: .zero)
  }
}
