import Movies
import Playback

/// The smoothness of a story's joints: 50 choices, each made 100 ms before its point, about half of which are jumps.
enum StoryJoints {
  private static let joints = 50
  private static let tracks = 16
  /// Of a track. Until a track begins, what may follow it is decoded from the keyframe before: up to 124 frames of each of two.
  private static let frames = 60
  /// Frames before its point at which a choice is made.
  private static let before = 3
  /// Frames between the beginnings of two tracks of one clip.
  private static let step = 17
  /// Tracks that the second choice passes over.
  private static let leap = 5

  static func measure(_ clips: [String]) throws -> [TableRow] {
    let name = "story.yaml"
    let storyboard = try StoryboardFile(text: yaml(clips), name: name).storyboard
    let watch = try FrameWatch()
    defer { watch.end() }
    let story = try StoryboardPlayer(storyboard, clips: StoryboardClips(storyboardAt: name), player: watch.player)
    defer { story.end() }
    story.begin()
    watch.player.play()
    // The same on all machines.
    var state: UInt64 = 7
    func leaps() -> Bool {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 63 == 1
    }
    // An item begins with a track, so a frame's number tells its place in its track.
    var last = -1, first = 0, seen = 0, crossed = 0, jumps = 0, found = JointFigures()
    // Where the choice leads, once it has been made.
    var next: Int?
    try watch.run(rate: CutList.rate) { number, lateness in
      let isJoint = last >= 0 && (number < last || number / frames != last / frames)
      // Nothing but the next track of the scene plays on.
      let isJump = isJoint && next.map { $0 != first + last / frames + 1 } ?? false
      let isNext = number == (isJump ? 0 : last + 1) && (!isJoint || last % frames == frames - 1)
      if !isNext { found.wrong.append(seen) }
      if last >= 0 { found.add(lateness, isJoint: isJoint) }
      if isJump, let next { (first, jumps) = (next, jumps + 1) }
      if isJoint { (next, crossed) = (nil, crossed + 1) }
      (last, seen) = (number, seen + 1)
      if next == nil, number % frames >= frames - before {
        let isLeap = leaps()
        next = (first + number / frames + (isLeap ? leap : 1)) % tracks
        story.choose(isLeap ? 2 : 1)
      }
      return crossed < joints
    }
    return try found.rows("joints by choices, \(jumps) of them jumps", joints: joints)
  }

  private static func yaml(_ clips: [String]) -> String {
    let list = (0..<tracks).map { number in
      let start = 5 + number / clips.count * step % 250
      return """
            - track: t\(number)
              clip: "\(clips[number % clips.count])"
              in: \(start)/\(CutList.rate)
              length: \(frames)/\(CutList.rate)
              choices: [{label: next, to: t\((number + 1) % tracks)}, {label: away, to: t\((number + leap) % tracks)}]
              then: t\((number + 1) % tracks)

        """
    }
    return "quadrille: storyboard 1\nscenes:\n  - scene: S\n    tracks:\n" + list.joined()
  }
}
