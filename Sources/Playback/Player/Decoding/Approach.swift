/// On the way to a frame: where to, what for, and how far it has come.
struct Approach {
  enum Purpose: Equatable {
    /// The first frame of an item that was just opened.
    case first
    /// The seek in flight waits for it.
    case seek
    /// The first frame of the loop's next round.
    case loop
    /// The present time again: the frame on display is not the right one, or not of the right size.
    case refresh
    /// Where the cached frames end that are being played meanwhile.
    case resume
    /// Frames for the cache only, while the display is in it.
    case prefetch
  }

  /// What a decoded frame means on the way.
  enum Verdict: Equatable {
    /// The target is still ahead.
    case onTheWay
    /// It is the one.
    case found
    /// The one before it is, and it is the next.
    case foundBefore
    /// It came too late: begin again, further back or with nothing left out.
    case again
    /// The stretch has been decoded.
    case passed
  }

  let purpose: Purpose
  private(set) var target: MediaTime
  /// The frame may be on display anywhere in target − before … target + after.
  private var before: MediaTime
  private var after: MediaTime
  /// Whether decoding has to begin where it is known to be right.
  let mustBeCertain: Bool
  /// Whether the frames on the way are kept, because the display moves back over them.
  let keepsPassed: Bool

  /// Whether the source has to go elsewhere first.
  private(set) var needsSeek = true
  /// Times that the source came out behind the target.
  private(set) var attempts = 0
  /// The last frame seen that begins at or before the target.
  private(set) var candidate: FrameTiming?
  /// Whether the target was left out on the way once, so that nothing may be from now on.
  private(set) var mustBeWhole = false
  /// Whether a frame near the target has been shown on the way.
  private(set) var hasPreviewed = false
  /// Frames that have come out on the way, and the host time of the first.
  private(set) var passed = 0
  private(set) var firstAt: HostTime = 0

  /// Retries of a source that came out behind the target begin so many seconds earlier, at last at the beginning.
  private static let backoffSeconds: [Double] = [0, 1, 5, 20]

  init(
    _ purpose: Purpose, to target: MediaTime, before: MediaTime = .zero, after: MediaTime = .zero,
    mustBeCertain: Bool = false, keepsPassed: Bool = false
  ) {
    self.purpose = purpose
    self.target = target
    self.before = before
    self.after = after
    self.mustBeCertain = mustBeCertain
    self.keepsPassed = keepsPassed
    needsSeek = purpose != .first
  }

  // MARK: - Where the source goes

  /// Where the source has to go before it decodes on.
  enum Start: Equatable {
    /// It decodes on from where it is.
    case here
    case seek(MediaTime, SeekOptions)
    case rewind
  }

  var start: Start {
    guard needsSeek else { return .here }
    if attempts >= Self.backoffSeconds.count { return .rewind }
    let place = target - MediaTime(seconds: Self.backoffSeconds[attempts], preferredTimescale: 1000)
    return place <= .zero ? .rewind : .seek(place, options)
  }

  private var options: SeekOptions {
    var options: SeekOptions = []
    if mustBeCertain { options.insert(.mustBeCertain) }
    // What is missing, or was passed already, is so too where another seek has left a decoder on the way.
    if mustBeWhole || attempts > 0 { options.insert(.withFreshDecoder) }
    return options
  }

  /// Decodes on from `last`, which the source still holds, rather than go elsewhere.
  ///
  /// Passing by all frames anyway, it can as well be exact.
  mutating func decodeOn(from last: FrameTiming?) {
    needsSeek = false
    before = .zero
    if let last, last.pts <= target { candidate = last }
  }

  /// The source is where it had to go.
  mutating func didMove() {
    needsSeek = false
    candidate = nil
  }

  /// The source cannot go there: from the beginning then.
  mutating func moveDidFail() { attempts = Self.backoffSeconds.count }

  // MARK: - What comes out

  /// - Parameter isLeftOut: whether the target's frame is one of those that were left out on the way.
  mutating func judge(_ timing: FrameTiming, isLeftOut: Bool, at host: HostTime) -> Verdict {
    if purpose == .first { return .found }
    if timing.pts <= target {
      // It will do if it reaches into the tolerance; an exact one waits to see where the next begins.
      if before != .zero && timing.end > target - before { return .found }
      candidate = timing
      if passed == 0 { firstAt = host }
      passed += 1
      return .onTheWay
    }
    if purpose == .prefetch { return .passed }
    if candidate != nil {
      return isLeftOut ? beginWhole() : .foundBefore
    }
    // Behind the target already: good enough within the tolerance, or at the very beginning.
    if after != .zero, timing.pts <= target + after { return .found }
    guard target > .zero, attempts < Self.backoffSeconds.count else { return .found }
    attempts += 1
    needsSeek = true
    return .again
  }

  /// The decoder holds back more than was thought: once more, with nothing left out.
  private mutating func beginWhole() -> Verdict {
    mustBeWhole = true
    needsSeek = true
    return .again
  }

  /// What the end of the data means on the way; nil when there is nothing that can be decoded.
  ///
  /// - Parameter isLeftOut: whether the target's frame is one of those that were left out on the way.
  mutating func judgeEnd(isLeftOut: Bool) -> Verdict? {
    if purpose == .prefetch { return .passed }
    if isLeftOut { return beginWhole() }
    // The last frame holds every time behind it.
    if candidate != nil { return .found }
    // A file that was read from its beginning has nothing to offer.
    guard purpose != .first, attempts <= Self.backoffSeconds.count else { return nil }
    attempts += target > .zero ? 1 : Self.backoffSeconds.count + 1
    needsSeek = true
    return .again
  }

  /// Another target that lies ahead takes the place of this one.
  mutating func retarget(to request: SeekRequest) {
    (target, before, after) = (request.target, request.before, request.after)
  }

  mutating func didPreview() { hasPreviewed = true }
}
