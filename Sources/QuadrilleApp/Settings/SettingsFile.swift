import CellGraphics
import Pixels
import Playback
import Terminal
import YAML

/// An error in a settings file, with file, line and key.
public struct SettingsError: Error, CustomStringConvertible {
  public let message: TerminalText

  init(_ file: String, line: Int?, _ message: TerminalText) {
    self.message = "\(file)\(line.map { ":\($0)" } ?? ""): \(message)"
  }

  public var description: String { message.description }
}

/// Reads the settings file: YAML with option defaults under `defaults` and key bindings under `keys`.
public struct SettingsFile {
  /// The file's path: `$XDG_CONFIG_HOME/quadrille/settings.yaml`, otherwise under `~/.config`.
  public static func path(environment: [String: String]) -> String? { UserFolders.settings(environment) }

  /// Maximum size of the file, in bytes.
  private static let longest = 1 << 20

  /// Applies the file at `path` to `options`.
  ///
  /// - Parameter mustExist: Whether a missing file is an error; otherwise it changes nothing.
  /// - Throws: `SettingsError`.
  public static func apply(_ path: String, mustExist: Bool = false, to options: inout PlayOptions) throws {
    do {
      guard let bytes = try InputText.read(path, limit: longest) else {
        if mustExist { throw SettingsError(path, line: nil, "no such file") }
        return
      }
      try apply(text: String(decoding: bytes, as: UTF8.self), name: path, to: &options)
    } catch let error as PlaybackError {
      throw SettingsError(path, line: nil, "\(error.message)")
    }
  }

  /// Applies the text of a settings file; `name` is used in errors.
  public static func apply(text: String, name: String, to options: inout PlayOptions) throws {
    let root: YAMLNode?
    do {
      root = try YAMLNode.read(text)
    } catch let failure as YAMLNode.Failure {
      throw SettingsError(name, line: failure.line, "\(failure.problem)")
    }
    guard let root, !root.isNull else { return }
    guard case .mapping(let mapping) = root.content else {
      throw SettingsError(name, line: root.line, "expected \"defaults:\" or \"keys:\"")
    }
    for (key, value) in mapping {
      switch key.text {
      case "defaults": try entries(value, name, "defaults").forEach { try applyDefault($0, $1, name, to: &options) }
      case "keys": try entries(value, name, "keys").forEach { try applyKey($0, $1, name, to: &options) }
      default:
        throw SettingsError(
          name, line: key.line, "unknown section \(key.asKey); expected \"defaults\" or \"keys\"")
      }
    }
  }

  private static func entries(_ node: YAMLNode, _ name: String, _ section: String) throws -> [(YAMLNode, YAMLNode)] {
    if node.isNull { return [] }
    guard case .mapping(let mapping) = node.content else {
      throw SettingsError(name, line: node.line, "\"\(section)\" requires lines of the form \"name: value\"")
    }
    return mapping.map { ($0.key, $0.value) }
  }

