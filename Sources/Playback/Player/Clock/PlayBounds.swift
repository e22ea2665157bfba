/// The bounds of playback in an item, as far as known, in nanoseconds: of the item, and of what is looped.
struct PlayBounds: Equatable {
  /// The end of the item: as decoded, or as expected while nothing is decoded.
  let itemEnd: Int64?
  /// The announced end, where the clock waits for the decoder while the end of the data is unknown; nil if it is known, or if
  /// data have been found after it.
  let waitingEnd: Int64?
  /// The start of the loop; nil if nothing loops.
  let loopStart: Int64?
  /// The end at which playback stops or loops back; nil while unknown.
  let end: Int64?
  /// The start at which reverse playback stops or goes to the end. A loop known to lie past the end is ignored.
  let start: Int64
  /// The end of an A–B loop; nil if there is none, or its end is unknown.
  let rangeEnd: Int64?

  /// - Parameters:
  ///   - lastTime: the last time of the item.
  ///   - newestEnd: the end of the newest frame of the clock's pass.
  init(_ clock: ClockView, _ duration: ItemDuration, lastTime: MediaTime, newestEnd: Int64?) {
    let itemEnd = clock.pacing == .clockAlone ? duration.expectedEnd : duration.knownEnd
    self.itemEnd = itemEnd
    if clock.pacing == .clock, duration.knownEnd == nil, let announced = duration.expectedEnd, newestEnd ?? .min <= announced {
      waitingEnd = announced
    } else {
      waitingEnd = nil
    }
    if let range = clock.loop.range, let start = range.start.clockNanoseconds {
      loopStart = max(0, start)
      let rangeEnd = range.end.clockNanoseconds.map { end in itemEnd.map { min(end, $0) } ?? end }
      end = rangeEnd ?? itemEnd
    } else {
      loopStart = clock.actionAtItemEnd == .loop ? 0 : nil
      end = itemEnd
    }
    start = loopStart.flatMap { $0 < lastTime.nanoseconds ?? .max ? $0 : nil } ?? 0
    rangeEnd = clock.loop.range == nil ? nil : end
  }

  /// The first bound that forward playback meets.
  var nextEnd: Int64? { [end, waitingEnd].compactMap { $0 }.min() }

  /// The end of a loop pass; nil if nothing loops.
  var passEnd: Int64? { loopStart.flatMap { start in end.flatMap { start < $0 ? $0 : nil } } }

  /// Returns true if a frame lies after the end of an A–B loop.
  func isPastRange(_ timing: FrameTiming) -> Bool { rangeEnd.map { timing.ptsNanoseconds >= $0 } ?? false }
}
