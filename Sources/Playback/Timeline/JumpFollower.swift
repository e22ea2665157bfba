import Libav

/// Follows the timestamp jumps of MPEG streams by the packets of one track, usually the video, for tracks shown beside it.
struct JumpFollower {
  private let timeBase: Ratio
  private var jumps: TimestampJumps
  /// The expected next timestamp, after correction; nil before the first.
  private var expected: Int64?
  /// The duration of the last packet that has one, in ticks of the video.
  private(set) var lastDuration: Int64 = 0

  /// - Parameter mayJump: true if the format's timestamps may be discontinuous.
  init(video: AssetTrack, mayJump: Bool) {
    timeBase = video.timeBase
    jumps = TimestampJumps(tick: video.timeBase.value, mayJump: mayJump)
  }

  /// Notes the video's next packet. Returns the offset to add to its timestamps, in its ticks.
  mutating func note(_ packet: Packet) -> Int64 {
    if packet.duration > 0 { lastDuration = packet.duration }
    guard let stamp = packet.dts ?? packet.pts else { return jumps.offset }
    expected = jumps.move(stamp, expected: expected) &+ lastDuration
    return jumps.offset
  }

  /// Returns where a timestamp of another stream lies on the continuous timeline; nil if it is far from the video's current
  /// time, for instance after a jump that the video has yet to reach.
  func place(_ time: MediaTime) -> MediaTime? {
    guard let expected else { return time }
    let now = MediaTime(ticks: expected, in: timeBase)
    // Cues from shortly before a jump may come after it.
    let nearest = [jumps.offset, jumps.formerOffset].map { time + MediaTime(ticks: $0, in: timeBase) }
      .min { abs(($0 - now).seconds) < abs(($1 - now).seconds) }
    return nearest.flatMap { TimestampJumps.isJump(seconds: ($0 - now).seconds) ? nil : $0 }
  }

  /// Like `place`, but uses the latest jump, however far the result is.
  func placed(_ time: MediaTime) -> MediaTime { place(time) ?? time + MediaTime(ticks: jumps.offset, in: timeBase) }
}
