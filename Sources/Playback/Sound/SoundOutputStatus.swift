import Sound

/// The state of a context's sound device.
public enum SoundOutputStatus: Hashable, Sendable {
  /// The device is being opened.
  case opening
  /// Sound is heard.
  case open(SoundOutputInfo)
  /// Nothing is heard, and players go on; devices are tried again every 2 seconds. The reason has the form "connection refused".
  case silent(reason: String)

  init(_ status: SoundStatus, _ statistics: SoundStatistics) {
    switch status {
    case .opening: self = .opening
    case .open(let device): self = .open(SoundOutputInfo(device, statistics))
    case .silent(let reason): self = .silent(reason: reason)
    }
  }
}

/// An open sound device.
public struct SoundOutputInfo: Hashable, Sendable {
  /// The kind of device: "PulseAudio", "ALSA".
  public let kind: String
  /// The device's own name; untrusted text. Empty if there is none.
  public let name: String
  /// Samples per second.
  public let sampleRate: Int
  /// Channels of the device.
  public let channelCount: Int
  /// The time in nanoseconds until a sample is heard; nil if unknown. It is compensated.
  public let latency: HostTime?
  /// The times that the device had no samples, since the context was created.
  public let underruns: Int

  init(_ device: SoundDevice, _ statistics: SoundStatistics) {
    (kind, name) = (device.kind.rawValue, device.name)
    (sampleRate, channelCount) = (device.format.rate, device.format.channels)
    (latency, underruns) = (statistics.latency, statistics.underruns)
  }
}

extension PlaybackContext {
  /// True if players are heard where there is a device.
  public var playsSound: Bool { sound != nil }

  /// The state of the sound device; nil if the context plays no sound.
  public var soundOutputStatus: SoundOutputStatus? {
    sound.map { SoundOutputStatus($0.status, $0.statistics) }
  }

  /// Names what is heard in the system's list of streams; characters that control terminals are removed.
  public func setSoundTitle(_ title: String) { sound?.setTitle(title) }
}
