import Playback

extension MovieClip {
  /// The stretch extended at its start and end, in the movie's time; shortened by negative times.
  ///
  /// - Returns: nil if an end is unknown or depends on the clip.
  func extended(atStart: MediaTime, atEnd: MediaTime) -> MovieClip? {
    if atStart == .zero, atEnd == .zero { return self }
    var result = self
    switch motion {
    case .freezes(let length): result.motion = .freezes(length + atStart + atEnd)
    case .plays(let speed, let end):
      let (before, after) = (atStart.media(at: speed), atEnd.media(at: speed))
      // A stretch that is played backwards starts with its latest frame.
      let (early, late) = speed.numerator < 0 ? (after, before) : (before, after)
      if early != .zero {
        guard let moved = (start ?? .time(.zero)).moved(by: .zero - early) else { return nil }
        result.start = moved
      }
      switch end {
      case .clipEnd: guard late == .zero else { return nil }
      case .position(let position):
        guard let moved = position.moved(by: late) else { return nil }
        result.motion = .plays(speed: speed, until: .position(moved))
      case .length(let length): result.motion = .plays(speed: speed, until: .length(length + atStart + atEnd))
      }
    }
    return result
  }

  /// The duration shown; nil if the file does not give it, or only as frame numbers or timecodes of the clip.
  var length: MediaTime? {
    switch motion {
    case .freezes(let length), .plays(_, .length(let length)): return length
    case .plays(_, .clipEnd): return nil
    case .plays(let speed, .position(let end)):
      guard let from = (start ?? .time(.zero)).time, let to = end.time else { return nil }
      return (to - from).shown(at: speed)
    }
  }

  /// True if its points depend on the clip's own rate.
  var isCountedByClip: Bool {
    if start?.isCountedByClip == true { return true }
    if case .plays(_, .position(let end)) = motion { return end.isCountedByClip }
    return false
  }

  /// The stretch counted at a rate instead of the clip's own, with a duration if that determines it.
  func counted(at rate: Ratio?) -> MovieClip {
    var result = self
    if let rate { result.start = start?.counted(at: rate) }
    guard case .plays(let speed, .position(let end)) = motion, start?.time == nil && start != nil || end.time == nil else {
      return result
    }
    let last = rate.map { end.counted(at: $0) } ?? end
    if let length = last - (result.start ?? .time(.zero)) {
      result.motion = .plays(speed: speed, until: .length(length.shown(at: speed)))
    } else {
      result.motion = .plays(speed: speed, until: .position(last))
    }
    return result
  }
}

extension MoviePiece {
  /// The duration shown; nil if the file does not give it.
  var length: MediaTime? {
    switch content {
    case .clip(let clip): clip.length
    case .empty(let length): length
    case .missing(let piece): piece.length
    }
  }

  /// Extends the piece at its start and end, as for a clip. Changes nothing if that is impossible.
  ///
  /// - Returns: true on success.
  mutating func extend(atStart: MediaTime, atEnd: MediaTime) -> Bool {
    if atStart == .zero, atEnd == .zero { return true }
    switch content {
    case .clip(let clip):
      guard let longer = clip.extended(atStart: atStart, atEnd: atEnd) else { return false }
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
  /// The movie for other programs' formats, without points that depend on a clip's own rate.
  ///
  /// - Parameter remarks: lists the clips counted at the movie's rate instead of their own.
  func counted(_ remarks: inout Warnings) -> MovieDocument {
    var result = self
    for index in pieces.indices {
      if case .clip(let clip) = pieces[index].content { result.pieces[index].content = .clip(counted(clip, &remarks)) }
    }
    return result
  }

  /// A clip of the movie, converted as by `counted(_:)`.
  func counted(_ clip: MovieClip, _ remarks: inout Warnings) -> MovieClip {
    if clip.isCountedByClip, let rate = output.rate {
      remarks.add("frames and timecodes of \(clip.path) were counted at the movie's rate, \(TimeText.text(rate))")
    }
    return clip.counted(at: output.rate)
  }

  /// The pieces as other formats store them: trimmed at the cut, with the overlap beyond it. Nil for a piece without a known end.
  func trimmedPieces() -> [MoviePiece?] {
    pieces.indices.map { index in
      var piece = pieces[index]
      let (before, after) = Self.overlaps(of: pieces, at: index)
      return piece.extend(atStart: .zero - before, atEnd: .zero - after) ? piece : nil
    }
  }

  /// Returns true if trimming a piece rounds its in point to the nearest frame, because a timecode cannot fall between frames.
  func roundsStart(ofPiece index: Int) -> Bool {
    guard case .clip(let clip) = pieces[index].content, case .plays(let speed, _) = clip.motion, let start = clip.start else {
      return false
    }
    let (before, after) = Self.overlaps(of: pieces, at: index)
    return !start.canMove(by: (speed.numerator < 0 ? after : before).media(at: speed))
  }

  /// Extends pieces that were trimmed at their cuts, so that they overlap.
  ///
  /// - Returns: indices of pieces that cannot be extended; their overlap is taken from the trimmed piece.
  static func overlap(_ pieces: inout [MoviePiece]) -> [Int] {
    var failed: [Int] = []
    for index in pieces.indices {
      let (before, after) = overlaps(of: pieces, at: index)
      if !pieces[index].extend(atStart: before, atEnd: after) { failed.append(index) }
    }
    return failed
  }

  /// The parts of a piece before its first cut and after its last one.
  private static func overlaps(of pieces: [MoviePiece], at index: Int) -> (before: MediaTime, after: MediaTime) {
    let next = index + 1 < pieces.count ? pieces[index + 1].transition : nil
    return (pieces[index].transition?.cut ?? .zero, next.map { $0.length - $0.cut } ?? .zero)
  }
}
