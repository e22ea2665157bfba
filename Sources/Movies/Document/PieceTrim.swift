import Playback

extension MovieClip {
  /// The stretch with so much more at its beginning and its end, in the movie's time; less where negative.
  ///
  /// - Returns: nil where its ends are not said, or only the clip can tell where they are.
  func extended(atStart: MediaTime, atEnd: MediaTime) -> MovieClip? {
    if atStart == .zero, atEnd == .zero { return self }
    var result = self
    switch motion {
    case .freezes(let length): result.motion = .freezes(length + atStart + atEnd)
    case .plays(let speed, let end):
      let (before, after) = (atStart.media(at: speed), atEnd.media(at: speed))
      // A stretch that is shown backwards begins with its latest frame.
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

  /// How long it is shown; nil where the file does not say, or in numbers of frames and timecodes, which the clip counts.
  var length: MediaTime? {
    switch motion {
    case .freezes(let length), .plays(_, .length(let length)): return length
    case .plays(_, .clipEnd): return nil
    case .plays(let speed, .position(let end)):
      guard let from = (start ?? .time(.zero)).time, let to = end.time else { return nil }
      return (to - from).shown(at: speed)
    }
  }

  /// Whether the clip's own rate says where its points are.
  var isCountedByClip: Bool {
    if start?.isCountedByClip == true { return true }
    if case .plays(_, .position(let end)) = motion { return end.isCountedByClip }
    return false
  }

  /// The stretch by a rate in place of the clip's own, with a length where it is known by that.
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
  /// How long it is shown; nil where the file does not say.
  var length: MediaTime? {
    switch content {
    case .clip(let clip): clip.length
    case .empty(let length): length
    case .missing(let piece): piece.length
    }
  }

  /// Adds at beginning and end, as for a clip; nothing is changed where that cannot be.
  ///
  /// - Returns: whether it could be done.
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
  /// The movie for files of other programs, whose pieces have no points that only clips can tell.
  ///
  /// - Parameter remarks: names the clips of which the movie's rate was taken in place of their own.
  func counted(_ remarks: inout Remarks) -> MovieDocument {
    var result = self
    for index in pieces.indices {
      if case .clip(let clip) = pieces[index].content { result.pieces[index].content = .clip(counted(clip, &remarks)) }
    }
    return result
  }

  /// A clip of the movie, as `counted`.
  func counted(_ clip: MovieClip, _ remarks: inout Remarks) -> MovieClip {
    if clip.isCountedByClip, let rate = output.rate {
      remarks.add("frames and timecodes of \(clip.path) were counted at the movie's rate, \(TimeText.text(rate))")
    }
    return clip.counted(at: output.rate)
  }

  /// The pieces as files have them that cut at a point and take what overlaps from beyond it; nil for one that does not say
  /// where it ends.
  func trimmedPieces() -> [MoviePiece?] {
    pieces.indices.map { index in
      var piece = pieces[index]
      let (before, after) = Self.overlaps(of: pieces, at: index)
      return piece.extend(atStart: .zero - before, atEnd: .zero - after) ? piece : nil
    }
  }

  /// Whether trimming a piece moves its in point to the nearest frame, because no point can be named between frames.
  func roundsStart(ofPiece index: Int) -> Bool {
    guard case .clip(let clip) = pieces[index].content, case .plays(let speed, _) = clip.motion, let start = clip.start else {
      return false
    }
    let (before, after) = Self.overlaps(of: pieces, at: index)
    return !start.canMove(by: (speed.numerator < 0 ? after : before).media(at: speed))
  }

  /// Lets pieces that were trimmed at their cuts overlap.
  ///
  /// - Returns: indices of those that cannot be longer; what overlaps is cut from them.
  static func overlap(_ pieces: inout [MoviePiece]) -> [Int] {
    var failed: [Int] = []
    for index in pieces.indices {
      let (before, after) = overlaps(of: pieces, at: index)
      if !pieces[index].extend(atStart: before, atEnd: after) { failed.append(index) }
    }
    return failed
  }

  /// How much of a piece lies before its first cut, and behind its last one.
  private static func overlaps(of pieces: [MoviePiece], at index: Int) -> (before: MediaTime, after: MediaTime) {
    let next = index + 1 < pieces.count ? pieces[index + 1].transition : nil
    return (pieces[index].transition?.cut ?? .zero, next.map { $0.length - $0.cut } ?? .zero)
  }
}
