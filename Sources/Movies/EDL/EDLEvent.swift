import Playback

/// An event of an edit decision list (CMX 3600), with the comments that follow it.
struct EDLEvent {
  /// The way the edit starts.
  enum Kind: Hashable {
    case cut
    case dissolve
    /// A wipe, by the number after the W.
    case wipe(Int)
    /// K, KB or KO.
    case key(String)
  }

  /// A point on a tape: a timecode, or a count of frames.
  enum Point: Hashable {
    case timecode(Timecode)
    case frames(Int64)
  }

  /// A marker from a comment line.
  struct Locator {
    var line: Int
    /// Nil for an invalid timecode.
    var place: Timecode?
    /// The colour and the name.
    var text: String
  }

  /// A speed from an M2 line.
  struct Speed {
    /// The reel or clip that it applies to.
    var name: String
    /// The frames a second, as written.
    var text: String
  }

  var line: Int
  var number: String
  var reel: String
  var track: String
  var kind: Kind
  /// The duration of the transition, in frames.
  var transitionFrames: Int64 = 0
  var sourceIn: Point
  var sourceOut: Point
  var recordIn: Point
  var recordOut: Point

  var speeds: [Speed] = []
  var isFrozen = false
  var fromName: String?
  var toName: String?
  var fromFile: String?
  var toFile: String?
  var missing: String?
  var locators: [Locator] = []
  var comments: [String] = []

  /// True for a video event, possibly with sound.
  var isVideo: Bool { track.contains("V") || track == "B" }
  /// True for an event with sound: A, A2, AA, AA/V and the like.
  var isHeard: Bool { track.contains("A") || track == "B" }
  /// 1 for V and V1, 2 for V2.
  var videoTrack: Int {
    guard let v = track.lastIndex(of: "V") else { return 1 }
    return Int(track[track.index(after: v)...]) ?? 1
  }
  var isBlack: Bool { reel == "BL" || reel == "BLACK" }
}
