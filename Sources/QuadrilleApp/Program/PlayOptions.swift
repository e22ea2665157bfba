import CellGraphics
import Pixels
import Playback

/// What a run was asked to do: from the settings file, then from the command line.
public struct PlayOptions: Sendable {
  /// The terminal, and how it is used.
  public struct TerminalOptions: Sendable {
    /// nil: detected.
    public var colors: ColorDepth?
    public var dithering = Dithering.full
    /// How near to exact moving frames are.
    public var quality = ImageQuality.high
    /// Bytes a second that the terminal is sent at the most; nil: as many as it takes.
    public var maxRate: Int?
    /// Width over height of a cell; nil: as the terminal says, else 1:2.
    public var cellAspect: Double?
    public var usesMouse = true
  }

  /// What may be used of the machine.
  public struct ResourceOptions: Sendable {
    /// nil: as many as the machine has cores.
    public var threads: Int?
    /// Numbers of threads that can be asked for.
    public static let threadCounts = 1...256
    /// Bytes of frames kept in memory for going back and forth, for all panes together.
    public var cacheBytes = ByteCount.defaultCache
  }

  public struct FileOptions: Sendable {
    /// Where the settings were read.
    public var settings: String?
    /// Where to write figures of the run at its end.
    public var stats: String?
    /// Where to write at the end what the screen was meant to show, for bug reports and tests.
    public var screenDump: String?
  }

  /// Where clips begin, and how.
  public struct BeginningOptions: Sendable {
    /// One place for all, or one for each; none begins them at their beginnings.
    public var starts: [StartPosition] = []
    /// How far panes are from the first one.
    public var offsets: [PaneOffset] = []
    public var speed = 1.0
    public var isPaused = false
  }

  /// How panes look at first.
  public struct ViewOptions: Sendable {
    public var layout = LayoutStyle.auto
    public var gravity = Gravity.resizeAspect
    public var showsInfo = false
  }

  /// Which subtitles are shown.
  public struct SubtitleOptions: Sendable {
    /// Files of subtitles: all for the only clip, or one for each.
    public var files: [String] = []
    /// Languages that were asked for, the most wanted first.
    public var wishes: [LanguageTag] = []
    /// Languages of the user's locale.
    public var understood: [LanguageTag] = []
    /// iconv's name of the encoding of files that are not in UTF-8.
    public var charset: String?
  }

  public var subtitles = SubtitleOptions()
  /// Languages of what is seen and heard.
  public var languages = MediaLanguages()
  /// What each pane plays.
  public var clips: [ClipList] = []
  /// What is chosen in storyboards, as soon as it can be: as `StoryboardTrace` takes it.
  public var choices: [String] = []
  public var beginning = BeginningOptions()
  /// How often each clip, or a pane's whole list, is played.
  public var looping = Looping.once
  /// Whether lists are played in any order.
  public var isShuffled = false
  public var isLinked = true
  /// Whether every frame is shown, as fast as the terminal takes them.
  public var isUntimed = false
  public var exitsAtEnd = false
  public var view = ViewOptions()
  public var keys = KeyMap.standard
  public var terminal = TerminalOptions()
  public var resources = ResourceOptions()
  public var files = FileOptions()

  public init() {}

  /// Panes at the most.
  public static let maxPanes = 4

  func subtitleFiles(ofClip index: Int) -> [String] {
    clips.count == 1 ? subtitles.files : subtitles.files.indices.contains(index) ? [subtitles.files[index]] : []
  }

  func start(ofClip index: Int) -> StartPosition? {
    let starts = beginning.starts
    return starts.count == 1 ? starts[0] : starts.indices.contains(index) ? starts[index] : nil
  }
}

/// How often something is played.
public enum Looping: Hashable, Sendable {
  /// It is not repeated.
  case once
  /// So many times, at least 2.
  case times(Int)
  case forever

  /// Times that can be asked for at the most.
  public static let maxTimes = 1_000_000

  /// - Parameter times: from 1 to `maxTimes`; nil for others.
  public init?(times: Int) {
    guard (1...Self.maxTimes).contains(times) else { return nil }
    self = times == 1 ? .once : .times(times)
  }
}

/// A place in a clip as people write it: a time, or the number of a frame.
public enum StartPosition: Hashable, Sendable {
  case time(MediaTime)
  /// Zero-based.
  case frame(Int)

  /// Reads "12.5", "1:02", "1:02:03.4" or "#250".
  public init?(_ text: String) {
    let trimmed = text.drop { $0 == " " }
    if trimmed.first == "#" {
      // Digits only: numbers may have signs elsewhere.
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

/// A number of bytes as people write it: "256M", "1G", "65536".
public enum ByteCount {
  /// Reads a size with an optional K, M or G (powers of 1024, a final B or iB may follow); nil when it is none.
  public static func parse(_ text: String) -> Int? {
    var rest = text.uppercased()[...]
    if rest.hasSuffix("IB") { rest = rest.dropLast(2) } else if rest.hasSuffix("B") { rest = rest.dropLast() }
    let powers: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    var shift = 0
    if let last = rest.last, let power = powers[last] {
      shift = power
      rest = rest.dropLast()
    }
    // Other forms of numbers, such as 0x10, are no sizes.
    guard rest.allSatisfy({ $0.isASCIIDigit || $0 == "." }), let value = Double(rest), value.isFinite
    else { return nil }
    let bytes = value * Double(1 << shift)
    return bytes <= Double(1 << 40) ? Int(bytes) : nil
  }

  /// Reads bytes a second, at least 1,000; nil when it is no rate.
  public static func parseRate(_ text: String) -> Int? { parse(text).flatMap { $0 >= 1000 ? $0 : nil } }

  /// A quarter of the machine's memory, but at most 1 GiB.
  public static var defaultCache: Int { min(1 << 30, SystemResources.memory / 4) }
}
