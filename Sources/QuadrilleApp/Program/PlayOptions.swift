import CellGraphics
import Pixels
import Playback

/// The options of a run: from the settings file, then from the command line.
public struct PlayOptions: Sendable {
  /// Options for the terminal.
  public struct TerminalOptions: Sendable {
    /// nil to detect it.
    public var colors: ColorDepth?
    public var dithering = Dithering.full
    /// The cells of frames; nil for those chosen last, otherwise `usualCells`.
    public var cells: CellStyle?
    /// The cells of frames until others are chosen.
    public var usualCells = CellStyle.half
    /// Frames in pixels; nil for what was chosen last, otherwise `usualPixels`.
    public var pixels: PixelStyle?
    /// Frames in pixels until others are chosen.
    public var usualPixels = PixelStyle.off
    /// Quality of moving frames.
    public var quality = ImageQuality.high
    /// Maximum bytes per second sent to the terminal; nil for no limit.
    public var maxRate: Int?
    /// Aspect ratio of a cell; nil for the terminal's own, otherwise 1:2.
    public var cellAspect: Double?
    public var usesMouse = true
  }

  /// The behaviour of panes under common control while one of them waits for data.
  public enum StallHandling: String, CaseIterable, Sendable {
    /// All wait for it.
    case all
    /// The others go on.
    case each
  }

  public struct SoundOptions: Sendable {
    public var panes = SoundPanes.focused
    /// The volume in decibels.
    public var decibels = 0.0
    /// The stated loudness with which clips are played.
    public var replayGain = ReplayGain.Mode.off
    /// True if frames reached while paused are heard.
    public var scrubs = false
    /// Valid volumes; at the lowest there is silence.
    public static let decibelRange = SoundControl.decibelRange
  }

  /// Limits on machine resources.
  public struct ResourceOptions: Sendable {
    /// nil for the number of CPU cores.
    public var threads: Int?
    /// Valid numbers of threads.
    public static let threadCounts = 1...256
    /// Path of a file with certificate authorities to trust besides the system's.
    public var certificateFile: String?
    /// The highest bit rate of streams with variants, in bits per second; 0 for no limit.
    public var maxBitRate = 0.0
    /// The behaviour of linked panes while one of them waits for data.
    public var stallHandling = StallHandling.all
    /// The program's name and version for servers.
    public var userAgent = "quadrille"
    /// Bytes of cached frames, for all panes together.
    public var cacheBytes = ByteCount.defaultCache
  }

  public struct FileOptions: Sendable {
    /// Path of the settings file.
    public var settings: String?
    /// Path of the session, written on exit.
    public var session: String?
    /// Path for statistics, written on exit.
    public var stats: String?
    /// Path for the votes of a blind test, written on exit.
    public var votes: String?
    /// Path for the intended screen contents, written on exit; for bug reports and tests.
    public var screenDump: String?
  }

  /// Initial state of playback.
  public struct BeginningOptions: Sendable {
    /// Start positions: one for all clips, or one per clip; empty to start at the beginning.
    public var starts: [StartPosition] = []
    /// Offsets from the first pane.
    public var offsets: [PaneOffset] = []
    /// Frames per second of image sequences: one rate for all clips, or one per clip; empty for the default.
    public var imageRates: [Ratio] = []
    public var speed = 1.0
    public var isPaused = false
    /// True to shuffle lists.
    public var isShuffled = false
    /// Choices to make in storyboards, in the form of `StoryboardTrace`.
    public var choices: [String] = []
  }

  /// Initial view of panes.
  public struct ViewOptions: Sendable {
    public var layout = LayoutStyle.auto
    public var gravity = Gravity.resizeAspect
    /// The part of frames that is shown.
    public var magnification = Magnification()
    /// The way in which the second clip is shown against the first from the beginning; nil for both in panes of their own.
    public var comparison: CompareSettings.Mode?
    public var showsInfo = false
    /// False to play sound alone, in one line.
    var showsPicture = true
  }

  /// Comparing and judging clips.
  public struct EvaluationOptions: Sendable {
    /// The index of each pane's clip; nil for the order of the clips.
    var paneOrder: [Int]?
    /// True to hide the names of the clips, for a blind test.
    public var isBlind = false
    /// True to align the clips frame by frame.
    public var alignsFrames = false
    /// The path of an `ffmpeg` that computes VMAF; nil to look for libvmaf or an `ffmpeg`.
    public var vmafProgram: String?
    /// The session to continue; nil to begin with the clips as given.
    public internal(set) var session: SessionDocument?
  }

