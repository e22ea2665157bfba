/// A player's clock: which media time belongs to a moment of the host's clock.
package struct SoundPlacement: Hashable, Sendable {
  /// A media time, in nanoseconds.
  package let media: Int64
  /// The moment at which that time is due, in nanoseconds of the host's monotonic clock. If it lies in the future, the sound
  /// starts there.
  package let host: Int64
  /// Media seconds per second; more than 0.
  package let rate: Double
  /// The timeline that `media` belongs to: see `SoundVoice.append`.
  package let timeline: Int

  package init(media: Int64, host: Int64, rate: Double, timeline: Int = 0) {
    (self.media, self.host, self.timeline) = (media, host, timeline)
    self.rate = rate.isFinite && rate > 0 ? rate : 1
  }

  /// Returns the media time at a moment, before its start too.
  func media(at moment: Double) -> Double { Double(media) + (moment - Double(host)) * rate }
}

/// A place on a timeline of media.
package struct MediaPlace: Hashable, Sendable {
  /// The media time in nanoseconds.
  package let media: Int64
  package let timeline: Int

  package init(media: Int64, timeline: Int = 0) { (self.media, self.timeline) = (media, timeline) }
}

/// A request for samples.
package struct SoundDemand: Hashable, Sendable {
  /// The format of samples.
  package let format: SoundFormat
  /// The generation whose samples are accepted; a new one begins with each flush.
  package let generation: Int
  /// The number of samples that are accepted now; 0 if enough are waiting.
  package let room: Int
  /// The number of samples that wait ahead of those already rendered. Less than 0: they are late.
  package let ahead: Int
}
