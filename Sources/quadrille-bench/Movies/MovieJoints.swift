import Playback

/// The smoothness of a movie's joints: 200 joints of two clips in turn, on a screen of the usual size.
enum MovieJoints {
  private static let joints = 200
  private static let frames = 12
  /// Frames between the beginnings of two pieces of one clip.
  private static let step = 17

  static func measure(_ clips: [String]) throws -> [TableRow] {
    let assets = clips.map { Asset(path: $0) }
    var movie = Composition()
    for number in 0...joints {
      let first = Int64(5 + number / clips.count * step % 250)
      try movie.append(
        TimeRange(
          start: MediaTime(value: first, timescale: CutList.rate),
          duration: MediaTime(value: Int64(frames), timescale: CutList.rate)),
        of: assets[number % clips.count])
    }
    let watch = try FrameWatch()
    defer { watch.end() }
    watch.player.replaceCurrentItem(with: PlayerItem(asset: Asset(composition: movie)))
    watch.player.rate = 1
    let total = (joints + 1) * frames
    var last = -1, found = JointFigures()
    try watch.run(rate: CutList.rate) { number, lateness in
      if number != last + 1 { found.wrong.append(number) }
      if number > 0 { found.add(lateness, isJoint: number % frames == 0) }
      last = number
      return last < total - 1
    }
    return try found.rows("joints of two clips", joints: joints)
  }
}

/// The figures of the frames at joints.
struct JointFigures {
  /// Numbers of frames that did not follow the one before.
  var wrong: [Int] = []
  /// Milliseconds.
  private var late: [Double] = [], others: [Double] = []

  mutating func add(_ lateness: Double, isJoint: Bool) {
    if isJoint { late.append(lateness) } else { others.append(lateness) }
  }

  func rows(_ what: String, joints: Int) throws -> [TableRow] {
    let interval = 1000 / Double(CutList.rate)
    return [
      TableRow(
        "frames dropped or doubled over \(joints) \(what)", [Double(wrong.count)], atMost: 0, digits: 0,
        note: wrong.isEmpty ? "" : "before frames \(wrong.prefix(20).map(String.init).joined(separator: " "))"),
      TableRow(
        "lateness at such a joint, p99 of \(late.count)", [percentile(late, 0.99)], atMost: (interval / 2 * 10).rounded() / 10,
        unit: " ms", digits: 1,
        note: "p50 \(text(percentile(late, 0.5), 1)) ms; of other frames p50 \(text(percentile(others, 0.5), 1)), p99 \(text(percentile(others, 0.99), 1)) ms"),
      TableRow("memory at its peak with that, MB", [try ProcessFigures.ownPeakMegabytes()], atMost: 250, digits: 0, note: "this process"),
    ]
  }
}
