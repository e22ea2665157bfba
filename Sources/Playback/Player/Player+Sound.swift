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

  /// The reason that the current item's sound cannot be played; nil if it can, or has not been tried.
  public var soundError: PlaybackError? { sound?.failure }

  /// Corrects the clock by what is heard; called for each frame.
  func followSound(at host: HostTime) {
    guard let deviation = sound?.deviation(at: host), abs(deviation) > Self.soundTolerance else { return }
    update { core, _ in core.slew(by: deviation, at: host) }
  }

  /// A difference in nanoseconds that is not corrected.
  private static let soundTolerance: Int64 = 200_000
}
