/// The opacity of an overlay and its fades.
struct OverlayFade: Hashable, Sendable {
  /// Opacity between the fades, 0…1.
  var opacity = 1.0
  /// Durations of the fades; zero or more.
  var fadeIn = MediaTime.zero, fadeOut = MediaTime.zero

  /// Returns the opacity at a time in the range, 0…1.
  func opacity(at time: MediaTime, in range: TimeRange) -> Double {
    var share = 1.0
    if fadeIn > .zero { share = min(share, (time - range.start).seconds / fadeIn.seconds) }
    if fadeOut > .zero { share = min(share, (range.end - time).seconds / fadeOut.seconds) }
    return max(0, min(1, share)) * max(0, min(1, opacity))
  }

  /// Returns when the opacity next changes visibly after a time; nil if not before the end.
  func nextChange(after time: MediaTime, in range: TimeRange) -> MediaTime? {
    let leaves = range.end - fadeOut
    if time < range.start + fadeIn || (fadeOut > .zero && time >= leaves) { return min(range.end, time + CompositionPlan.animationFrame) }
    return fadeOut > .zero ? leaves : nil
  }
}
