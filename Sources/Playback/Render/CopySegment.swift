/// A stretch of one file's packets that is copied: one piece, or several that follow on.
struct CopySegment {
  let source: CopySource
  /// In display order: at first those that are wanted, then those that are copied.
  private(set) var frames: Range<Int>
  /// Of the clip's timeline, as `frames`.
  private(set) var range: TimeRange
  private(set) var pieces: ClosedRange<Int>
  /// Ordinals of the packets that are copied, in order.
  private(set) var packets: [Int] = []
  /// The packet where decoding starts.
  private(set) var start = 0
  /// The start in the output.
  private(set) var place = MediaTime.zero
  /// The intended start, in the movie and in the clip.
  private let wanted: (movie: MediaTime, clip: MediaTime)
  private(set) var movedCuts: [VideoRenderer.MovedCut] = []

  /// - Parameter movieTime: where it begins in the movie.
  init(_ source: CopySource, _ frames: Range<Int>, _ range: TimeRange, piece: Int, at movieTime: MediaTime) {
    wanted = (movieTime, range.start)
    self.source = source
    self.frames = frames
    self.range = range
    pieces = piece...piece
  }

  /// Takes in a piece that follows on.
  mutating func extend(to end: Int, _ time: MediaTime, piece: Int) {
    frames = frames.lowerBound..<end
    range = TimeRange(start: range.start, end: time)
    pieces = pieces.lowerBound...piece
  }

  /// When a moment of the movie, which is in this stretch, is shown.
  func time(ofMovie time: MediaTime) -> MediaTime { place + (wanted.clip - range.start) + (time - wanted.movie) }

  /// The start in the movie.
  var movieStart: MediaTime { wanted.movie }

  /// When a packet's frame is shown.
  func time(of packet: Int) -> MediaTime {
    place + max(.zero, source.time(ofPacket: packet) - range.start)
  }

  /// The properties that all segments must share.
  var signature: CopySource.Signature { source.signature(at: start) }

  /// Finds the packets, which may be more than those of the frames that are wanted.
  ///
  /// - Throws: `PlaybackError` where there is no place to begin at.
  mutating func cut(at place: MediaTime) throws {
    self.place = place
    start = try source.start(forFrame: frames.lowerBound, piece: pieces.lowerBound)
    let first = source.displayIndex(start)
    let (end, packets) = try source.packets(from: start, first: first, to: frames.upperBound, piece: pieces.lowerBound)
    var (from, to) = (range.start, range.end)
    if first != frames.lowerBound {
      from = source.time(ofFrame: first) ?? from
      movedCuts.append(.init(piece: pieces.lowerBound, edge: .start, distance: range.start - from))
    }
    if end != frames.upperBound {
      to = source.time(ofFrame: end) ?? source.end ?? to
      movedCuts.append(.init(piece: pieces.upperBound, edge: .end, distance: to - range.end))
    }
    self.packets = packets
    frames = first..<end
    range = TimeRange(start: from, end: to)
  }
}
