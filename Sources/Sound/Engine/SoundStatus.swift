/// The state of an engine's connection to a device.
package enum SoundStatus: Hashable, Sendable {
  /// No device has been found yet, and none has failed.
  case opening
  /// Sound is heard.
  case open(SoundDevice)
  /// Nothing is heard, and players' clocks go on. The reason has the form "connection refused".
  case silent(reason: String)
}

/// Measurements of an engine, for display.
package struct SoundStatistics: Hashable, Sendable {
  package var status: SoundStatus = .opening
  package var format: SoundFormat = .standard
  /// True if the device is running: it is paused while no voice sounds.
  package var isRunning = false
  /// The time from handing a sample to the device until it is heard, in nanoseconds; nil if unknown.
  package var latency: Int64?
  /// The part of it in which samples can no longer be replaced.
  package var fixedLatency: Int64?
  /// The speed of the device's clock against the host's, in parts per million; nil until measured.
  package var drift: Double?
  /// Median deviation of the device's readings from the clock made of them, in nanoseconds.
  package var spread: Int64?
  /// The number of times that the device ran out of samples.
  package var underruns = 0
  /// The number of times that a voice ran out of samples.
  package var starvations = 0
  /// The number of times that queued samples were replaced.
  package var rewrites = 0
  /// The number of times that a device was lost.
  package var losses = 0
}
