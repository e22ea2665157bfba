import Playback

extension MovieClip {
  /// The stretch with so much more at its beginning and its end, in the movie's time; less where negative.
  ///
  /// - Parameter rate: by which frames and timecodes are counted.
  /// - Returns: nil where its ends are not said, or counted in frames of a rate that is not known.
  func extended(atStart: MediaTime, atEnd: MediaTime, rate: Ratio?) -> MovieClip? {
    if atStart == .zero, atEnd == .zero { return self }
    var result = self
    switch motion {
    case .freezes(let length): result.motion = .freezes(length + atStart + atEnd)
    case .plays(let speed, let end):
      let (before, after) = (atStart.media(at: speed), atEnd.media(at: speed))
      // A stretch that is shown backwards begins with its latest frame.
      let (early, late) = speed.numerator < 0 ? (after, before) : (before, after)
      var end = end
      if case .position(let position) = end,
        !position.canMove(by: late, rate: rate) || start?.canMove(by: .zero - early, rate: rate) == false
      {
        // Between frames no point can be named, but a length can.
        guard let length = length(rate: rate) else { return nil }
        end = .length(length)
      }
      if early != .zero {
        guard let moved = (start ?? .time(.zero)).moved(by: .zero - early, rate: rate) else { return nil }
        result.start = moved
      }
      switch end {
      case .clipEnd: guard late == .zero else { return nil }
      case .position(let position):
        guard let moved = position.moved(by: late, rate: rate) else { return nil }
        result.motion = .plays(speed: speed, until: .position(moved))
      case .length(let length): result.motion = .plays(speed: speed, until: .length(length + atStart + atEnd))
      }
    }
    return result
  }

  /// How long it is shown; nil where the file does not say.
  ///
  /// - Parameter rate: by which frames and timecodes are counted.
  func length(rate: Ratio?) -> MediaTime? {
    switch motion {
    case .freezes(let length), .plays(_, .length(let length)): return length
    case .plays(_, .clipEnd): return nil
    case .plays(let speed, .position(let end)):
      guard let from = (start ?? .time(.zero)).time(like: end, rate: rate), let to = end.time(rate: rate) else { return nil }
      return (to - from).shown(at: speed)
    }
  }
}

extension ClipPosition {
  /// The time of this point, or of the timecode's frame since 00:00:00:00.
  func time(rate: Ratio?) -> MediaTime? {
    switch self {
    case .time(let time): time
    case .frame(let number): rate.map { MediaTime(frames: Int64(number), at: $0) }
    case .timecode(let code): rate.flatMap { code.time(at: $0) }
    }
  }

  /// The time, if it counts from where `other` does.
  fileprivate func time(like other: ClipPosition, rate: Ratio?) -> MediaTime? {
    switch (self, other) {
    case (.timecode, .timecode): return time(rate: rate)
    case (.timecode, _), (_, .timecode): return nil
    default: return time(rate: rate)
    }
  }
}

extension MoviePiece {
  /// How long it is shown; nil where the file does not say.
  func length(rate: Ratio?) -> MediaTime? {
    switch content {
    case .clip(let clip): clip.length(rate: rate)
    case .empty(let length): length
    case .missing(let piece): piece.length
    }
  }

  /// Adds at beginning and end, as for a clip; nothing is changed where that cannot be.
  ///
  /// - Returns: whether it could be done.
  mutating func extend(atStart: MediaTime, atEnd: MediaTime, rate: Ratio?) -> Bool {
    if atStart == .zero, atEnd == .zero { return true }
    switch content {
    case .clip(let clip):
      guard let longer = clip.extended(atStart: atStart, atEnd: atEnd, rate: rate) else { return false }
      content = .clip(longer)
    case .empty(let length): content = .empty(length + atStart + atEnd)
    case .missing(var piece):
      guard let length = piece.length else { return false }
      piece.length = length + atStart + atEnd
      content = .missing(piece)
    }
    return true
  }
}

extension MovieDocument {
  /// The pieces as files have them that cut at a point and take what overlaps from beyond it; nil for one that does not say
  /// where it ends.
  func trimmedPieces(rate: Ratio?) -> [MoviePiece?] {
    pieces.indices.map { index in
      var piece = pieces[index]
      let (before, after) = Self.overlaps(of: pieces, at: index)
      return piece.extend(atStart: .zero - before, atEnd: .zero - after, rate: rate) ? piece : nil
    }
  }

  /// Whether trimming a piece moves its in point to the nearest frame, because no point can be named between frames.
  func roundsStart(ofPiece index: Int, rate: Ratio?) -> Bool {
    guard case .clip(let clip) = pieces[index].content, case .plays(let speed, _) = clip.motion, let start = clip.start else {
      return false
    }
    let (before, after) = Self.overlaps(of: pieces, at: index)
    return !start.canMove(by: (speed.numerator < 0 ? after : before).media(at: speed), rate: rate)
  }

  /// Lets pieces that were trimmed at their cuts overlap.
  ///
  /// - Returns: indices of those that cannot be longer; what overlaps is cut from them.
  static func overlap(_ pieces: inout [MoviePiece], rate: Ratio?) -> [Int] {
    var failed: [Int] = []
    for index in pieces.indices {
      let (before, after) = overlaps(of: pieces, at: index)
      if !pieces[index].extend(atStart: before, atEnd: after, rate: rate) { failed.append(index) }
    }
    return failed
  }

  /// How much of a piece lies before its first cut, and behind its last one.
  private static func overlaps(of pieces: [MoviePiece], at index: Int) -> (before: MediaTime, after: MediaTime) {
    let next = index + 1 < pieces.count ? pieces[index + 1].transition : nil
    return (pieces[index].transition?.cut ?? .zero, next.map { $0.length - $0.cut } ?? .zero)
  }
}
