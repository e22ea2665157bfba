import DequeModule

/// The frames that are given out: those that wait for their time, and the one on display.
struct PresentationQueue {
  /// A frame that waits for its time.
  struct Waiting: FollowedFrame {
    /// The loop pass for which it was decoded.
    var loopIndex: Int
    var frame: RenderedSet
    /// The start of the stream's next frame, which need not be the next one waiting.
    var successor: MediaTime?
  }

  /// A frame on display.
  struct Displayed: FollowedFrame {
    fileprivate(set) var frame: RenderedSet
    /// The start of the stream's next frame; nil while unknown.
    fileprivate(set) var successor: MediaTime?
    /// As it was decoded, for other sizes; nil where it came from the cache or waited.
    fileprivate(set) var decoded: (any SourceFrame)?
    /// Grows with each change of what is to be seen.
    fileprivate(set) var serial: Int
  }

  private(set) var waiting = Deque<Waiting>()
  private(set) var displayed: Displayed?
  /// Near the target of a seek that is under way, shown instead of the displayed one.
  private var preview: (frame: RenderedSet, serial: Int)?
  private var serial = 0

  /// No more are decoded once so many wait: enough to ride out a busy machine for half a second at 30 a second.
  static let capacity = 16
  /// Nor once those that wait take so many bytes, where panes are very large.
  private static let maxBytes = 8 << 20

  // MARK: - Questions

  var isEmpty: Bool { displayed == nil && waiting.isEmpty }

  /// Bytes of frames that wait.
  var waitingByteCount: Int { waiting.reduce(0) { $0 + $1.frame.byteCount } }

  var isFull: Bool { waiting.count >= Self.capacity || (waiting.count >= 2 && waitingByteCount >= Self.maxBytes) }

  /// The visible frame, and the number of the change that made it visible.
  var visible: (frame: RenderedSet, serial: Int)? { preview ?? displayed.map { ($0.frame, $0.serial) } }

  /// The time of the frame that is shown on the way to another; nil while none is.
  var previewTime: MediaTime? { preview?.frame.timing.pts }

  /// The first frame of a pass that waits.
  func first(of loopIndex: Int) -> Waiting? { waiting.first { $0.loopIndex == loopIndex } }

  // MARK: - Waiting frames

  mutating func append(_ frame: RenderedSet, successor: MediaTime?, loopIndex: Int) {
    waiting.append(Waiting(loopIndex: loopIndex, frame: frame, successor: successor))
  }

  mutating func popFirst() -> Waiting? { waiting.popFirst() }

  mutating func removeFirst(_ count: Int) { waiting.removeFirst(count) }

  /// Takes away those from a place on.
  mutating func truncate(to count: Int) { waiting.removeLast(max(0, waiting.count - count)) }

  mutating func removeWaiting(where isUseless: (Waiting) -> Bool) { waiting.removeAll(where: isUseless) }

  mutating func removeWaiting() { waiting.removeAll() }

  /// Learns where the frame after `pts` begins, which was decoded for a pass.
  mutating func noteSuccessor(_ successor: MediaTime, of pts: MediaTime, loopIndex: Int) {
    if let last = waiting.last, last.loopIndex == loopIndex {
      if last.timing.pts == pts { waiting[waiting.count - 1].successor = successor }
    } else if displayed?.timing.pts == pts {
      displayed?.successor = successor
    }
  }

  // MARK: - The display

  /// Puts a frame on display. Only this does.
  mutating func present(_ frame: RenderedSet, successor: MediaTime?, decoded: (any SourceFrame)?) {
    serial += 1
    displayed = Displayed(frame: frame, successor: successor, decoded: decoded, serial: serial)
    preview = nil
  }

  /// The displayed frame has been made anew, in other sizes or for certain.
  mutating func replaceDisplayed(by frame: RenderedSet) {
    guard displayed?.timing.pts == frame.timing.pts else { return }
    serial += 1
    displayed?.frame = frame
    displayed?.serial = serial
  }

  /// The displayed frame has been decoded once more.
  mutating func keepDecoded(_ frame: any SourceFrame) {
    if displayed?.timing.pts == frame.timing.pts { displayed?.decoded = frame }
  }

  mutating func setDisplayedTiming(_ timing: FrameTiming) { displayed?.frame.setTiming(timing) }

  /// Shows a frame on the way to another.
  mutating func showPreview(_ frame: RenderedSet) {
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

/// A frame that is given out, and where the next one of its stream begins.
protocol FollowedFrame {
  var frame: RenderedSet { get }
  /// nil while not known.
  var successor: MediaTime? { get }
}

extension FollowedFrame {
  var timing: FrameTiming { frame.timing }

  /// The end of the frame, as far as known.
  var end: MediaTime { successor ?? timing.end }
}
