import CellGraphics
import Pixels
import Playback
import Terminal

/// Everything about a pane that is drawn or reported, as it is at one moment.
///
/// A value without a player: chrome and reports are made from it, on whichever thread and wherever they are looked at.
struct PaneModel: Equatable, Sendable {
  /// What the player does. Each has a sign of its own.
  enum State: Equatable, Sendable {
    case playing
    /// Plays backwards.
    case reversing
    case paused
    /// Is to play, and does not yet.
    case waiting(WaitingReason)
    case ended
    /// Cannot be played; why, in a sentence that is not trusted.
    case failed(String)
  }

  /// The frame on the screen.
  struct Frame: Equatable, Sendable {
    var timing: FrameTiming
    /// Whether it only stands for the frame that is being gone to.
    var isApproximate = false
    /// Whether all of it has been sent.
    var isWhole = true
    /// The part of the pane that it covers, in the blitter's pixels.
    var shownSize = PixelSize(width: 0, height: 0)
  }

  /// What is played again and again.
  enum Loop: Equatable, Sendable {
    case off
    /// Its first point has been set.
    case begun
    case on(TimeRange)
  }

  /// What is shown.
  struct Clip: Equatable, Sendable {
    /// What the pane is called; tells it apart from the others.
    var title: TerminalText
    var path: String
    /// The scene and the track of a storyboard that is played.
    var part: TerminalText?
    /// Its place in the pane's list, from 1, and how many that has.
    var place = 1
    var count = 1
    /// nil until the clip is open, or where it has no video.
    var media: MediaModel?
    /// Indefinite while not known.
    var length = MediaTime.indefinite
    /// How many frames it has, about; nil when that is not known.
    var frameCount: Int?
    /// That the data ends before its time, in words.
    var earlyEnd: String?

    /// The title, behind its place in a list, and which part of it is played.
    var heading: TerminalText {
      let whole: TerminalText = count > 1 ? "\(place)/\(count) \(title)" : title
      return part.map { "\(whole)  \($0)" } ?? whole
    }
  }

  /// Where on the screen it is shown, and how.
  struct View: Equatable, Sendable {
    /// nil while the pane is hidden.
    var geometry: PaneGeometry?
    var isFocused = false
    var gravity = Gravity.resizeAspect
    /// Cells that thumbnails cover; nil while there are none.
    var thumbnails: CellRect?
  }

  /// What the player does.
  struct PlaybackState: Equatable, Sendable {
    var state = State.paused
    /// As wished for: 0 while paused, below 0 backwards.
    var rate = 0.0
    /// The rate at which it goes on.
    var defaultRate = 1.0
    var repetition = ClipList.Repetition.off
    /// How often what is repeated is played; nil for ever.
    var maxRounds: Int?
    var loop = Loop.off
    /// Where the piece begins that a movie takes of it; nil is with the clip.
    var inPoint: MediaTime?
    /// Where that piece ends; nil is with the clip.
    var outPoint: MediaTime?
    /// How far it is from the first aligned pane; nil where it is not aligned.
    var offset: MediaTime?
    /// Frames dropped a second, lately.
    var droppedPerSecond = 0
  }

  /// From 1, in the order of all panes.
  var number: Int
  var clip: Clip
  var view = View()
  var playback = PlaybackState()
  /// Where the clock stands.
  var time = MediaTime.zero
  /// nil until there is one.
  var frame: Frame?
  var cachedRanges: [TimeRange] = []
  /// Text over the frame.
  var subtitles: [SubtitleBlock] = []
  var notice: Notice?
  /// What can be chosen in a story now.
  var story: StoryPanel?
  /// nil where nobody looks at them.
  var figures: PaneFigures?
}

extension PaneModel {
  /// Whether the displayed frame stands still.
  var isStill: Bool { playback.rate == 0 }

  var error: String? {
    if case .failed(let message) = playback.state { return message }
    return nil
  }

  /// The lowest row; nil where the pane has none.
  var bar: PaneBar? { PaneBar(view.geometry, length: clip.length, frameCount: clip.frameCount) }
}

/// What a clip's headers tell of what is shown.
struct MediaModel: Equatable, Sendable {
  /// Whether it has sound only, which is shown and not played.
  var isSoundOnly = false
  var container = ""
  var codec = ""
  var codedSize = PixelSize(width: 0, height: 0)
  /// As it is to be seen, in square pixels.
  var presentationSize = PixelSize(width: 0, height: 0)
  /// Frames a second, 0 when not known.
  var frameRate = 0.0
  /// Bits a second over all, 0 when not known.
  var bitRate: Int64 = 0
  var pixelFormat = ""
  /// Matrix, range, transfer and primaries, in words.
  var color = ""
  /// Sound only: samples a second, and channels.
  var sampleRate = 0
  var channelCount = 0
  /// When chapters begin.
  var chapters: [MediaTime] = []
  /// When what somebody has marked begins.
  var markers: [MediaTime] = []
}

/// What a player has counted, for the figures panel and reports.
struct PaneFigures: Equatable, Sendable {
  /// Nanoseconds.
  struct Durations: Equatable, Sendable {
    var count = 0
    var median: Int64 = 0
    var percentile95: Int64 = 0
    var maximum: Int64 = 0
  }

  /// What is known of the frames' places.
  enum Index: Equatable, Sendable {
    /// How much of the clip has been read, 0…1.
    case underway(Double)
    case complete(frames: Int)
    /// Places will never be exact.
    case missing
  }

  var decoded = 0
  var shown = 0
  var dropped = 0
  /// Nanoseconds in which the clock ran.
  var played: Int64 = 0
  var lateness = Durations()
  var seeks = Durations()
  var cacheBytes = 0
  var cacheBudget = 0
  /// nil until indexing has begun.
  var index: Index?
  /// What happened in a storyboard: any characters. nil where there is none.
  var story: [String]?
}
