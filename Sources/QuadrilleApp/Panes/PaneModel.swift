import CellGraphics
import Pixels
import Playback
import Terminal

/// Everything about a pane that is drawn or reported, at one moment.
///
/// A value without a player, used for chrome and reports on any thread.
struct PaneModel: Equatable, Sendable {
  /// The playback state; each has a sign.
  enum State: Equatable, Sendable {
    case playing
    /// Playing in reverse.
    case reversing
    case paused
    /// Playback requested but not started.
    case waiting(WaitingReason)
    case ended
    /// Cannot be played; the message is untrusted text.
    case failed(String)
  }

  /// The displayed frame.
  struct Frame: Equatable, Sendable {
    var timing: FrameTiming
    /// True if it only stands in for the frame being sought.
    var isApproximate = false
    /// True if the whole frame has been sent.
    var isWhole = true
    /// The part of the pane it covers, in blitter pixels.
    var shownSize = PixelSize(width: 0, height: 0)
    /// Its size on the screen in the terminal's pixels, if it is sent in these.
    var sentSize: PixelSize?
  }

  /// The extent of repetition.
  enum Loop: Equatable, Sendable {
    case off
    /// The first point has been set.
    case begun
    case on(TimeRange)
  }

  /// The contents of the pane.
  struct Clip: Equatable, Sendable {
    /// Name that distinguishes the pane from others.
    var title: TerminalText
    var path: String
    /// True if the clip's name is hidden; its properties then are, too.
    var isAnonymous = false
    /// The current scene and track of a storyboard.
    var part: TerminalText?
    /// Position in the pane's list, from 1, and the length of the list.
    var place = 1
    var count = 1
    /// nil until the clip is open, or if it has no video.
    var media: MediaModel?
    /// Indefinite if unknown.
    var length = MediaTime.indefinite
    /// Approximate number of frames; nil if unknown.
    var frameCount: Int?
    /// A message that the data ends early.
    var earlyEnd: String?

    /// The title, with the position in the list before it, and the current part.
    var heading: TerminalText {
      let whole: TerminalText = count > 1 ? "\(place)/\(count) \(title)" : title
      return part.map { "\(whole)  \($0)" } ?? whole
    }
  }

  /// Placement on the screen.
  struct View: Equatable, Sendable {
    /// nil if the pane is hidden.
    var geometry: PaneGeometry?
    var isFocused = false
    var gravity = Gravity.resizeAspect
    /// The scale of the part shown, such as "2:1"; nil if the whole frame is.
    var magnification: TerminalText?
    /// Cells covered by thumbnails; nil if there are none.
    var thumbnails: CellRect?
    /// Cells covered by a measurement; nil if there is none.
    var scope: CellRect?
    /// The plane or fields shown; nil for the picture as usual.
    var look: TerminalText?
  }

  /// The sound of a pane, as its title tells.
  enum Sound: Equatable, Sendable {
    case unmarked
    /// The pane is heard, and others are not.
    case heard
    case muted
    /// The clip has nothing but sound, and there is no device.
    case silent
    /// The pane would be heard; the reason is untrusted text.
    case failed(String)
  }

  /// Playback.
  struct PlaybackState: Equatable, Sendable {
    var state = State.paused
    /// The requested rate: 0 while paused, negative in reverse.
    var rate = 0.0
    /// The rate after resuming.
    var defaultRate = 1.0
    var repetition = ClipList.Repetition.off
    /// Number of plays; nil for no limit.
    var maxRounds: Int?
    var loop = Loop.off
    /// The in point; nil for the start of the clip.
    var inPoint: MediaTime?
    /// The out point; nil for the end of the clip.
    var outPoint: MediaTime?
    /// Offset from the first aligned pane; nil if not aligned.
    var offset: MediaTime?
    /// The sound of the pane, as far as it is worth a word.
    var sound = Sound.unmarked
    /// Recently dropped frames per second.
    var droppedPerSecond = 0
    /// The time from the clock to the live edge; nil if the clip is no live stream.
    var liveDelay: MediaTime?
    /// Delay of the displayed frame behind the clock, in seconds.
    var behind = 0.0
  }

  /// The sound of a clip that has nothing else.
  struct Meter: Equatable, Sendable {
    /// The whole clip, as far as it has been read.
    var overview: SoundOverview?
    /// The loudness at the displayed frame.
    var loudness: Loudness?
  }

