import Playback

extension TimeRange {
  /// When it begins, and when it ends where that is seconds later.
  var clockText: String {
    let (start, end) = (start.clockText(), end.clockText())
    return end == start ? start : "\(start)…\(end)"
  }
}
