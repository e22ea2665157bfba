import DequeModule

/// The frames for the outputs: those that wait for their time, and the one on display.
struct PresentationQueue {
  /// A frame that waits for its time.
  struct Waiting: FollowedFrame {
    /// The loop pass for which it was decoded.
    var pass: Int
    var frame: ScaledFrames
    /// The start of the stream's next frame, which need not be the next one waiting.
    var successor: MediaTime?
  }

  /// The frame on display.
  struct Displayed: FollowedFrame {
    fileprivate(set) var frame: ScaledFrames
    /// The start of the stream's next frame; nil while unknown.
    fileprivate(set) var successor: MediaTime?
    /// The decoded frame, for other sizes; nil if it came from the cache or waited.
    fileprivate(set) var decoded: (any SourceFrame)?
    /// Increases with each change of the visible frame.
    fileprivate(set) var serial: Int
  }

  private(set) var waiting = Deque<Waiting>()
  private(set) var displayed: Displayed?
  /// A preview near the target of a seek in progress, shown instead of the displayed frame.
  private var preview: (frame: ScaledFrames, serial: Int)?
  private var serial = 0

  /// The maximum number of waiting frames: enough for half a second on a busy machine at 30 fps.
  static let capacity = 16
  /// The maximum memory of waiting frames in bytes, for very large panes.
  private static let maxBytes = 8 << 20

  // MARK: - Questions

  var isEmpty: Bool { displayed == nil && waiting.isEmpty }

  /// The memory of the waiting frames, in bytes.
  var waitingByteCount: Int { waiting.reduce(0) { $0 + $1.frame.byteCount } }

  var isFull: Bool { waiting.count >= Self.capacity || (waiting.count >= 2 && waitingByteCount >= Self.maxBytes) }

  /// The visible frame, and the number of the change that made it visible.
  var visible: (frame: ScaledFrames, serial: Int)? { preview ?? displayed.map { ($0.frame, $0.serial) } }

  /// The time of the preview; nil if there is none.
  var previewTime: MediaTime? { preview?.frame.timing.pts }

  /// Returns the first waiting frame of a pass.
  func first(of pass: Int) -> Waiting? { waiting.first { $0.pass == pass } }

  // MARK: - Waiting frames

  mutating func append(_ frame: ScaledFrames, successor: MediaTime?, pass: Int) {
    waiting.append(Waiting(pass: pass, frame: frame, successor: successor))
  }

  mutating func popFirst() -> Waiting? { waiting.popFirst() }

  mutating func removeFirst(_ count: Int) { waiting.removeFirst(count) }

  /// Drops the frames from an index on.
  mutating func truncate(to count: Int) { waiting.removeLast(max(0, waiting.count - count)) }

  mutating func removeWaiting(where isUseless: (Waiting) -> Bool) { waiting.removeAll(where: isUseless) }

  mutating func removeWaiting() { waiting.removeAll() }

  /// Notes the start of the frame after `pts`, which was decoded for a pass.
  mutating func noteSuccessor(_ successor: MediaTime, of pts: MediaTime, pass: Int) {
    if let last = waiting.last, last.pass == pass {
      if last.timing.pts == pts { waiting[waiting.count - 1].successor = successor }
    } else if displayed?.timing.pts == pts {
      displayed?.successor = successor
    }
  }

  // MARK: - The display

  /// Puts a frame on display. Nothing else does.
  mutating func present(_ frame: ScaledFrames, successor: MediaTime?, decoded: (any SourceFrame)?) {
    serial += 1
    displayed = Displayed(frame: frame, successor: successor, decoded: decoded, serial: serial)
    preview = nil
  }

  /// Replaces the displayed frame by a new rendering, in other sizes or now certain.
  mutating func replaceDisplayed(by frame: ScaledFrames) {
    guard displayed?.timing.pts == frame.timing.pts else { return }
    serial += 1
    displayed?.frame = frame
    displayed?.serial = serial
  }

  /// Keeps the displayed frame as decoded again.
  mutating func keepDecoded(_ frame: any SourceFrame) {
    if displayed?.timing.pts == frame.timing.pts { displayed?.decoded = frame }
  }

  mutating func setDisplayedTiming(_ timing: FrameTiming) { displayed?.frame.setTiming(timing) }

  /// Shows a preview.
  mutating func showPreview(_ frame: ScaledFrames) {
    serial += 1
    var frame = frame
    frame.markApproximate()
    preview = (frame, serial)
  }

  mutating func dropPreview() { preview = nil }

  mutating func removeAll() {
    waiting.removeAll()
    displayed = nil
    preview = nil
  }
}

/// A frame for the outputs, with the start of the next one in its stream.
protocol FollowedFrame {
  var frame: ScaledFrames { get }
  /// Nil while unknown.
  var successor: MediaTime? { get }
}

extension FollowedFrame {
  var timing: FrameTiming { frame.timing }

  /// The end of the frame, as far as known.
  var end: MediaTime { successor ?? timing.end }
}
