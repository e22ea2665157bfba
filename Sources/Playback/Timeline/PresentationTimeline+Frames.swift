extension PresentationTimeline {
  /// A timeline of frames that are all shown equally long, such as those of a source that computes them.
  ///
  /// - Parameters:
  ///   - frameCount: all there are, at least 1.
  ///   - frameDuration: numeric, above 0; 1001/30000 for NTSC. Frame n begins at n times this.
  ///   - randomAccessInterval: every how many frames decoding can begin, from the first one on; at least 1.
  /// - Returns: nil when an argument is outside its range.
  public init?(frameCount: Int, frameDuration: MediaTime, randomAccessInterval: Int = 1) {
    guard frameCount > 0, frameCount <= Int32.max, frameDuration.isNumeric, randomAccessInterval > 0 else { return nil }
    self.init(
      frames: (0..<frameCount).map {
        Frame(
          pts: frameDuration * $0, duration: frameDuration, isRandomAccess: $0.isMultiple(of: randomAccessInterval))
      })
  }

  /// When a frame is shown and until when; nil when there is no such frame, or it is not known when it ends.
  ///
  /// - Parameter number: zero-based, in display order.
  public func timing(ofFrame number: Int) -> FrameTiming? { time(ofFrame: number).flatMap { timing(at: $0) } }
}
