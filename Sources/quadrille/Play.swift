import ArgumentParser
import CellGraphics
import Glibc
import Movies
import Pixels
import Playback
import QuadrilleApp
import Terminal

/// Plays clips: the default command.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play clips side by side (the default command).")

  @Argument(
    help: ArgumentHelp(
      """
      What to play, one argument per pane, at most four: a file, comma-separated files, a folder, an M3U file, or a pattern of \
      numbered images: shot_%04d.png, 'shot_*.png'.
      """,
      valueName: "clip"), completion: .file())
  var clips: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Play the clips listed in a file, in an additional pane.", valueName: "file"), completion: .file())
  var queue: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Start position: seconds, m:s, h:m:s.ms or #frame (zero-based). Give it once for all clips, or once per clip.",
      valueName: "time"))
  var start: [StartPosition] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Frames per second of image sequences, such as 24 or 24000/1001 (default: 25). Give it once for all clips, or once per clip.",
      valueName: "rate"))
  var fps: [OutputRate] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Align a pane at an offset from the first: 2:+3f (frames), 2:-0.5 (seconds). Can be repeated.",
      valueName: "pane:offset"))
  var offset: [PaneOffset] = []

  @Option(help: ArgumentHelp("Playback speed, 0.05 to 16; 1 is normal.", valueName: "factor"))
  var speed: Double?

  @Flag(inversion: .prefixedNo, help: "Start paused.")
  var paused: Bool?

  @Flag(inversion: .prefixedNo, help: "Repeat each clip or list indefinitely.")
  var loop: Bool?

  @Option(help: ArgumentHelp("Play each clip or list N times in all.", valueName: "n"))
  var loopCount: Int?

  @Flag(inversion: .prefixedNo, help: "Shuffle lists.")
  var shuffle: Bool?

  @Flag(inversion: .prefixedNo, help: "Control all panes together.")
  var linked: Bool?

  @Option(help: "Pane layout.")
  var layout: LayoutStyle?

  @Option(help: "How frames fit their panes.")
  var gravity: Gravity?

  @Option(help: ArgumentHelp("Pixels of the pane per pixel of the clip, 1 to 32; fit shows the whole frame.", valueName: "scale"))
  var zoom: ZoomArgument?

  @Option(
    help: ArgumentHelp("Centre of the part that --zoom shows, as fractions of width and height: 0.3,0.7.", valueName: "x,y"))
  var center: CenterArgument?

  @Option(help: ArgumentHelp("Show a part of each frame, in pixels of the clip: WxH+X+Y, 640x360+100+50.", valueName: "rectangle"))
  var crop: CropArgument?

  @Option(help: ArgumentHelp("How to enlarge frames: nearest repeats pixels, as --zoom does, smooth interpolates.", valueName: "filter"))
  var zoomFilter: MagnificationFilter?

  @Flag(help: "Show the second clip against the first in one pane.")
  var compare = false

  @Option(help: ArgumentHelp("How to compare them; implies --compare.", valueName: "mode"))
  var compareMode: CompareSettings.Mode?

  @Flag(help: "Align the clips frame by frame, all with the first clip.")
  var align = false

  @Option(help: ArgumentHelp("The ffmpeg that computes VMAF.", valueName: "program"), completion: .file())
  var ffmpeg: String?

  @Option(help: ArgumentHelp("While a pane waits for data: all linked panes wait, or each for itself.", valueName: "panes"))
  var wait: PlayOptions.StallHandling?

  @Option(help: ArgumentHelp("Panes to hear: focused, all, off, or a pane's number.", valueName: "panes"))
  var sound: SoundPanes?

  // Most volumes begin with a minus.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Volume in decibels, from -48 (silent) to 12; 0 is the clip's own.", valueName: "dB"))
  var volume: Double?

  @Option(help: "Play with the loudness stated in tags: of the track, or of the album.")
  var replaygain: ReplayGain.Mode?

  @Flag(inversion: .prefixedNo, help: "Hear a little of the sound at each frame that is stepped or gone to while paused.")
  var scrubSound: Bool?

  @Option(help: "Colours to use.")
  var colors: ColorChoice?

  @Option(help: "Shapes that frames are drawn with: half blocks, or finer ones; auto takes the finest that the terminal is known to have.")
  var cells: CellStyle?

  @Option(help: "Frames in pixels where the terminal displays images: auto only on this machine, a protocol's name everywhere.")
  var pixels: PixelStyle?

  @Option(help: "How much to dither colours the terminal lacks.")
  var dither: Dithering?

  @Option(help: "Quality of moving frames; high skips differences too small to see.")
  var quality: ImageQuality?

  @Option(help: ArgumentHelp("Limit output to the terminal, in bytes per second: 50k, 1M.", valueName: "bytes"))
  var maxRate: ByteRate?

  @Option(help: ArgumentHelp("Aspect ratio of a cell, width to height: 0.5 or 1:2.", valueName: "ratio"))
  var cellAspect: CellAspectArgument?

  @Option(help: ArgumentHelp("Number of decoding threads, shared by all clips.", valueName: "n"))
  var threads: Int?

  @OptionGroup var network: NetworkOption

  @Flag(inversion: .prefixedNo, help: "Show the picture; with --no-video, clips are heard one after another, and one line shows where.")
  var video = true

  @Flag(help: "Play the videos of web pages: the addresses given are passed to yt-dlp, which must be installed.")
  var ytdl = false

  @Option(
    help: ArgumentHelp("Limit the bit rate of HTTP Live Streams with variants, in bits per second: 800k, 2.5M.", valueName: "bits"))
  var maxBitrate: BitRate?

  @Option(
    help: ArgumentHelp(
      "Write what arrives from a live source to a file, without encoding it again; with several, each gets a number: cam-1.mkv.",
      valueName: "file"), completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Memory for cached frames and decoders, shared by all panes: 256M, 1G.",
      valueName: "size"))
  var cache: CacheSize?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Show subtitles from a file. Any number for a single clip, otherwise one per clip, in order.", valueName: "file"),
    completion: .file())
  var subs: [String] = []

  @Option(help: ArgumentHelp("Video track languages, in order of preference.", valueName: "languages"))
  var vlang: LanguageList?

  @Option(
    help: ArgumentHelp(
      "Sound track languages, in order of preference. They also decide which subtitles are needed.",
      valueName: "languages"))
  var alang: LanguageList?

  @Option(
    help: ArgumentHelp("Subtitle languages, in order of preference: en,pt-BR.", valueName: "languages"))
  var slang: LanguageList?

  @Option(
    help: ArgumentHelp(
      "Encoding of subtitle files that are not UTF-8, as named by iconv: ISO-8859-2.", valueName: "name"))
  var subsEncoding: EncodingName?

  @Flag(inversion: .prefixedNo, help: "Use the mouse. With --no-mouse, the terminal selects text with it.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Show statistics over the frames.")
  var info: Bool?

  @Flag(inversion: .prefixedNo, help: "Exit when all clips have ended.")
  var exitAtEnd: Bool?

  @Flag(help: "Show every frame as fast as the terminal accepts them, then exit.")
  var untimed = false

  @Flag(help: "Shuffle the panes and hide the names of their clips; \" votes for a pane, & shows the names.")
  var blind = false

  @Option(help: ArgumentHelp("Write the votes of a blind test to a file, as CSV, on exit.", valueName: "file"), completion: .file())
  var votes: String?

  @Option(
    help: ArgumentHelp(
      "Write clips, positions and view to a file on exit; without clips, continue from it.", valueName: "file"),
    completion: .file())
  var session: String?

  @Option(help: ArgumentHelp("Write statistics to a file, as JSON, on exit.", valueName: "file"), completion: .file())
  var stats: String?

  @Option(
    help: ArgumentHelp("Read settings from a file other than the default.", valueName: "file"),
    completion: .file())
  var settings: String?

  @Option(
    help: ArgumentHelp(
      "Choices to make in a storyboard, in order: a,b,c (or 1,2,3; - for none).",
      valueName: "choices"))
  var choices: String?

  @Flag(help: "Print the path taken through a storyboard without playing it.")
  var trace = false

  @OptionGroup var logging: LogOption

  @Option(
    help: ArgumentHelp(
      "Write the intended contents of the screen, as JSON lines, on exit.", valueName: "file",
      visibility: .hidden))
  var dumpScreen: String?

  func validate() throws {
    let count = clips.count + queue.count
    if blind, session != nil { throw ValidationError("--blind cannot be combined with --session, which names the clips.") }
    if votes != nil, !blind { throw ValidationError("--votes requires --blind.") }
    if blind, count == 1 { throw ValidationError("--blind needs at least two clips.") }
    if let session { try validate(session: session, clipCount: count) }
    let continues = session != nil && count == 0
    if count == 0, !continues { throw ValidationError("No clip given. See 'quadrille --help'.") }
    if count > PlayOptions.maxPanes {
      throw ValidationError("Cannot play more than four clips at once (got \(count)).")
    }
    if trace, clips.count != 1 || !queue.isEmpty {
      throw ValidationError("--trace takes exactly one storyboard (got \(count) clips).")
    }
    if start.count > 1, start.count != count, !continues {
      throw ValidationError(
        "Got \(start.count) start positions for \(count == 1 ? "1 clip" : "\(count) clips"): "
          + "give one for all clips, or one per clip.")
    }
    if fps.count > 1, fps.count != count, !continues {
      throw ValidationError(
        "Got \(fps.count) frame rates for \(count == 1 ? "1 clip" : "\(count) clips"): give one for all clips, or one per clip.")
    }
    if let far = offset.first(where: { $0.pane > count }), !continues {
      throw ValidationError("--offset refers to pane \(far.pane), but there \(count == 1 ? "is only 1" : "are only \(count)").")
    }
    // Without a picture, all clips are one list.
    let paneCount = video ? count : 1
    if case .pane(let number) = sound, number > paneCount, !continues {
      let known = paneCount == 1 ? "is only 1" : "are only \(paneCount)"
      throw ValidationError("--sound refers to pane \(number), but there \(known).")
    }
    if crop != nil, zoom != nil || center != nil {
      throw ValidationError("--crop cannot be combined with --zoom or --center.")
    }
    if compare || compareMode != nil, count < 2 { throw ValidationError("--compare needs at least two clips.") }
    if align, count < 2, !continues { throw ValidationError("--align needs at least two clips.") }
    if align, !offset.isEmpty { throw ValidationError("--align cannot be combined with --offset.") }
    if center != nil, zoom == nil, gravity != .resizeAspectFill {
      throw ValidationError("--center needs --zoom, or --gravity fill.")
    }
    if untimed, maxRate != nil {
      throw ValidationError("--untimed and --max-rate cannot be combined.")
    }
    if let speed, !(Player.rates ~= speed) { throw ValidationError("--speed must be from 0.05 to 16.") }
    if let volume, !(PlayOptions.SoundOptions.decibelRange ~= volume) { throw ValidationError("--volume must be from -48 to 12.") }
    if let loopCount {
      guard loop == nil else { throw ValidationError("--loop-count cannot be combined with --loop or --no-loop.") }
      guard Looping(times: loopCount) != nil else { throw ValidationError("--loop-count must be from 1 to \(Looping.maxTimes).") }
    }
    if count > 1, subs.count > count {
      throw ValidationError("Got \(subs.count) subtitle files for \(count) clips: give at most one per clip.")
    }
    if let threads, !(PlayOptions.ResourceOptions.threadCounts ~= threads) { throw ValidationError("--threads must be from 1 to 256.") }
  }

  /// A session that exists is continued; a new one begins with clips.
  private func validate(session: String, clipCount: Int) throws {
    guard clipCount == 0 else {
      guard SessionDocument.exists(session) else { return }
      throw ValidationError("\(session) already exists. Leave out the clips to continue that session, or remove the file to begin anew.")
    }
    guard SessionDocument.exists(session) else {
      throw ValidationError("There is no session \(session) to continue. Give the clips to begin it with.")
    }
    let given = [
      ("--start", !start.isEmpty), ("--fps", !fps.isEmpty), ("--offset", !offset.isEmpty), ("--shuffle", shuffle != nil), ("--gravity", gravity != nil),
      ("--zoom", zoom != nil), ("--center", center != nil), ("--crop", crop != nil), ("--zoom-filter", zoomFilter != nil),
      ("--compare", compare || compareMode != nil), ("--subs", !subs.isEmpty),
    ]
    guard let option = given.first(where: \.1) else { return }
    throw ValidationError("\(option.0) cannot be given when a session is continued: it would change what has been saved.")
  }

  func run() throws {
    if trace { return try printTrace() }
    let environment = processEnvironment()
    var options = PlayOptions()
    options.files.settings = settings ?? SettingsFile.path(environment: environment)
    options.beginning.imageRates = fps.map(\.value)
    func reader(_ index: Int) -> ClipListReader { ClipListReader(frameRate: options.imageRate(ofClip: index)) }
    options.clips = clips.enumerated().map { reader($0).read($1) } + queue.enumerated().map { reader(clips.count + $0).queue($1) }
    if ytdl { options.clips = WebPages.resolve(options.clips) }
    options.subtitles.files = subs
    options.subtitles.typesetter = "/proc/self/exe"
    options.files.session = session
    do {
      if let path = options.files.settings { try SettingsFile.apply(path, mustExist: settings != nil, to: &options) }
      if let session, options.clips.isEmpty { try SessionDocument.read(session).apply(to: &options) }
    } catch {
      throw fail(error, code: 2)
    }
    if let record, !options.record(to: record) {
      throw ValidationError("--record needs the address of a live source, such as rtsp://camera/stream.")
    }
    try logging.apply(sparing: InputFiles(options))
    apply(to: &options)
    let code: Int32
    do {
      code =
        video
        ? try PlayerProgram(options, environment: environment).run() : try LineProgram(options, environment: environment).run()
    } catch {
      throw fail(error, code: 2)
    }
    if code != 0 { throw ExitCode(code) }
  }

  private func printTrace() throws {
    try logging.apply(sparing: InputFiles(clips))
    let lines = try StoryboardCommand.orProblems {
      var found = StoryboardClips(storyboardAt: clips[0])
      return try StoryboardCommands.trace(clips[0], choices: choices ?? "", clips: &found)
    }
    try CommandOutput.print { output in
      for line in lines { try output.line("\(line)") }
    }
  }

  /// Applies the command line, which takes precedence over the settings file.
  private func apply(to options: inout PlayOptions) {
    if options.evaluation.session == nil { (options.beginning.starts, options.beginning.offsets) = (start, offset) }
    options.beginning.choices = choices.map(StoryboardCommands.list) ?? []
    if let speed { options.beginning.speed = speed }
    if let paused { options.beginning.isPaused = paused }
    if let loop { options.looping = loop ? .forever : .once }
    if let looping = loopCount.flatMap({ Looping(times: $0) }) { options.looping = looping }
    if let shuffle { options.beginning.isShuffled = shuffle }
    if let linked { options.isLinked = linked }
    if let layout { options.view.layout = layout }
    if let gravity { options.view.gravity = gravity }
    if compare || compareMode != nil { options.view.comparison = compareMode ?? .wipe }
    if let zoom { options.view.magnification.scale = zoom.scale }
    if let center { options.view.magnification.center = center.point }
    if let crop { options.view.magnification.scale = .crop(crop.rect) }
    if let zoomFilter { options.view.magnification.filter = zoomFilter }
    if let wait { options.resources.stallHandling = wait }
    if let sound { options.sound.panes = sound }
    if let volume { options.sound.decibels = volume }
    if let replaygain { options.sound.replayGain = replaygain }
    if let scrubSound { options.sound.scrubs = scrubSound }
    if let colors { options.terminal.colors = colors.depth }
    if let cells { options.terminal.cells = cells }
    if let pixels { options.terminal.pixels = pixels }
    if let dither { options.terminal.dithering = dither }
    if let quality { options.terminal.quality = quality }
    if let maxRate { options.terminal.maxRate = maxRate.bytes }
    if let cellAspect { options.terminal.cellAspect = cellAspect.value }
    if let threads { options.resources.threads = threads }
    options.resources.certificateFile = network.ca
    if let maxBitrate { options.resources.maxBitRate = maxBitrate.bits }
    options.resources.userAgent = "quadrille/\(Quadrille.version)"
    if let cache { options.resources.cacheBytes = cache.bytes }
    if let mouse { options.terminal.usesMouse = mouse }
    if let info { options.view.showsInfo = info }
    if let exitAtEnd { options.exitsAtEnd = exitAtEnd }
    if let vlang { options.languages.visual = vlang.tags }
    if let alang { options.languages.audible = alang.tags }
    if let slang { options.subtitles.wishes = slang.tags }
    if let subsEncoding { options.subtitles.charset = subsEncoding.name }
    options.subtitles.charset = options.subtitles.charset ?? UserLanguages.encoding(environment: processEnvironment())
    let understood = UserLanguages.tags(environment: processEnvironment())
    (options.subtitles.understood, options.languages.understood) = (understood, understood)
    options.isUntimed = untimed
    options.files.stats = stats
    options.files.votes = votes
    options.evaluation.isBlind = blind
    options.evaluation.alignsFrames = align
    if let ffmpeg { options.evaluation.vmafProgram = ffmpeg }
    var random = SystemRandomNumberGenerator()
    if blind { options.shufflePanes(using: &random) }
    options.files.screenDump = dumpScreen
  }

  private func fail(_ error: any Error, code: Int32) -> ExitCode {
    printError("quadrille: \(describing: error)")
    return ExitCode(code)
  }
}

/// The width of the terminal on standard output in columns, or nil if it is not a terminal.
func outputColumns() -> Int? {
  var size = winsize()
  return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
}

/// The environment variables of the process.
func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
    if let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
      // Values may be file names, which need not be UTF-8.
      result[Asset.path(ofBytes: bytes[..<sign])] = Asset.path(ofBytes: bytes[(sign + 1)...])
    }
    entry += 1
  }
  return result
}
