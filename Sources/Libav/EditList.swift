import Pixels

/// The parts of a track's media that are shown, in order (ISO 14496-12, 8.6.6).
public struct EditList: Hashable, Sendable {
  /// A part of the media.
  public struct Edit: Hashable, Sendable {
    /// The start in the media, in ticks of the track; nil if nothing is shown.
    public var mediaTime: Int64?
    /// The duration in ticks of the movie; 0 for the rest of the media.
    public var duration: Int64
  }

  /// Seconds per tick of the track, and of the movie.
  public var mediaTick: Ratio
  public var movieTick: Ratio
  /// The edits in display order; empty if the whole media is shown.
  public var edits: [Edit]

  /// The maximum number of edits read; real files have fewer.
  private static let maxEdits = 1000

  /// Reads the list of the track with an ID. Nil if there is no such track, and for fragmented movies, which libavformat
  /// shifts by the start of the first edit without cutting anything.
  init?(ofTrack id: Int32, _ boxes: MovieBoxes) {
    var movieScale: UInt32?, mediaScale: UInt32?, edits: [Edit] = []
    var track: UInt32?, isFragmented = false
    boxes.forEach { box in
      let isLong = box.head.first == 1
      switch box.name {
      case "mvhd": movieScale = box.number(at: isLong ? 20 : 12)
      case "mvex": isFragmented = true
      case "trak": track = nil
      case "tkhd": track = box.number(at: isLong ? 20 : 12)
      case "mdhd" where track == UInt32(bitPattern: id): mediaScale = box.number(at: isLong ? 20 : 12)
      case "elst" where track == UInt32(bitPattern: id): edits = Self.edits(box, boxes, isLong: isLong)
      default: break
      }
    }
    guard let movie = movieScale.flatMap({ Int32(exactly: $0) }), let media = mediaScale.flatMap({ Int32(exactly: $0) }), movie > 0,
      media > 0, !isFragmented
    else { return nil }
    (mediaTick, movieTick, self.edits) = (Ratio(1, media), Ratio(1, movie), edits)
  }

  private static func edits(_ box: MovieBoxes.Box, _ boxes: MovieBoxes, isLong: Bool) -> [Edit] {
    let size = isLong ? 20 : 12
    let count = min(Int(box.number(at: 4) ?? 0), maxEdits, max(0, box.content.count - 8) / size)
    let bytes = boxes.read(box.content.lowerBound + 8, count * size)[...]
    return (0..<count).prefix { ($0 + 1) * size <= bytes.count }.compactMap { i in
      func number(_ field: Int) -> Int64 {
        guard isLong else { return Int64(Int32(bitPattern: bytes.number(at: i * size + 4 * field) ?? 0)) }
        let place = i * size + 8 * field
        return Int64(bytes.number(at: place) ?? 0) << 32 | Int64(bytes.number(at: place + 4) ?? 0)
      }
      let (duration, mediaTime) = (isLong ? number(0) : number(0) & 0xFFFF_FFFF, number(1))
      guard duration >= 0 else { return nil }
      return Edit(mediaTime: mediaTime >= 0 ? mediaTime : nil, duration: duration)
    }
  }
}

extension Demuxer {
  /// Returns a stream's edit list; nil if the container has none.
  public func editList(ofStream index: Int) -> EditList? {
    guard isMovie, let boxes = input.movieBoxes else { return nil }
    return EditList(ofTrack: stream(index).pointee.id, boxes)
  }
}
