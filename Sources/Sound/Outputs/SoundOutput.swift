/// A stream to a device, which asks for samples when it needs them.
///
/// Samples are counted from the stream's first one, without a gap: an index belongs to one moment of the device, and what came
/// too late is not played. All methods return at once and may be called from any thread; the client is called on the output's
/// own thread, by one call at a time.
package protocol SoundOutput: AnyObject, Sendable {
  /// The kind of the output.
  var kind: SoundOutputKind { get }

  /// Opens the stream in the background. The client is told of success or failure once; the stream is not running then.
  ///
  /// - Parameter client: what provides samples; not retained.
  func open(_ client: any SoundOutputClient)

  /// Starts or pauses the device. Indexes do not advance while it is paused.
  func setRunning(_ isRunning: Bool)

  /// Renders again what the device has not taken yet, from the earliest sample possible.
  func rewrite()

  /// Names what is heard, for lists of streams.
  func setTitle(_ title: String)

  /// Closes the stream. The client is not told, and is not called once its present call has returned.
  func close()
}

/// A kind of output.
package enum SoundOutputKind: String, Hashable, Sendable {
  /// A PulseAudio server, or PipeWire's imitation of one.
  case pulse = "PulseAudio"
  /// A device of the kernel.
  case alsa = "ALSA"
  /// No device: samples are discarded when they would have been heard.
  case silent = "none"
}

/// The provider of an output's samples.
package protocol SoundOutputClient: AnyObject, Sendable {
  /// The stream is open, and asks for samples in this format once it runs.
  func output(_ output: any SoundOutput, didOpen device: SoundDevice)

  /// The stream could not be opened, or ended. It does not call again.
  func output(_ output: any SoundOutput, didCloseBecause reason: String)

  /// Fills a buffer with the samples from an index on.
  ///
  /// The index continues where the last call ended, or lies before: then these samples replace what was rendered for the same
  /// indexes, and the call reaches at least as far as any call before.
  func output(_ output: any SoundOutput, render buffer: UnsafeMutableBufferPointer<Float>, at index: Int64)

  /// The device told what it plays.
  func output(_ output: any SoundOutput, didRead reading: DeviceReading)

  /// Earlier readings no longer hold: the device changed, was suspended, or lost its place.
  func outputDidLosePlace(_ output: any SoundOutput)

  /// The device ran out of samples.
  func outputDidUnderrun(_ output: any SoundOutput)
}

/// An open device.
package struct SoundDevice: Hashable, Sendable {
  package let kind: SoundOutputKind
  /// The name that people know, from outside: not safe to print as it is. Empty if there is none.
  package let name: String
  package let format: SoundFormat

  package init(kind: SoundOutputKind, name: String, format: SoundFormat) {
    (self.kind, self.name, self.format) = (kind, name, format)
  }
}

/// A device's report of its position.
package struct DeviceReading: Hashable, Sendable {
  /// The sample that is heard at `host`, in fractions of samples.
  package let heard: Double
  /// The moment, in nanoseconds of the host's monotonic clock.
  package let host: Int64
  /// The index after the last sample that the device has taken; samples before it can no longer be replaced.
  package let taken: Int64
  /// True if `heard` is known, not measured.
  package let isExact: Bool

  package init(heard: Double, host: Int64, taken: Int64, isExact: Bool = false) {
    (self.heard, self.host, self.taken, self.isExact) = (heard, host, taken, isExact)
  }
}
