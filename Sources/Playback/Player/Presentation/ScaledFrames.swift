/// One frame, scaled for one or more requests.
struct ScaledFrames: Sendable {
  /// One per distinct request.
  private(set) var frames: [RenderedFrame]

  /// Nil if there are none.
  init?(_ frames: [RenderedFrame]) {
    guard !frames.isEmpty else { return nil }
    self.frames = frames
  }

  var timing: FrameTiming { frames[0].timing }

  /// The decoder's facts about the frame.
  var facts: FrameFacts? { frames[0].facts }

  /// The loudness of the sound before the frame.
  var loudness: Loudness? { frames[0].loudness }

  /// Returns true if there is an image for each of the requests, and there are requests.
  func isMade(for requests: [RenderRequest]) -> Bool {
    !requests.isEmpty && requests.allSatisfy { request in frames.contains { $0.request == request } }
  }

  /// The memory of the pixels, in bytes.
  var byteCount: Int { frames.reduce(0) { $0 + $1.image.byteCount + ($1.kept?.pixels.byteCount ?? 0) } }

  /// Returns the frame rendered for a request, else the closest in size.
  func frame(for request: RenderRequest) -> RenderedFrame {
    frames.first { $0.request == request }
      ?? frames.min { abs($0.request.box.area - request.box.area) < abs($1.request.box.area - request.box.area) }
      ?? frames[0]
  }

  /// Adds images of the same frame, which replace those for the same requests. Images of an uncertain frame do not stay
  /// beside those of a certain one, since they may differ.
  mutating func merge(_ newer: ScaledFrames) {
    let kept = timing.isCertain == newer.timing.isCertain ? frames : []
    frames = newer.frames + kept.filter { old in !newer.frames.contains { $0.request == old.request } }
    setTiming(newer.timing)
  }

  /// Returns the frame without its image for a request; nil if there is no other.
  func without(_ request: RenderRequest) -> ScaledFrames? { ScaledFrames(frames.filter { $0.request != request }) }

  /// Updates the timing.
  mutating func setTiming(_ timing: FrameTiming) {
    for i in frames.indices { frames[i].timing = timing }
  }

  /// Marks the frames as previews.
  mutating func markApproximate() {
    for i in frames.indices { frames[i].isApproximate = true }
  }
}
