import DecodePool

/// One player's sound: a queue of samples, and the player's clock, by which the engine places them.
///
/// Safe from any thread. All methods return at once. A change is heard as soon as the device allows, faded over 5 ms.
package final class SoundVoice: Sendable {
  private let engine: SoundEngine
  private let id: Int

  init(_ engine: SoundEngine, id: Int) { (self.engine, self.id) = (engine, id) }

  deinit { engine.removeVoice(id) }

  // MARK: Samples

  /// The present demand. `wake`, given on creation, is called when `room` has become large, or the generation new.
  package var demand: SoundDemand { engine.demand(of: id) }

  /// Adds samples after those that were added before.
  ///
  /// - Parameters:
  ///   - samples: whole samples in the format of `demand`; values that are not finite become 0.
  ///   - place: the media time of the first sample. The timeline is a number that the caller gives to each item of a list and
  ///     each pass of a loop, whose media times are unrelated.
  ///   - mediaPerSample: nanoseconds of media per sample: `format.sampleDuration`, times the rate if the sound was stretched.
  ///   - generation: that of the demand.
  /// - Returns: the number of samples taken, less than offered if there is no room; nil if the generation is outdated.
  @discardableResult package func append(
    _ samples: UnsafeBufferPointer<Float>, at place: MediaPlace, mediaPerSample: Double, generation: Int
  ) -> Int? {
    engine.append(samples, at: place, mediaPerSample: mediaPerSample, generation: generation, to: id)
  }

  /// Says that the generation has no more samples, so that running out of them is no failure.
  package func finish(generation: Int) { engine.finish(generation: generation, id) }

  /// Drops all samples, as for a seek, stops until `play` is called, and returns the new generation.
  @discardableResult package func flush() -> Int { engine.flush(id) }

  // MARK: Time

  /// Plays by a clock, from exactly the sample that it says: after starting, a seek, or a change of rate.
  ///
  /// Samples then follow each other without corrections. Where samples are missing there is silence.
  package func play(_ placement: SoundPlacement) { engine.play(placement, id) }

  /// Plays the samples from the first one on, as soon as the device allows, until `finish`, `flush` or `stop`. No clock goes by them:
  /// `heard` tells nothing that a player could follow.
  package func playAtOnce() { engine.playAtOnce(id) }

  /// Tells that the player's clock was corrected. The samples stay where they are, unless they are off by more than 100 ms.
  package func follow(_ placement: SoundPlacement) { engine.follow(placement, id) }

  /// Stops. The samples are kept for `play`.
  package func stop() { engine.stop(id) }

  /// Returns the media time heard at a moment of the host's clock, by the device's own time; nil if the device's time is not
  /// known yet, or no samples are in place for that moment.
  package func heard(at host: Int64) -> MediaPlace? { engine.heard(at: host, id) }

  // MARK: Volume

  /// The linear gain, 0…8; 1 by default.
  package var volume: Float {
    get { engine.volume(of: id) }
    set { engine.setVolume(newValue, of: id) }
  }

  /// True if the voice is silent. It goes on in its samples, so that it can be heard again at once;
  /// false by default.
  package var isMuted: Bool {
    get { engine.isMuted(id) }
    set { engine.setMuted(newValue, id) }
  }
}
