extension PresentationTimeline {
  /// Creates a timeline of frames of equal duration, such as those of a source that computes them.
  ///
  /// - Parameters:
  ///   - frameCount: the total number of frames, at least 1.
  ///   - frameDuration: numeric, above 0; 1001/30000 for NTSC. Frame n starts at n times this duration.
  ///   - randomAccessInterval: the distance in frames between places where decoding can start, from the first; at least 1.
  /// - Returns: nil if an argument is out of range.
  public init?(frameCount: Int, frameDuration: MediaTime, randomAccessInterval: Int = 1) {
    guard frameCount > 0, frameCount <= Int32.max, frameDuration.isNumeric, randomAccessInterval > 0 else { return nil }
    self.init(
      frames: (0..<frameCount).map {
        Frame(
          pts: frameDuration * $0, duration: frameDuration, isRandomAccess: $0.isMultiple(of: randomAccessInterval))
      })
  }

  /// Returns the display time of a frame; nil if there is no such frame or its end is unknown.
  ///
  /// - Parameter number: zero-based, in display order.
  public func timing(ofFrame number: Int) -> FrameTiming? { time(ofFrame: number).flatMap { timing(at: $0) } }
}
