/// Facts about frames beside their pixels.
extension Player {
  /// Facts about the displayed frame; nil before the first one, and for frames that are computed or composed of several.
  ///
  /// Belongs to the frame of `displayedTiming`. Its position in the group of pictures is known once the index has come that far.
  public var displayedFrameFacts: FrameFacts? {
    let known = read { core, _ in
      core.item.presentation.displayed.flatMap { displayed in
        displayed.frame.facts.map { (facts: $0, timing: core.item.displayedTiming ?? displayed.timing, timeline: core.item.timeline) }
      }
    }
    guard let known else { return nil }
    var facts = known.facts
    if known.timing.numberIsExact { facts.group = known.timeline?.group(ofFrame: known.timing.number) }
    return facts
  }

  /// The loudness of the sound before the displayed frame, for a clip that has only sound; nil for others.
  public var displayedLoudness: Loudness? { read { core, _ in core.item.presentation.displayed?.frame.loudness } }

  /// Returns one pixel of the displayed frame, with its code values and its colour.
  ///
  /// Decodes nothing: the frame must still be there as decoded, as it is while paused, soon after a seek or a step. Takes well
  /// below a millisecond, except for frames of high dynamic range, and may be called from any thread.
  ///
  /// - Parameters:
  ///   - x: the position in fractions of the displayed frame's width, from 0 at the left edge up to 1.
  ///   - y: in fractions of its height, from the top.
  /// - Returns: nil outside the frame, while the decoded frame is not at hand, and for frames that are computed or composed of
  ///   several.
  public func probe(x: Double, y: Double) -> ProbedPixel? {
    let decoded = read { core, _ in core.item.presentation.displayed?.decoded }
    if let movie = decoded as? MovieFrame { return try? movie.probe(x: x, y: y) }
    return try? (decoded as? CompositedFrame)?.probe(x: x, y: y)
  }

  /// Returns what the index says about the frames around the one on display at a time, in display order: their sizes and
  /// where keyframes are.
  ///
  /// Empty until the index has come that far, and for items that have no packets of their own, such as compositions.
  ///
  /// - Parameters:
  ///   - time: on the item's timeline; its frame is in the middle, unless the item begins or ends nearby.
  ///   - limit: the maximum number of frames.
  public func packetFacts(around time: MediaTime, limit: Int) -> [PacketFacts] {
    guard limit > 0, time.isNumeric, let timeline = read({ core, _ in core.item.timeline }),
      var facts = timeline.packetFacts(around: time, limit: limit), let first = facts.first, let last = facts.last
    else { return [] }
    let types = read { core, _ in core.item.pictureTypes(from: first.pts, through: last.pts) }
    for i in facts.indices { facts[i].pictureType = types[facts[i].pts] }
    return facts
  }
}

extension ItemPlayback {
  /// Returns the picture types of the frames at hand in a range of time, by their PTS.
  fileprivate func pictureTypes(from first: MediaTime, through last: MediaTime) -> [MediaTime: FrameFacts.PictureType] {
    var types: [MediaTime: FrameFacts.PictureType] = [:]
    func note(_ frame: ScaledFrames) {
      guard frame.timing.pts >= first, frame.timing.pts <= last else { return }
      types[frame.timing.pts] = frame.facts?.pictureType
    }
    cache.frames(from: first, through: last).forEach(note)
    presentation.waiting.forEach { note($0.frame) }
    if let displayed = presentation.displayed { note(displayed.frame) }
    return types
  }
}
