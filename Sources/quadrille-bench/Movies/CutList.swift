import Playback

/// 500 cuts of two clips of 30 frames a second: stretches from all over them, none at a keyframe but by chance.
struct CutList {
  static let count = 500
  static let rate: Int32 = 30

  struct Piece {
    /// Position among the clips.
    var clip: Int
    /// Numbers of its frames.
    var frames: Range<Int>
  }

  let clips: [String]
  let pieces: [Piece]

  /// - Throws: `PlaybackError`.
  init(_ clips: [String]) throws {
    self.clips = clips
    let counts = clips.map { path in
      let asset = Asset(path: path)
      return asset.waitForTimeline()?.frameCount ?? 0
    }
    guard counts.allSatisfy({ $0 >= 300 }) else { throw BenchError("the clips have to have 300 frames") }
    // The same on all machines.
    var state: UInt64 = 20
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    pieces = (0..<Self.count).map { number in
      let clip = number % clips.count
      let length = 4 + random(9)
      let first = random(counts[clip] - length)
      return Piece(clip: clip, frames: first..<first + length)
    }
  }

  /// Frames in all.
  var frameCount: Int { pieces.reduce(0) { $0 + $1.frames.count } }

  /// The movie; its clips have not been opened.
  func composition() throws -> Composition {
    let assets = clips.map { Asset(path: $0) }
    var movie = Composition()
    for piece in pieces {
      try movie.append(
        TimeRange(start: Self.time(piece.frames.lowerBound), end: Self.time(piece.frames.upperBound)), of: assets[piece.clip])
    }
    return movie
  }

  /// The movie as a file says it, without its folder's name.
  var yaml: String {
    let list = pieces.map { piece in
      "  - clip: \(clips[piece.clip])\n    in: \"#\(piece.frames.lowerBound)\"\n    out: \"#\(piece.frames.upperBound)\"\n"
    }
    return "quadrille: movie 1\npieces:\n" + list.joined()
  }

  /// ffmpeg's filters for the same.
  var filters: String {
    // A filter can be connected once only.
    let own = clips.indices.map { clip in pieces.indices.filter { pieces[$0].clip == clip } }
    let splits = own.enumerated().map { clip, numbers in
      "[\(clip):v]split=\(numbers.count)" + numbers.map { "[s\($0)]" }.joined()
    }
    let trims = pieces.enumerated().map { number, piece in
      "[s\(number)]trim=start_frame=\(piece.frames.lowerBound):end_frame=\(piece.frames.upperBound),setpts=PTS-STARTPTS[p\(number)]"
    }
    return (splits + trims).joined(separator: ";") + ";" + pieces.indices.map { "[p\($0)]" }.joined() + "concat=n=\(pieces.count)"
  }

  private static func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: rate) }
}
