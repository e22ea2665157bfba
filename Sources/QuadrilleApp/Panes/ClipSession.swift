import Playback

/// What belongs to the clip that a pane plays, and is over when another begins. Screen thread only.
struct ClipSession {
  /// What its player has reported.
  var state = ClipState()
  /// Where it is a storyboard that has begun.
  var story: PaneStory?
  /// The sound track that somebody has chosen.
  var chosenSound: AssetTrack?
  /// The time at which the track that is shown was gone to from another.
  var trackEntry: MediaTime?
  /// First of the two points of an A-B loop that is being set.
  var loopStart: MediaTime?
  /// Where the piece begins and ends that a movie takes of it.
  var marks = PieceMarks()
  var numberedSeek = NumberedSeek.none
  /// Made when the first of its frames is saved.
  var saver: FrameSaver?
  /// What has been said of a movie that is not as it is meant to be.
  var reportedRemarks: Set<String> = []
  /// Whether it has another's place, and the program has not heard of that.
  var isUnreported = false

  /// A seek to a frame by its number, which may have to wait until places are known.
  enum NumberedSeek {
    case none
    /// Begins once the clip is open.
    case waiting(number: Int)
    /// Was made to an estimated time.
    case estimated(number: Int, time: MediaTime)
  }
}
