import Libav

/// Copies the packets of the pieces' sound tracks into a file, without decoding them.
///
/// Sound is cut between packets, which last some 20 ms: at each joint it may begin or end by half a packet early or late. What
/// follows is as much in sync as at the joint. Use from one thread.
final class SoundCopy {
  /// A range of a clip's sound.
  struct Piece {
    let asset: Asset
    let track: AssetTrack
    let startTime: MediaTime
    /// On the clip's timeline.
    let range: TimeRange
    /// The start in the output.
    let place: MediaTime
  }

  private let pieces: [Piece]
  /// The name of the codec.
  var codec: String { pieces[0].track.codec }
  private let muxer: Muxer
  private let stream: Muxer.Stream
  private let cancellation: RenderCancellation
  private let packet: Packet
  private let form: SoundForm
  /// The piece being read, and its reader.
  private var current = 0
  private var reading: Reading?
  /// The end of the last packet written, in samples; nil before the first.
  private var end: Int64?

  private struct Reading {
    let asset: Asset
    let session: InputSession
    let demuxer: Demuxer
    /// True if the piece's first packet is still to be found.
    var isPlaced: Bool
    /// A packet that is not to be written yet.
    var waiting: (start: Int64, duration: Int64)?
  }

  /// The time before a piece at which reading begins.
  private static let preroll = MediaTime(value: 1, timescale: 2)

  /// Adds the track; nil if no piece has sound.
  ///
  /// - Throws: `PlaybackError` if the tracks differ, `MuxerError` or `AVError`.
  init?(_ pieces: [Piece], _ muxer: Muxer, _ cancellation: RenderCancellation) throws {
    guard let first = pieces.first else { return nil }
    self.pieces = pieces
    self.muxer = muxer
    self.cancellation = cancellation
    packet = try Packet()
    form = SoundForm(rate: max(1, first.track.sampleRate), channels: 1)
    var headers: [UInt8]?
    var stream: Muxer.Stream?
    var seen: Set<Asset> = []
    for piece in pieces where seen.insert(piece.asset).inserted {
      try cancellation.check()
      let demuxer = try Self.open(piece, cancellation).demuxer
      let own = demuxer.codecHeaders(ofStream: piece.track.index)
      let (a, b) = (first.track, piece.track)
      guard a.codec == b.codec, a.sampleRate == b.sampleRate, a.channelCount == b.channelCount, own == headers ?? own else {
        throw PacketCopy.refusal("the sound of \(piece.asset.path) is encoded differently from that of \(first.asset.path)")
      }
      headers = own
      if stream == nil { stream = try muxer.addStream(copyingSound: demuxer, stream: piece.track.index) }
    }
    guard let stream else { return nil }
    self.stream = stream
  }

  private static func open(_ piece: Piece, _ cancellation: RenderCancellation) throws -> (session: InputSession, demuxer: Demuxer) {
    let session = InputSession(piece.asset.input)
    cancellation.whenCancelled { [weak session] in session?.interrupt() }
    let demuxer = try session.open().demuxer
    guard demuxer.streams.contains(where: { $0.index == piece.track.index }) else {
      throw PacketCopy.refusal("\(piece.asset.path) has changed")
    }
    demuxer.select(streams: [piece.track.index])
    return (session, demuxer)
  }

  /// Writes the packets that start before a time of the output.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func write(through time: MediaTime) throws {
    let limit = form.index(of: time)
    while current < pieces.count {
      let piece = pieces[current]
      if form.index(of: piece.place) >= limit { return }
      try begin(piece)
      guard try next(piece) else {
        current += 1
        reading?.isPlaced = false
        reading?.waiting = nil
        continue
      }
      guard let waiting = reading?.waiting, waiting.start < limit else { return }
      try muxer.write(packet, to: stream, pts: waiting.start, dts: waiting.start, duration: waiting.duration)
      end = waiting.start + waiting.duration
      reading?.waiting = nil
    }
  }

  private func begin(_ piece: Piece) throws {
    if let reading, reading.asset === piece.asset, reading.isPlaced { return }
    try cancellation.check()
    if reading?.asset !== piece.asset {
      let opened = try Self.open(piece, cancellation)
      reading = Reading(asset: piece.asset, session: opened.session, demuxer: opened.demuxer, isPlaced: false)
    }
    let start = piece.range.start - Self.preroll
    if start <= .zero {
      try reading?.demuxer.rewind()
    } else {
      let ticks = (start + piece.startTime).ticks(in: piece.track.timeBase) ?? 0
      try reading?.demuxer.seek(stream: piece.track.index, toKeyAtOrBefore: ticks)
    }
    reading?.isPlaced = true
  }

  /// Finds the piece's next packet. Returns false at its end.
  private func next(_ piece: Piece) throws -> Bool {
    guard let reading, reading.waiting == nil else { return true }
    let (from, to) = (form.index(of: piece.range.start), form.index(of: piece.range.end))
    let place = form.index(of: piece.place)
    while try reading.demuxer.read(into: packet) == .packet {
      guard packet.streamIndex == piece.track.index, let pts = packet.pts else { continue }
      let timeBase = piece.track.timeBase
      let start = form.index(of: MediaTime(ticks: pts, in: timeBase) - piece.startTime)
      let duration = form.index(of: MediaTime(ticks: packet.duration, in: timeBase))
      let middle = start + duration / 2
      if middle >= to { return false }
      guard middle >= from, duration > 0 else { continue }
      var own = place + start - from
      if let end {
        guard own >= end - duration / 2 else { continue }
        // Without gaps, unless sound is missing.
        if own - end < duration / 2 { own = end }
      } else {
        own = max(own, -Int64(stream.priming))
      }
      self.reading?.waiting = (own, duration)
      return true
    }
    return false
  }
}
