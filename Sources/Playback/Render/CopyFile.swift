import Libav

/// An open file whose packets are copied. Use from one thread.
final class CopyFile {
  let demuxer: Demuxer
  fileprivate let session: InputSession
  private let asset: Asset
  private let track: AssetTrack
  private let locator: PacketLocator
  private let inspector: BitstreamInspector

  fileprivate init(_ asset: Asset, _ track: AssetTrack, _ session: InputSession) throws {
    (self.asset, self.track, self.session) = (asset, track, session)
    let opened = try asset.openInput(session)
    demuxer = opened.demuxer
    guard let stream = demuxer.streams.first(where: { $0.index == track.index }) else {
      throw PacketCopy.refusal("\(asset.path) has changed")
    }
    inspector = BitstreamInspector(demuxer, stream: stream)
    locator = try PacketLocator(PacketRouter(opened, session: session), stream: track.index)
  }

  /// The codec headers passed to a decoder before the first packet.
  var headers: [UInt8] { demuxer.codecHeaders(ofStream: track.index) }

  /// Reads a random access point to find out whether it resets the decoder completely.
  func findInstant(_ ordinal: Int, in index: PacketIndex) throws -> Bool {
    guard ["h264", "hevc"].contains(track.codec) else { return true }
    guard try locator.locate(ordinal, in: index) else { return false }
    return locator.packet.withBytes { inspector.isInstant($0) }
  }

  /// Reads the packets of a segment, in order.
  func read(_ segment: CopySegment, _ body: (Packet) throws -> Void) throws {
    let index = segment.source.index
    var left = segment.packets[...]
    guard let last = left.last, try locator.locate(segment.start, in: index) else { throw unreadable }
    try index.parameterSets.prepare(locator.packet, at: segment.start)
    var ordinal = segment.start
    while true {
      if left.first == ordinal {
        left.removeFirst()
        try body(locator.packet)
      }
      guard ordinal < last else { return }
      var result = PacketRouter.ReadResult.other
      while result == .other { result = try locator.router.read(track.index, into: locator.packet) }
      guard result == .packet, index.ordinal(of: locator.packet, expected: ordinal + 1) == ordinal + 1 else { throw unreadable }
      ordinal += 1
    }
  }

  private var unreadable: PlaybackError {
    PlaybackError(.damaged, "cannot copy: packets of \(asset.path) not found on second read")
  }
}

/// The files whose packets are copied; the most recently used stay open. Use from one thread.
final class CopyFiles {
  /// The most recently used file is last.
  private var open: [CopyFile] = []

  private static let maxOpen = 3

  /// Returns the file that a session reads, opening it if necessary.
  func file(of asset: Asset, _ track: AssetTrack, _ session: InputSession) throws -> CopyFile {
    if let known = open.firstIndex(where: { $0.session === session }) {
      open.append(open.remove(at: known))
    } else {
      if open.count == Self.maxOpen { open.removeFirst() }
      open.append(try CopyFile(asset, track, session))
    }
    return open[open.count - 1]
  }
}
