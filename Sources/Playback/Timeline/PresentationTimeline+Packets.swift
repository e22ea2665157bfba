/// Facts about frames that the packets of a file give.
extension PresentationTimeline {
  /// Returns the position of a frame in its group of pictures; nil if it is unknown, or if there are no packets.
  func group(ofFrame number: Int) -> FrameFacts.GroupPosition? {
    guard packets != nil, number >= 0, number < frameCount else { return nil }
    let next = keyframes.partitioningIndex { $0 > number }
    guard next > 0, let time = time(ofFrame: number), time < end else { return nil }
    let first = Int(keyframes[next - 1])
    var count: Int?
    if next < keyframes.count {
      // Frames may still be found before it otherwise.
      if let time = self.time(ofFrame: Int(keyframes[next])), time < end { count = Int(keyframes[next]) - first }
    } else if isComplete {
      count = frameCount - first
    }
    return FrameFacts.GroupPosition(index: number - first, count: count)
  }

  /// Returns the facts of at most `limit` known frames around the one on display at a time; nil if there are no packets.
  func packetFacts(around time: MediaTime, limit: Int) -> [PacketFacts]? {
    guard let packets else { return nil }
    let count = min(limit, frameCount)
    let first = max(0, min(frameNumber(at: time) - count / 2, frameCount - count))
    return (first..<first + count).compactMap { number in
      guard let pts = self.time(ofFrame: number), pts < end else { return nil }
      let entry = packets.entry(at: number)
      return PacketFacts(
        number: number, pts: pts, byteCount: Int(entry.byteCount), isKeyframe: entry.randomAccess != .none)
    }
  }
}