  private static func applyDefault(
    _ key: YAMLNode, _ value: YAMLNode, _ name: String, to options: inout PlayOptions
  ) throws {
    let keyText = key.text ?? "?"
    let text = value.text ?? ""
    func bad(_ expected: TerminalText) -> SettingsError {
      SettingsError(
        name, line: value.line, "\(keyText): \"\(text)\" is not \(expected)")
    }
    func flag(_ expected: TerminalText = "true or false") throws -> Bool {
      guard let flag = YAMLNode.flag(text.lowercased()) else { throw bad(expected) }
      return flag
    }
    switch keyText {
    case "paused": options.beginning.isPaused = try flag()
    case "loop": options.looping = try Int(text).flatMap { Looping(times: $0) } ?? (flag("true, false or a number") ? .forever : .once)
    case "shuffle": options.beginning.isShuffled = try flag()
    case "linked": options.isLinked = try flag()
    case "mouse": options.terminal.usesMouse = try flag()
    case "info": options.view.showsInfo = try flag()
    case "exit-at-end": options.exitsAtEnd = try flag()
    case "ffmpeg":
      guard text.hasPrefix("/") else { throw bad("the path of a program, from / on") }
      options.evaluation.vmafProgram = text
    case "speed":
      guard let speed = Double(text), Player.rates.contains(speed) else { throw bad("a number from 0.05 to 16") }
      options.beginning.speed = speed
    case "threads":
      guard let threads = Int(text), PlayOptions.ResourceOptions.threadCounts.contains(threads) else { throw bad("a number from 1 to 256") }
      options.resources.threads = threads
    case "sound":
      guard let panes = SoundPanes(text) else { throw bad(oneOf(SoundPanes.names)) }
      options.sound.panes = panes
    case "volume":
      guard let decibels = Double(text), SoundControl.decibelRange.contains(decibels) else { throw bad("a number from -48 to 12") }
      options.sound.decibels = decibels
    case "replaygain":
      guard let mode = ReplayGain.Mode(rawValue: text) else { throw bad(oneOf(ReplayGain.Mode.allCases.map(\.rawValue))) }
      options.sound.replayGain = mode
    case "scrub-sound": options.sound.scrubs = try flag()
    case "layout":
      guard let layout = LayoutStyle(rawValue: text) else { throw bad(oneOf(LayoutStyle.allCases.map(\.rawValue))) }
      options.view.layout = layout
    case "gravity":
      guard let gravity = Gravity(commandLineName: text) else { throw bad(oneOf(Gravity.commandLineNames)) }
      options.view.gravity = gravity
    case "zoom":
      guard let scale = Magnification.scale(text) else { throw bad("\"fit\" or a number from 1 to 32") }
      options.view.magnification.scale = scale
    case "zoom-filter":
      guard let filter = MagnificationFilter(rawValue: text) else { throw bad(oneOf(MagnificationFilter.allCases.map(\.rawValue))) }
      options.view.magnification.filter = filter
    case "colors":
      if text == "auto" {
        options.terminal.colors = nil
      } else {
        guard let colors = ColorDepth(rawValue: text) else {
          throw bad(oneOf(["auto"] + ColorDepth.allCases.map(\.rawValue)))
        }
        options.terminal.colors = colors
      }
    case "cells":
      guard let cells = CellStyle(rawValue: text) else { throw bad(oneOf(CellStyle.allCases.map(\.rawValue))) }
      options.terminal.usualCells = cells
    case "pixels":
      // YAML has a name for off.
      guard let pixels = YAMLNode.flag(text) == false ? .off : PixelStyle(rawValue: text) else {
        throw bad(oneOf(PixelStyle.allCases.map(\.rawValue)))
      }
      options.terminal.usualPixels = pixels
    case "dither":
      guard let dithering = Dithering(rawValue: text) else { throw bad(oneOf(Dithering.allCases.map(\.rawValue))) }
      options.terminal.dithering = dithering
    case "quality":
      guard let quality = ImageQuality(rawValue: text) else {
        throw bad(oneOf(ImageQuality.allCases.map(\.rawValue)))
      }
      options.terminal.quality = quality
    case "cache":
      guard let bytes = ByteCount.parse(text) else { throw bad("a size such as 256M or 1G") }
      options.resources.cacheBytes = bytes
    case "max-rate":
      guard let bytes = ByteCount.parseRate(text) else { throw bad("bytes per second, such as 50k or 1M") }
      options.terminal.maxRate = bytes
    case "alang", "vlang":
      guard let tags = LanguageTag.list(text) else { throw bad("languages such as en,pt-BR") }
      if keyText == "alang" { options.languages.audible = tags } else { options.languages.visual = tags }
    case "slang":
      guard let tags = LanguageTag.list(text) else { throw bad("languages such as en,pt-BR") }
      options.subtitles.wishes = tags
    case "subs-encoding":
      guard SubtitleFile.isEncoding(text) else { throw bad("an encoding such as ISO-8859-2") }
      options.subtitles.charset = text
    case "cell-aspect":
      guard let aspect = CellAspect(text) else { throw bad("an aspect ratio such as 0.5 or 1:2") }
      options.terminal.cellAspect = aspect.value
    default:
      throw SettingsError(
        name, line: key.line, "unknown default \(key.asKey); expected one of \(defaultNames.joined(separator: ", "))")
    }
  }

  static let defaultNames = [
    "alang", "cache", "cell-aspect", "cells", "colors", "dither", "exit-at-end", "ffmpeg", "gravity", "info", "layout", "linked", "loop",
    "max-rate", "mouse", "paused", "pixels", "quality", "replaygain", "scrub-sound", "shuffle", "slang", "sound", "speed",
    "subs-encoding", "threads", "vlang", "volume", "zoom", "zoom-filter",
  ]

  private static func oneOf(_ names: [String]) -> TerminalText { "one of \(names.joined(separator: ", "))" }

  private static func applyKey(_ key: YAMLNode, _ value: YAMLNode, _ name: String, to options: inout PlayOptions) throws {
    let keyText = key.text ?? "?"
    guard let stroke = KeyStroke(keyText) else {
      throw SettingsError(name, line: key.line, "\"\(keyText)\" is not a key")
    }
    let text = value.text ?? ""
    guard let command = Command(text) else {
      throw SettingsError(
        name, line: value.line, "\(keyText): \"\(text)\" is not a command")
    }
    options.keys.bind(stroke, to: command)
  }
}

/// The aspect ratio of a cell as text: "0.5" or "1:2", width to height.
public struct CellAspect {
  public let value: Double

  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    let ratio: Double?
    switch parts.count {
    case 1: ratio = parts[0]
    case 2: ratio = parts[0].flatMap { a in parts[1].map { b in b > 0 ? a / b : .nan } }
    default: ratio = nil
    }
    guard let ratio, (0.1...4).contains(ratio) else { return nil }
    value = ratio
  }
}

extension Gravity {
  public static let commandLineNames = ["fit", "fill", "stretch"]

  /// The short name used on the command line.
  public var commandLineName: String {
    switch self {
    case .resizeAspect: "fit"
    case .resizeAspectFill: "fill"
    case .resize: "stretch"
    }
  }

  public init?(commandLineName name: String) {
    guard let match = Self.allCases.first(where: { $0.commandLineName == name }) else { return nil }
    self = match
  }
}
