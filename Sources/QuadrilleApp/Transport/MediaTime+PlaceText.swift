import Playback

extension MediaTime {
  /// A position as text, to a millisecond: "0:10.084".
  ///
  /// Rounded up, as `FrameTiming.clockText` rounds the start of a frame. Of a time at which a frame starts, this gives the
  /// same text, which leads back to that frame.
  var placeText: String { clockText(fractionDigits: 3, rounding: .towardPositiveInfinity) }
}
