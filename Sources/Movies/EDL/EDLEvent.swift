import Playback

/// One line of an edit decision list (CMX 3600) that tells of an edit, with what the lines behind it say of it.
struct EDLEvent {
  /// How the edit begins.
  enum Kind: Hashable {
    case cut
    case dissolve
    /// By the number behind the W.
    case wipe(Int)
    /// K, KB or KO.
    case key(String)
  }

  /// A point on a tape: a timecode, or a count of frames.
  enum Point: Hashable {
    case timecode(Timecode)
    case frames(Int64)
  }

  /// A marker from a line of comment.
  struct Locator {
    var line: Int
    /// nil where it is no timecode.
    var place: Timecode?
    /// Its colour and name.
    var text: String
  }

  /// A speed from an M2 line.
  struct Speed {
    /// The reel or clip that it is said of.
    var name: String
    /// Frames a second as written.
    var text: String
  }

  var line: Int
  var number: String
  var reel: String
  var track: String
  var kind: Kind
  /// Frames that its transition takes.
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

  /// Whether it is one of video, also beside sound.
  var isVideo: Bool { track.contains("V") || track == "B" }
  /// 1 for V and V1, 2 for V2.
  var videoTrack: Int {
    guard let v = track.lastIndex(of: "V") else { return 1 }
    return Int(track[track.index(after: v)...]) ?? 1
  }
  var isBlack: Bool { reel == "BL" || reel == "BLACK" }
}
