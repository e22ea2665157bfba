import Playback

extension TimeRange {
  /// Start time, and end time if it is seconds later.
  var clockText: String {
    let (start, end) = (start.clockText(), end.clockText())
    return end == start ? start : "\(start)…\(end)"
  }
}
