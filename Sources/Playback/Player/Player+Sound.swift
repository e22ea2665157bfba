extension Player {
  // MARK: - Sound

  /// The linear gain of the sound, 0…8; initially 1. Values above 1 may be limited. 1 without a sound device.
  public var volume: Float {
    get { sound?.volume ?? 1 }
    set { sound?.volume = newValue }
  }

  /// True if the player is silent; initially false. Its sound goes on, so that it is heard at once when set to false.
  public var isMuted: Bool {
    get { sound?.isMuted ?? true }
    set { sound?.isMuted = newValue }
  }

  /// The treatment of pitch at other rates than 1; initially `.timeDomain`. Sound is played at rates of 0.5 to 4.
  public var audioTimePitchAlgorithm: AudioTimePitchAlgorithm {
    get { sound?.algorithm ?? .timeDomain }
    set { sound?.algorithm = newValue }
  }

  /// The difference between what is heard and the clock, in nanoseconds of media; positive if the sound is ahead. Nil if nothing
  /// is heard.
  public var soundDeviation: HostTime? { sound?.deviation(at: hostTime) }

  /// The time in nanoseconds by which the sound is heard later than its frames, or earlier if negative; initially 0. It makes up
  /// for delays that a device does not report.
  public var audioDelay: HostTime {
    get { sound?.delay ?? 0 }
    set { sound?.delay = newValue }
  }

  /// True if the sound of each frame that a step or a seek reaches while paused is heard for 60 ms; initially false. A piece ends when
  /// the next one begins.
  public var soundsWhileScrubbing: Bool {
    get { read { core, _ in core.grains.isEnabled } }
    set { update { core, _ in core.setSoundsWhileScrubbing(newValue) } }
  }

  /// The reason that the current item's sound cannot be played; nil if it can, or has not been tried.
  public var soundError: PlaybackError? { sound?.failure }

  /// Corrects the clocks by what is heard of this player; called for each frame.
  func followSound(at host: HostTime) {
    guard let sound, !sound.isMuted, let deviation = sound.deviation(at: host) else { return }
    context.correctClocks(by: deviation, at: host)
  }
}

extension PlaybackContext {
  /// Corrects the clocks of all players that run forward by a part of a difference of one of them from its sound, so that nothing
  /// jumps.
  ///
  /// All get the same correction at the same moment: clocks that agree have to go on agreeing, as those of compared clips do.
  func correctClocks(by deviation: HostTime, at host: HostTime) {
    guard abs(deviation) > Self.soundTolerance else { return }
    let isDue = lastCorrection.withLock { last in
      guard host - last >= Self.correctionInterval else { return false }
      last = host
      return true
    }
    guard isDue else { return }
    let correction = min(max(deviation, -TransportClock.maxSlew), TransportClock.maxSlew)
    for player in bus.players { player.update { core, _ in core.slew(by: correction, at: host) } }
  }

  /// A difference in nanoseconds that is not corrected.
  private static let soundTolerance: HostTime = 200_000
  /// The time between corrections in nanoseconds, also if several players are heard.
  private static let correctionInterval: HostTime = 10_000_000
}