  /// The facts of frames that are displayed besides the frames.
  struct Inspected: Equatable, Sendable {
    /// Facts of the displayed frame, if requested.
    var facts: TerminalText?
    /// The packets of the frames around, if requested.
    var packets: PacketStrip?
    var measurement = MeasurementModel()
  }

  /// Two clips in the pane.
  struct Comparison: Equatable, Sendable {
    /// Labels of the sides of the frame.
    struct Sides: Equatable, Sendable {
      var leading: TerminalText
      var trailing: TerminalText
      /// True if they are at the left and right, otherwise at the top and bottom.
      var areBeside: Bool
    }

    /// The names of both.
    var heading: TerminalText
    /// The mode.
    var words: TerminalText
    /// nil if both are in the same place.
    var sides: Sides?
  }

  /// Pane number, from 1.
  var number: Int
  var clip: Clip
  var view = View()
  var playback = PlaybackState()
  /// nil if only the pane's own clip is shown.
  var comparison: Comparison?
  /// The clock's time.
  var time = MediaTime.zero
  /// The displayed frame; nil if there is none yet.
  var frame: Frame?
  var cachedRanges: [TimeRange] = []
  /// The arrival of the clip's data; nil if all are at hand.
  var loading: LoadingProgress?
  /// Text over the frame.
  var subtitles: [SubtitleBlock] = []
  var notice: Notice?
  /// The available choices of a story.
  var story: StoryPanel?
  var inspected = Inspected()
  var meter = Meter()
  /// Statistics; nil if not requested.
  var figures: PaneFigures?
}

extension PaneModel {
  /// The title of the pane.
  var heading: TerminalText { comparison?.heading ?? clip.heading }

  /// True if the displayed frame is still.
  var isStill: Bool { playback.rate == 0 }

  var error: String? {
    if case .failed(let message) = playback.state { return message }
    return nil
  }

  /// The lowest row; nil if the pane has none.
  var bar: PaneBar? { PaneBar(view.geometry, length: clip.length, frameCount: clip.frameCount) }
}

/// Facts about the displayed media from the clip's headers.
struct MediaModel: Equatable, Sendable {
  /// True if it has only sound, which is shown, too.
  var isSoundOnly = false
  var container = ""
  var codec = ""
  var codedSize = PixelSize(width: 0, height: 0)
  /// Display size, in square pixels.
  var presentationSize = PixelSize(width: 0, height: 0)
  /// Frames per second; 0 if unknown.
  var frameRate = 0.0
  /// Overall bits per second; 0 if unknown.
  var bitRate: Int64 = 0
  var pixelFormat = ""
  /// Matrix, range, transfer and primaries, as text.
  var color = ""
  /// For sound only: samples per second, and channels.
  var sampleRate = 0
  var channelCount = 0
  /// Start times of chapters.
  var chapters: [MediaTime] = []
  /// Start times of markers.
  var markers: [MediaTime] = []
}

/// Playback statistics, for the panel and reports.
struct PaneFigures: Equatable, Sendable {
  /// In nanoseconds.
  struct Durations: Equatable, Sendable {
    var count = 0
    var median: Int64 = 0
    var percentile95: Int64 = 0
    var maximum: Int64 = 0
  }

  /// State of the frame index.
  enum Index: Equatable, Sendable {
    /// Fraction of the clip that has been read, 0…1.
    case underway(Double)
    case complete(frames: Int)
    /// The index will never be exact.
    case missing
  }

  var decoded = 0
  var shown = 0
  var dropped = 0
  /// Nanoseconds during which the clock ran.
  var played: Int64 = 0
  var lateness = Durations()
  var seeks = Durations()
  var cacheBytes = 0
  var cacheBudget = 0
  /// nil until indexing has started.
  var index: Index?
  /// Facts of the displayed frame; nil if there are none.
  var facts: TerminalText?
  /// Pairs of a comparison dropped because one of their frames was missing; nil if nothing is compared.
  var droppedPairs: Int?
  /// The sound track, and where it is heard the device, and how exactly it keeps to the frames.
  var sound: [TerminalText] = []
  /// Events of a storyboard, with any characters; nil if there is none.
  var story: [String]?
}
