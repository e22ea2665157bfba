import Playback

/// State of the clip that a pane plays, discarded with the clip. Screen thread only.
struct ClipSession {
  /// State reported by the player.
  var state = ClipState()
  /// The story, if the clip is a storyboard that has started.
  var story: PaneStory?
  /// The sound track selected by the user.
  var chosenSound: AssetTrack?
  /// True if the decoder leaves out the film grain that AV1 adds.
  var omitsFilmGrain = false
  /// The seek time at which the current track was selected.
  var trackEntry: MediaTime?
  /// The first point of an A-B loop being set.
  var loopStart: MediaTime?
  /// The in and out points of a piece.
  var marks = PieceMarks()
  var numberedSeek = NumberedSeek.none
  /// True if the clip's data have run out and the program has not been notified yet.
  var hasStalled = false
  /// Created with the first saved frame.
  var saver: FrameSaver?
  /// Reads the sound of a clip that has nothing else.
  var survey: SoundSurvey? { didSet { overview = nil } }
  /// The result of the survey so far.
  private(set) var overview: SoundOverview?
  /// Warnings about a movie that have been reported.
  var reportedRemarks: Set<String> = []
  /// True if the clip has replaced another and the program has not been notified yet.
  var isUnreported = false

  /// Takes over what is known of the sound. Returns true if more is known than before.
  mutating func updateOverview() -> Bool {
    guard let known = survey?.overview, known != overview else { return false }
    overview = known
    return true
  }
}
