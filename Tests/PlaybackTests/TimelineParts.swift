import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// The packets of a clip's first video track, from which timelines of its beginning can be made.
struct TimelineParts {
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

  /// Returns the timeline known after the first `count` packets; all with `.max`.
  func timeline(ofFirst count: Int) -> PresentationTimeline {
    var part = packets
    if count < packets.count {
      part = PacketIndex()
      for entry in packets.entries.prefix(count) { part.append(entry) }
      part.seal()
    }
    guard let timeline = PacketTimeline(part, tick: timeBase.value, mayJump: false) else {
      preconditionFailure("the clip's time stamps are not in order")
    }
    return PresentationTimeline(timeline, timeBase: timeBase, startTime: .zero)
  }
}