  /// Selection of subtitles.
  public struct SubtitleOptions: Sendable {
    /// Subtitle files: all for a single clip, otherwise one per clip.
    public var files: [String] = []
    /// Requested languages, in order of preference.
    public var wishes: [LanguageTag] = []
    /// Languages of the user's locale.
    public var understood: [LanguageTag] = []
    /// Encoding of subtitle files that are not UTF-8, as named by iconv.
    public var charset: String?
    /// The program that draws text into frames in pixels (`TypesettingProcess`); nil to leave it in cells.
    public var typesetter: String?
  }

  public var subtitles = SubtitleOptions()
  /// Languages of video and sound.
  public var languages = MediaLanguages()
  /// Clips of each pane.
  public var clips: [ClipList] = []
  public var beginning = BeginningOptions()
  public var evaluation = EvaluationOptions()
  /// Repetition of each clip or list.
  public var looping = Looping.once
  public var isLinked = true
  /// True to show every frame, as fast as the terminal accepts them.
  public var isUntimed = false
  public var exitsAtEnd = false
  public var view = ViewOptions()
  public var keys = KeyMap.standard
  public var terminal = TerminalOptions()
  public var sound = SoundOptions()
  public var resources = ResourceOptions()
  public var files = FileOptions()

  public init() {}

  /// Maximum number of panes.
  public static let maxPanes = 4

  func subtitleFiles(ofClip index: Int) -> [String] {
    clips.count == 1 ? subtitles.files : subtitles.files.indices.contains(index) ? [subtitles.files[index]] : []
  }

  /// Frames per second of a clip's image sequences.
  ///
  /// - Parameter index: nil for a clip opened later, to which only a rate for all clips applies.
  public func imageRate(ofClip index: Int?) -> Ratio {
    let rates = beginning.imageRates
    if rates.count == 1 { return rates[0] }
    return index.flatMap { rates.indices.contains($0) ? rates[$0] : nil } ?? ImageSequence.defaultFrameRate
  }

  func start(ofClip index: Int) -> StartPosition? {
    let starts = beginning.starts
    return starts.count == 1 ? starts[0] : starts.indices.contains(index) ? starts[index] : nil
  }
}

/// Number of plays.
public enum Looping: Hashable, Sendable {
  /// No repetition.
  case once
  /// A number of plays, at least 2.
  case times(Int)
  case forever

  /// Maximum number of plays.
  public static let maxTimes = 1_000_000

  /// - Parameter times: From 1 to `maxTimes`; nil for other values.
  public init?(times: Int) {
    guard (1...Self.maxTimes).contains(times) else { return nil }
    self = times == 1 ? .once : .times(times)
  }
}

/// A position in a clip as text: a time or a frame number.
public enum StartPosition: Hashable, Sendable {
  case time(MediaTime)
  /// Zero-based.
  case frame(Int)

  /// Parses "12.5", "1:02", "1:02:03.4" or "#250".
  public init?(_ text: String) {
    let trimmed = text.drop { $0 == " " }
    if trimmed.first == "#" {
      // Accept only digits: `Int` would accept signs.
      let digits = trimmed.dropFirst()
      guard digits.allSatisfy(\.isASCIIDigit), let number = Int(digits) else { return nil }
      self = .frame(number)
    } else {
      guard let time = MediaTime(clockText: String(trimmed)), time.isNumeric, time >= .zero else { return nil }
      self = .time(time)
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}

/// A number of bytes as text: "256M", "1G", "65536".
public enum ByteCount {
  /// Parses a size with an optional K, M or G (powers of 1024) and an optional B or iB; nil if invalid.
  public static func parse(_ text: String) -> Int? {
    var rest = text.uppercased()[...]
    if rest.hasSuffix("IB") { rest = rest.dropLast(2) } else if rest.hasSuffix("B") { rest = rest.dropLast() }
    let powers: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    var shift = 0
    if let last = rest.last, let power = powers[last] {
      shift = power
      rest = rest.dropLast()
    }
    // Reject other number formats, such as 0x10.
    guard rest.allSatisfy({ $0.isASCIIDigit || $0 == "." }), let value = Double(rest), value.isFinite
    else { return nil }
    let bytes = value * Double(1 << shift)
    return bytes <= Double(1 << 40) ? Int(bytes) : nil
  }

  /// Parses bytes per second, at least 1,000; nil if invalid.
  public static func parseRate(_ text: String) -> Int? { parse(text).flatMap { $0 >= 1000 ? $0 : nil } }

  /// A quarter of the machine's memory, at most 1 GiB.
  public static var defaultCache: Int { min(1 << 30, SystemResources.memory / 4) }
}
