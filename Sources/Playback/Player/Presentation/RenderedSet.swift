/// One frame in all the sizes that are wanted of it.
struct RenderedSet: Sendable {
  /// One for each output that differs.
  private(set) var frames: [RenderedFrame]

  /// Fails where there is none.
  init?(_ frames: [RenderedFrame]) {
    guard !frames.isEmpty else { return nil }
    self.frames = frames
  }

  var timing: FrameTiming { frames[0].timing }

  /// Returns true if the frames were rendered for exactly these requests.
  func isMade(for requests: [RenderRequest]) -> Bool { frames.lazy.map(\.request).elementsEqual(requests) }

  /// Bytes of pixels.
  var byteCount: Int { frames.reduce(0) { $0 + $1.image.byteCount } }

  /// Returns the frame rendered for a request, else the closest in size.
  func frame(for request: RenderRequest) -> RenderedFrame {
    frames.first { $0.request == request }
      ?? frames.min { abs($0.request.box.area - request.box.area) < abs($1.request.box.area - request.box.area) }
      ?? frames[0]
  }

  /// The same with what is known of its place by now.
  mutating func setTiming(_ timing: FrameTiming) {
    for i in frames.indices { frames[i].timing = timing }
  }

  /// Shown on the way to another one.
  mutating func markApproximate() {
    for i in frames.indices { frames[i].isApproximate = true }
  }
}
