/// Reads the frames of a source: exactly to a target, and on from there.
///
/// Has a current frame and knows, once it has looked, which one follows. Use from one thread at a time.
final class ClipReader {
  /// The frame after the reader's current one.
  enum Next {
    /// Not searched for yet.
    case unknown
    case frame(any SourceFrame)
    case end
  }

  let source: any FrameSource
  private let index: FrameIndex?
  private var search = ExactSearch()
  /// The current frame; nil before the first frame and during a seek.
  private(set) var frame: (any SourceFrame)?
  private(set) var next = Next.unknown
  /// True if frames may have been skipped on the way to the current position.
  private var mayLackFrames = false

  init(_ source: any FrameSource) {
    self.source = source
    index = source.index
  }

  private var known: ExactSearch.Knowledge {
    ExactSearch.Knowledge(info: source.info, timeline: index?.timeline, isScanned: index?.hasPackets ?? false)
  }

  /// The frame times, as far as known.
  var timeline: PresentationTimeline? { index?.timeline }

  /// Returns true if decoding from the current position reaches a time sooner than a restart, as far as known.
  func leadsOn(to time: MediaTime) -> Bool {
    guard let former = frame?.timing.pts, former <= time else { return false }
    return timeline?.leadsOn(from: former, to: time) ?? (time - former < MediaTime(value: 1, timescale: 2))
  }

  /// Does a short piece of work towards the frame on display at a time.
  ///
  /// - Parameter time: numeric, zero or later. After the end it means the last frame.
  /// - Returns: true once that frame is current.
  /// - Throws: as for any target.
  func approach(_ time: MediaTime) throws -> Bool { try approach(.time(TimeTarget(time: time))) }

  /// Does a short piece of work towards a target; starts over if the target has changed.
  ///
  /// - Returns: true once the target is current.
  /// - Throws: `PlaybackError` if there is no such frame, or an error of the source; the search is then over.
  func approach(_ target: ExactSearch.Target) throws -> Bool {
    do {
      if search.target == target { return try perform(decode(.nothing)) }
      if mayLackFrames, source.info.canSeek { search.leaveRun() }
      return try perform(search.begin(target, known))
    } catch {
      search.fail(known)
      throw error
    }
  }

  /// Seeks so that decoding passes the frame at a time, as cheaply as the options allow; there is no current frame then.
  func seek(to time: MediaTime, options: SeekOptions) throws {
    search.end()
    try go(to: time, options)
  }

  private func go(to time: MediaTime, _ options: SeekOptions) throws {
    forgetFrames()
    do {
      // A decoder that was left after skipping frames would lack them again: the frame before a piece's first one would be
      // mistaken for it.
      // one would be taken for it.
      if try source.seek(to: time, options: options).lacksFrames {
        _ = try source.seek(to: time, options: options.union(.withFreshDecoder))
      }
      mayLackFrames = false
      search.didSeek()
    } catch {
      try rewind()
    }
  }

  /// Does a short piece of work to find the next frame; without a current frame, the first one that comes.
  func look(discard: DiscardLevel) throws {
    guard case .unknown = next else { return }
    if discard != .nothing { mayLackFrames = true }
    _ = try decode(discard)
  }

  /// Moves to the next frame; does nothing if there is none, or it is unknown.
  func advance() {
    guard case .frame(let following) = next else { return }
    frame = following
    next = .unknown
  }

  private func decode(_ discard: DiscardLevel) throws -> ExactSearch.Step {
    if case .frame = next { advance() }
    switch try source.decodeNext(discard: discard) {
    case .progress: return .decode
    case .endOfStream:
      next = .end
      return search.didReachEnd(known)
    case .frame(let decoded):
      next = .frame(decoded)
      return search.didDecode(decoded.timing, known)
    }
  }

  private func perform(_ step: ExactSearch.Step) throws -> Bool {
    switch step {
    case .decode: return false
    case .latest:
      search.end()
      advance()
      return true
    case .previous:
      search.end()
      return true
    case .failure(let error): throw error
    case .rewind:
      try rewind()
      return false
    case .seek(let time, let options):
      try go(to: time, options)
      return false
    }
  }

  private func rewind() throws {
    forgetFrames()
    // A source that can be read only once is at its start on first use.
    if source.info.canSeek { try source.rewind() }
    mayLackFrames = false
    search.didRewind()
  }

  private func forgetFrames() { (frame, next) = (nil, .unknown) }
}
