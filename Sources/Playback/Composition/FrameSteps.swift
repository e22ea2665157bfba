/// The times at which the image changes while one frame of a clip is shown, or while no clip moves.
///
/// The first is the start, and the others follow at a frame rate. Less than half a step left at the end is added to the
/// last one, so that nothing is inserted between frames that come about as fast.
struct FrameSteps {
  private let begin: MediaTime
  private let end: MediaTime
  private let step: MediaTime
  private let count: Int

  /// - Parameters:
  ///   - begin: the frame's start.
  ///   - end: the frame's end.
  ///   - step: the duration of an image; nil if only the frame changes.
  init(from begin: MediaTime, to end: MediaTime, step: MediaTime?) {
    (self.begin, self.end) = (begin, end)
    guard let step, let whole = (end - begin).count(of: step) else {
      (self.step, count) = (.zero, 1)
      return
    }
    let rest = end - begin - step * whole
    self.step = step
    count = max(1, rest + rest > step ? whole + 1 : whole)
  }

  /// Returns the start of the step that contains a time of the frame.
  func start(at time: MediaTime) -> MediaTime { start(number(at: time)) }

  /// Returns when the image next changes.
  func next(after time: MediaTime) -> MediaTime {
    let number = number(at: time) + 1
    return number < count ? start(number) : end
  }

  private func start(_ number: Int) -> MediaTime { number == 0 ? begin : begin + step * number }

  private func number(at time: MediaTime) -> Int {
    guard count > 1 else { return 0 }
    let number = min(max(0, (time - begin).count(of: step) ?? 0), count - 1)
    // Starts may have been rounded.
    if number + 1 < count, start(number + 1) <= time { return number + 1 }
    return number > 0 && start(number) > time ? number - 1 : number
  }
}
