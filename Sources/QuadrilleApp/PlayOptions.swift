import CellGraphics
import Pixels
import Playback

/// What a run was asked to do: from the settings file, then from the command line.
public struct PlayOptions: Sendable {
  public var clips: [String] = []
  public var start: StartPosition?
  public var speed = 1.0
  public var isPaused = false
  public var loops = false
  public var isLinked = true
  public var layout = LayoutStyle.auto
  public var gravity = Gravity.resizeAspect
  /// nil: detected.
  public var colors: ColorDepth?
  /// Width over height of a cell; nil: as the terminal says, else 1:2.
  public var cellAspect: Double?
  /// nil: as many as the machine has cores.
  public var threads: Int?
  public var usesMouse = true
  public var isUntimed = false
  public var exitsAtEnd = false
  public var statsFile: String?
  public var showsInfo = false
  /// Where to write at the end what the screen was meant to show, for bug reports and tests.
  public var screenDumpFile: String?
  public var keys = KeyMap.standard

  public init() {}

  /// Clips at the most.
  public static let mostClips = 4
}

/// A place in a clip as people write it: a time, or the number of a picture.
public enum StartPosition: Hashable, Sendable {
  case time(MediaTime)
  /// Zero-based.
  case frame(Int)

  /// Reads "12.5", "1:02", "1:02:03.4" or "#250".
  public init?(_ text: String) {
    let trimmed = text.drop { $0 == " " }
    if trimmed.first == "#" {
      guard let number = Int(trimmed.dropFirst()), number >= 0 else { return nil }
      self = .frame(number)
    } else {
      guard let time = MediaTime(clockText: String(trimmed)), time.isNumeric, time >= .zero else { return nil }
      self = .time(time)
    }
  }
}
