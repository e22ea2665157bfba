import ArgumentParser
import CellGraphics
import Pixels
import Playback
import QuadrilleApp
import Terminal

extension PlayOptions.StallHandling: ExpressibleByArgument {}
extension ReplayGain.Mode: ExpressibleByArgument {}

extension SoundPanes: ExpressibleByArgument {
  public static var allValueStrings: [String] { names }
}

extension StartPosition: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension GoToTarget: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension PaneOffset: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension LayoutStyle: ExpressibleByArgument {}

extension CellStyle: ExpressibleByArgument {}

extension PixelStyle: ExpressibleByArgument {}
extension Dithering: ExpressibleByArgument {}
extension ImageQuality: ExpressibleByArgument {}

extension Gravity: ExpressibleByArgument {
  public init?(argument: String) { self.init(commandLineName: argument) }
  public static var allValueStrings: [String] { commandLineNames }
}

extension MagnificationFilter: ExpressibleByArgument {}
extension CompareSettings.Mode: ExpressibleByArgument {}

/// `--zoom`: fit, or pixels of the pane per pixel of the clip.
struct ZoomArgument: ExpressibleByArgument {
  let scale: Magnification.Scale

  init?(argument: String) {
    guard let scale = Magnification.scale(argument) else { return nil }
    self.scale = scale
  }
}

/// `--center`: fractions of the frame's sides.
struct CenterArgument: ExpressibleByArgument {
  let point: Magnification.Point

  init?(argument: String) {
    guard let point = Magnification.center(argument) else { return nil }
    self.point = point
  }
}

/// `--crop`: a rectangle in pixels.
struct CropArgument: ExpressibleByArgument {
  let rect: PixelRect

  init?(argument: String) {
    guard let rect = Magnification.crop(argument) else { return nil }
    self.rect = rect
  }
}

/// `--colors`: a depth, or auto.
struct ColorChoice: ExpressibleByArgument {
  let depth: ColorDepth?

  init?(argument: String) {
    if argument == "auto" {
      depth = nil
    } else {
      guard let depth = ColorDepth(rawValue: argument) else { return nil }
      self.depth = depth
    }
  }

  static var allValueStrings: [String] { ["auto"] + ColorDepth.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// `--cell-aspect`: "0.5" or "1:2".
struct CellAspectArgument: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let aspect = CellAspect(argument) else { return nil }
    value = aspect.value
  }
}

/// `--cache`: a number of bytes.
struct CacheSize: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = ByteCount.parse(argument) else { return nil }
    self.bytes = bytes
  }
}

/// `--max-rate`: bytes per second.
struct ByteRate: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = ByteCount.parseRate(argument) else { return nil }
    self.bytes = bytes
  }
}

/// `--max-bitrate`: bits per second.
struct BitRate: ExpressibleByArgument {
  let bits: Double

  init?(argument: String) {
    var text = argument[...]
    let factor: Double
    switch text.last {
    case "k", "K": factor = 1000
    case "M", "m": factor = 1_000_000
    default: factor = 1
    }
    if factor > 1 { text.removeLast() }
    guard let number = Double(text), number > 0, (number * factor).isFinite else { return nil }
    bits = number * factor
  }
}

/// `--slang`: comma-separated languages.
struct LanguageList: ExpressibleByArgument {
  let tags: [LanguageTag]

  init?(argument: String) {
    guard let tags = LanguageTag.list(argument) else { return nil }
    self.tags = tags
  }
}

/// `--subs-encoding`: an encoding, as named by iconv.
struct EncodingName: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard SubtitleFile.isEncoding(argument) else { return nil }
    name = argument
  }
}

/// `--fps`, an option of commands that read one clip at a time.
struct SequenceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Frames per second of an image sequence, such as 24 or 24000/1001 (default: 25).", valueName: "rate"))
  var fps: OutputRate?

  var frameRate: Ratio { fps?.value ?? ImageSequence.defaultFrameRate }
}

/// `--ca`, an option of commands that read from servers.
struct NetworkOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Trust the certificate authorities in a PEM file besides the system's.", valueName: "file"),
    completion: .file())
  var ca: String?

  /// Access to servers. Each call creates another; clips of one command share one.
  func makeNetwork() -> Network { Network(certificateFile: ca, userAgent: "quadrille/\(Quadrille.version)") }
}

/// `--log`, an option of every command.
struct LogOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Append messages from the decoding libraries to a file.", valueName: "file"), completion: .file())
  var log: String?

  /// Sends the libraries' messages to the log, or discards them.
  ///
  /// - Parameter inputs: Files that must not be overwritten.
  func apply(sparing inputs: InputFiles) throws {
    DecoderLog.silence()
    guard let log else { return }
    do {
      try DecoderLog.write(to: log, sparing: inputs.paths)
    } catch let error as PlaybackError {
      printError("quadrille: \(log): \(error.message)")
      throw ExitCode(2)
    }
  }
}
