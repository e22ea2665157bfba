/// A range of one file's packets to copy: one piece, or several consecutive ones.
struct CopySegment {
  let source: CopySource
  /// In display order: at first the frames wanted, then the frames copied.
  private(set) var frames: Range<Int>
  /// The range on the clip's timeline, corresponding to `frames`.
  private(set) var range: TimeRange
  private(set) var pieces: ClosedRange<Int>
  /// Ordinals of the packets to copy, in order.
  private(set) var packets: [Int] = []
  /// The packet where decoding starts.
  private(set) var start = 0
  /// The start in the output.
  private(set) var place = MediaTime.zero
  /// The intended start, in the movie and in the clip.
  private let wanted: (movie: MediaTime, clip: MediaTime)
  private(set) var movedCuts: [VideoRenderer.MovedCut] = []

  /// - Parameter movieTime: the start in the movie.
  init(_ source: CopySource, _ frames: Range<Int>, _ range: TimeRange, piece: Int, at movieTime: MediaTime) {
    wanted = (movieTime, range.start)
    self.source = source
    self.frames = frames
    self.range = range
    pieces = piece...piece
  }

  /// Appends a consecutive piece.
  mutating func extend(to end: Int, _ time: MediaTime, piece: Int) {
    frames = frames.lowerBound..<end
    range = TimeRange(start: range.start, end: time)
    pieces = pieces.lowerBound...piece
  }

  /// The clip's sound in the range; nil if it has none.
  var sound: SoundCopy.Piece? {
    source.soundTrack.map {
      SoundCopy.Piece(asset: source.clip.asset, track: $0, startTime: source.startTime, range: range, place: place)
    }
  }

  /// Returns the display time of a time of the movie within this segment.
  func time(ofMovie time: MediaTime) -> MediaTime { place + (wanted.clip - range.start) + (time - wanted.movie) }

  /// The start in the movie.
  var movieStart: MediaTime { wanted.movie }

  /// Returns the display time of a packet's frame.
  func time(of packet: Int) -> MediaTime {
    place + max(.zero, source.time(ofPacket: packet) - range.start)
  }

  /// The properties that all segments must share.
  var signature: CopySource.Signature { source.signature(at: start) }

  /// Finds the packets, which may cover more than the wanted frames.
  ///
  /// - Throws: `PlaybackError` if there is no place to start.
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
