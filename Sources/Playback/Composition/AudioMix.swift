import Glibc

/// The volumes of a composition's sound. All times are on the composition's timeline, and edits do not move them, as with
/// AVAudioMix.
///
/// All segments that play forwards are heard, whatever track lies above them, and so are the clips of overlays: their samples
/// are added. Segments that are retimed to 0.5 to 4 times their speed keep their pitch; others are silent, as are those that
/// play backwards and freeze frames.
public struct AudioMix: Hashable, Sendable {
  /// The volumes of the composition's `tracks`, by index; 1 for a track without one.
  public var volumes: [Int: AudioVolume] = [:]
  /// The volumes of the composition's `audioTracks`, by index; 1 for a track without one.
  public var audioTrackVolumes: [Int: AudioVolume] = [:]
  /// The course of the volumes of two tracks while a video transition replaces one by the other.
  public var crossfade = AudioCrossfade.equalPower

  /// Creates a mix in which everything has a volume of 1.
  public init() {}
}

/// The course of a volume that rises from 0 to 1 or falls from 1 to 0.
public enum AudioCrossfade: String, CaseIterable, Hashable, Sendable, Codable {
  /// Along a quarter of a sine: the power of two different sounds stays the same.
  case equalPower = "equal-power"
  /// In proportion to the time: the amplitude of two equal sounds stays the same.
  case linear

  /// Returns the volume at a share of a rise.
  package func volume(_ share: Double) -> Double {
    let share = min(max(share, 0), 1)
    return switch self {
    case .equalPower: sin(share * .pi / 2)
    case .linear: share
    }
  }
}

/// A volume that changes over time: linear factors, 1 before the first one that is set.
public struct AudioVolume: Hashable, Sendable {
  /// A volume that is reached at the end of a range in proportion to the time, and kept from then on.
  public struct Ramp: Hashable, Sendable {
    /// The range of the change; empty if the volume changes at once.
    public let timeRange: TimeRange
    /// The volumes at the start and at the end of the range, in `AudioVolume.range`.
    public let startVolume, endVolume: Float
  }

  /// The changes, in the order of their starts. A change ends where the next one starts.
  public private(set) var ramps: [Ramp] = []

  /// The factors that can be set.
  public static let range: ClosedRange<Float> = 0...8

  /// Creates a volume of 1.
  public init() {}

  /// Creates a constant volume.
  public init(_ volume: Float) { setVolume(volume, at: .zero) }

  /// Sets the volume from a time on.
  ///
  /// - Parameters:
  ///   - volume: a factor, limited to `range`.
  ///   - time: numeric, else nothing is changed.
  public mutating func setVolume(_ volume: Float, at time: MediaTime) {
    setVolumeRamp(fromStartVolume: volume, toEndVolume: volume, timeRange: TimeRange(start: time, duration: .zero))
  }

  /// Sets volumes that change in proportion to the time. A change that starts at the same time is replaced.
  ///
  /// - Parameters:
  ///   - startVolume, endVolume: factors, limited to `range`.
  ///   - timeRange: numeric, else nothing is changed.
  public mutating func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: TimeRange) {
    guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
    let ramp = Ramp(timeRange: timeRange, startVolume: Self.limited(startVolume), endVolume: Self.limited(endVolume))
    let number = ramps.partitioningIndex { $0.timeRange.start >= timeRange.start }
    if number < ramps.count, ramps[number].timeRange.start == timeRange.start {
      ramps[number] = ramp
    } else {
      ramps.insert(ramp, at: number)
    }
  }

  /// Returns the volume at a time.
  public func volume(at time: MediaTime) -> Float {
    let number = ramps.partitioningIndex { $0.timeRange.start > time }
    guard number > 0 else { return 1 }
    let ramp = ramps[number - 1]
    guard time < ramp.timeRange.end else { return ramp.endVolume }
    let share = (time - ramp.timeRange.start).seconds / ramp.timeRange.duration.seconds
    return ramp.startVolume + Float(share) * (ramp.endVolume - ramp.startVolume)
  }

  private static func limited(_ volume: Float) -> Float { volume.isFinite ? min(max(volume, range.lowerBound), range.upperBound) : 1 }
}
