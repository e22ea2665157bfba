import ArgumentParser
import CellGraphics
import Glibc
import Movies
import Pixels
import Playback
import QuadrilleApp
import Terminal

/// Plays clips: what the program does when no other command is named.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play clips side by side (the default command).")

  @Argument(
    help: ArgumentHelp(
      "What the panes play, at most four: files, names with commas between them, folders, M3U lists of files.",
      valueName: "clip"), completion: .file())
  var clips: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Play the clips that a file lists in one more pane.", valueName: "file"), completion: .file())
  var queue: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Begin there: seconds, m:s, h:m:s.ms or #frame (zero-based). Given once for all clips, or once for each.",
      valueName: "time"))
  var start: [StartPosition] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Align a pane that far from the first: 2:+3f (frames), 2:-0.5 (seconds). Once for each such pane.",
      valueName: "pane:offset"))
  var offset: [PaneOffset] = []

  @Option(help: ArgumentHelp("Speed, 0.05 to 16; 1 is normal.", valueName: "factor"))
  var speed: Double?

  @Flag(inversion: .prefixedNo, help: "Begin paused.")
  var paused: Bool?

  @Flag(inversion: .prefixedNo, help: "Repeat each clip, or a pane's whole list, again and again.")
  var loop: Bool?

  @Option(help: ArgumentHelp("Play each clip, or a pane's whole list, so many times.", valueName: "n"))
  var loopCount: Int?

  @Flag(inversion: .prefixedNo, help: "Play lists in any order.")
  var shuffle: Bool?

  @Flag(inversion: .prefixedNo, help: "Let keys steer all panes together.")
  var linked: Bool?

  @Option(help: "Arrangement of the panes.")
  var layout: LayoutStyle?

  @Option(help: "How frames fill their panes.")
  var gravity: Gravity?

  @Option(help: "Colours of the terminal.")
  var colors: ColorChoice?

  @Option(help: "How colours that the terminal lacks are mixed.")
  var dither: Dithering?

  @Option(help: "How near to exact moving frames are: high leaves out what cannot be seen.")
  var quality: ImageQuality?

  @Option(help: ArgumentHelp("Bytes a second that the terminal is sent at the most: 50k, 1M.", valueName: "bytes"))
  var maxRate: ByteRate?

  @Option(help: ArgumentHelp("Shape of a cell, width over height: 0.5 or 1:2.", valueName: "ratio"))
  var cellAspect: CellAspectArgument?

  @Option(help: ArgumentHelp("Threads for decoding, all together.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "Memory for frames to go back to and for decoders on the way, all panes together: 256M, 1G.",
      valueName: "size"))
  var cache: CacheSize?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Show the subtitles of a file. Any number for a single clip, else once for each clip in turn.", valueName: "file"),
    completion: .file())
  var subs: [String] = []

  @Option(help: ArgumentHelp("Languages of video tracks to show, the most wanted first.", valueName: "languages"))
  var vlang: LanguageList?

  @Option(
    help: ArgumentHelp(
      "Languages of sound tracks, the most wanted first; sound is not played, but decides which subtitles are needed.",
      valueName: "languages"))
  var alang: LanguageList?

  @Option(
    help: ArgumentHelp("Languages of subtitles to show, the most wanted first: en,pt-BR.", valueName: "languages"))
  var slang: LanguageList?

  @Option(
    help: ArgumentHelp(
      "Encoding of files of subtitles that are not in UTF-8, as iconv names it: ISO-8859-2.", valueName: "name"))
  var subsEncoding: EncodingName?

  @Flag(inversion: .prefixedNo, help: "Use the mouse; without, the terminal selects text with it.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Show figures over the frames.")
  var info: Bool?

  @Flag(inversion: .prefixedNo, help: "End when every clip has ended.")
  var exitAtEnd: Bool?

  @Flag(help: "Show every frame as fast as the terminal takes them, and end at the end.")
  var untimed = false

  @Option(help: ArgumentHelp("Write figures of the run to a file, as JSON.", valueName: "file"), completion: .file())
  var stats: String?

  @Option(
    help: ArgumentHelp("Read settings from here instead of the usual place.", valueName: "file"),
    completion: .file())
  var settings: String?

  @Option(
    help: ArgumentHelp(
      "What to choose in a storyboard, one for each time that there is a choice: a, b, c (or 1, 2, 3; - for nothing).",
      valueName: "choices"))
  var choices: String?

  @Flag(help: "Print which way a storyboard takes, without playing it.")
  var trace = false

  @OptionGroup var logging: LogOption

  @Option(
    help: ArgumentHelp(
      "Write at the end what the screen was meant to show, as JSON lines.", valueName: "file",
      visibility: .hidden))
  var dumpScreen: String?

  func validate() throws {
    let count = clips.count + queue.count
    if count == 0 { throw ValidationError("Name at least one clip to play. See 'quadrille --help'.") }
    if count > PlayOptions.maxPanes {
      throw ValidationError("At most four clips can be played at once; there are \(count).")
    }
    if trace, clips.count != 1 || !queue.isEmpty {
      throw ValidationError("--trace tells of one storyboard; there are \(count) clips.")
    }
    if start.count > 1, start.count != count {
      throw ValidationError(
        "There \(count == 1 ? "is 1 clip" : "are \(count) clips") and \(start.count) places to start: "
          + "give one for all, or one for each.")
    }
    if let far = offset.first(where: { $0.pane > count }) {
      throw ValidationError("--offset names pane \(far.pane), and there are \(count).")
    }
    if untimed, maxRate != nil {
      throw ValidationError("--untimed sends as fast as the terminal takes it, so --max-rate cannot hold.")
    }
    if let speed, !(Player.rates ~= speed) { throw ValidationError("The speed must be from 0.05 to 16.") }
    if let loopCount {
      guard loop == nil else { throw ValidationError("--loop and --loop-count exclude each other.") }
      guard Looping(times: loopCount) != nil else { throw ValidationError("--loop-count must be from 1 to \(Looping.maxTimes).") }
    }
    if count > 1, subs.count > count {
      throw ValidationError("There are \(count) clips and \(subs.count) files of subtitles: give one for each.")
    }
    if let threads, !(PlayOptions.ResourceOptions.threadCounts ~= threads) { throw ValidationError("The number of threads must be from 1 to 256.") }
  }

  func run() throws {
    if trace { return try printTrace() }
    let environment = processEnvironment()
    var options = PlayOptions()
    options.files.settings = settings ?? SettingsFile.path(environment: environment)
    try logging.apply(sparing: clips + queue, files: subs + [options.files.settings].compactMap { $0 })
    do {
      if let path = options.files.settings { try SettingsFile.apply(path, mustExist: settings != nil, to: &options) }
    } catch {
      throw fail(error, code: 2)
    }
    apply(to: &options)
    let program: PlayerProgram
    do {
      program = try PlayerProgram(options, environment: environment)
    } catch {
      throw fail(error, code: 2)
    }
    let code = program.run()
    if code != 0 { throw ExitCode(code) }
  }

  private func printTrace() throws {
    try logging.apply(sparing: clips)
    let lines = try StoryboardCommand.orProblems {
      var found = StoryboardClips(storyboardAt: clips[0])
      return try StoryboardCommands.trace(clips[0], choices: choices ?? "", clips: &found)
    }
    try CommandOutput.print { output in
      for line in lines { try output.line("\(line)") }
    }
  }

  /// What was said on the command line beats the settings file.
  private func apply(to options: inout PlayOptions) {
    options.clips = clips.map(ClipListReader.read) + queue.map(ClipListReader.queue)
    options.beginning.starts = start
    options.choices = choices.map(StoryboardCommands.list) ?? []
    options.beginning.offsets = offset
    if let speed { options.beginning.speed = speed }
    if let paused { options.beginning.isPaused = paused }
    if let loop { options.looping = loop ? .forever : .once }
    if let looping = loopCount.flatMap({ Looping(times: $0) }) { options.looping = looping }
    if let shuffle { options.isShuffled = shuffle }
    if let linked { options.isLinked = linked }
    if let layout { options.view.layout = layout }
    if let gravity { options.view.gravity = gravity }
    if let colors { options.terminal.colors = colors.depth }
    if let dither { options.terminal.dithering = dither }
    if let quality { options.terminal.quality = quality }
    if let maxRate { options.terminal.maxRate = maxRate.bytes }
    if let cellAspect { options.terminal.cellAspect = cellAspect.value }
    if let threads { options.resources.threads = threads }
    if let cache { options.resources.cacheBytes = cache.bytes }
    if let mouse { options.terminal.usesMouse = mouse }
    if let info { options.view.showsInfo = info }
    if let exitAtEnd { options.exitsAtEnd = exitAtEnd }
    options.subtitles.files = subs
    if let vlang { options.languages.visual = vlang.tags }
    if let alang { options.languages.audible = alang.tags }
    if let slang { options.subtitles.wishes = slang.tags }
    if let subsEncoding { options.subtitles.charset = subsEncoding.name }
    options.subtitles.charset = options.subtitles.charset ?? UserLanguages.encoding(environment: processEnvironment())
    let understood = UserLanguages.tags(environment: processEnvironment())
    (options.subtitles.understood, options.languages.understood) = (understood, understood)
    options.isUntimed = untimed
    options.files.stats = stats
    options.files.screenDump = dumpScreen
  }

  private func fail(_ error: any Error, code: Int32) -> ExitCode {
    printError("quadrille: \(describing: error)")
    return ExitCode(code)
  }
}

/// Columns of the terminal that the output goes to; nil elsewhere.
func outputColumns() -> Int? {
  var size = winsize()
  return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
}

/// The process's variables.
func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
    if let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
      // Values may be names of files, which need not be UTF-8.
      result[Asset.path(ofBytes: bytes[..<sign])] = Asset.path(ofBytes: bytes[(sign + 1)...])
    }
    entry += 1
  }
  return result
}
