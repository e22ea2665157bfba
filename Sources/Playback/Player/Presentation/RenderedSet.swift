/// One frame in all requested sizes.
struct RenderedSet: Sendable {
  /// One per distinct request.
  private(set) var frames: [RenderedFrame]

  /// Nil if there are none.
  init?(_ frames: [RenderedFrame]) {
    guard !frames.isEmpty else { return nil }
    self.frames = frames
  }

  var timing: FrameTiming { frames[0].timing }

  /// Returns true if the frames were rendered for exactly these requests.
  func isMade(for requests: [RenderRequest]) -> Bool { frames.lazy.map(\.request).elementsEqual(requests) }

  /// The memory of the pixels, in bytes.
  var byteCount: Int { frames.reduce(0) { $0 + $1.image.byteCount } }

  /// Returns the frame rendered for a request, else the closest in size.
  func frame(for request: RenderRequest) -> RenderedFrame {
    frames.first { $0.request == request }
      ?? frames.min { abs($0.request.box.area - request.box.area) < abs($1.request.box.area - request.box.area) }
      ?? frames[0]
  }

  /// Updates the timing.
  mutating func setTiming(_ timing: FrameTiming) {
    for i in frames.indices { frames[i].timing = timing }
  }

  /// Marks the frames as previews.
  mutating func markApproximate() {
    for i in frames.indices { frames[i].isApproximate = true }
  }
}
