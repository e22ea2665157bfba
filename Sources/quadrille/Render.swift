import ArgumentParser
import Glibc
import Movies
import Pixels
import PlainText
import Playback
import QuadrilleApp

/// Renders a movie, or a clip, to a video file.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render a movie to a video file.",
    discussion: """
      Writes every frame as the movie shows it, losslessly unless a codec is given, and the movie's sound. The clips' \
      subtitles are not written. Text over the frames becomes a separate track. The file extension selects the container; .mkv supports all \
      codecs and keeps text positions, styles and fades. An existing file is replaced when the new one is complete. Fails \
      if a piece is missing, and lists what is missing.
      """)

  @Argument(help: ArgumentHelp("Movie file or clip to render.", valueName: "movie"), completion: .file())
  var movie: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("Output file; - for standard output, as Matroska.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(help: ArgumentHelp("Codec, such as h264, or FFmpeg encoder (default: FFV1, lossless).", valueName: "name"))
  var codec: String?

  @Option(help: ArgumentHelp("Codec of the sound, such as aac, opus, flac or pcm_s16le (default: one that suits the file).", valueName: "name"))
  var soundCodec: String?

  @Flag(help: "Leave out the sound.")
  var noSound = false

  @Flag(help: "Copy packets without decoding. Cuts move to the nearest possible points, and each moved cut is reported.")
  var copy = false

  @Option(help: ArgumentHelp("Frame size in pixels (default: the movie's, or its first piece's).", valueName: "wxh"))
  var size: OutputSize?

  @Option(help: ArgumentHelp("Frames per second, such as 25 or 30000/1001 (default: the movie's, or the pieces' own timing).", valueName: "rate"))
  var rate: OutputRate?

  @OptionGroup var sequence: SequenceOption
  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func validate() throws {
    if copy, codec != nil || soundCodec != nil || size != nil || rate != nil {
      throw ValidationError("--copy cannot be combined with --codec, --sound-codec, --size or --rate.")
    }
    if noSound, soundCodec != nil { throw ValidationError("--no-sound cannot be combined with --sound-codec.") }
    if output == "-", isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Refusing to write a video to a terminal; redirect the output to a file or a pipe.")
    }
  }

  func run() throws {
    // SVT-AV1 cannot be silenced any other way. No other thread is running yet.
    setenv("SVT_LOG", "-1", 0)
    let stop = StopSignals()
    try logging.apply(sparing: InputFiles([movie]))
    var options = VideoRenderer.Options()
    options.codec = codec
    options.soundCodec = soundCodec
    options.includesSound = !noSound
    options.copiesPackets = copy
    options.size = size?.value
    options.frameRate = rate?.value
    if output == "-" { options.fileExtension = "mkv" }
    let asset = try orFail(movie) {
      let asset = try openAsset()
      _ = try asset.wait(for: .facts)
      return asset
    }
    let reported = asset.remarks
    for remark in reported { printRemark(remark, about: asset) }
    let renderer = VideoRenderer(asset: asset, options: options)
    stop.whenStopped { renderer.cancel() }
    let line = ProgressLine()
    defer { line.clear() }
    do {
      let result = try renderer.render(to: output == "-" ? "/dev/stdout" : output, sparing: InputFiles([movie]).paths) { line.show($0) }
      line.clear()
      tell(result, of: asset, reported: reported)
    } catch let error as PlaybackError {
      line.clear()
      if let code = stop.exitCode { throw ExitCode(code) }
      if output == "-", CommandOutput.hasNoReader { throw ExitCode(128 + SIGPIPE) }
      printError("quadrille: \(error.message(naming: output))")
      throw ExitCode(1)
    }
  }

  private func openAsset() throws -> Asset {
    let options = Asset.Options(network: network.makeNetwork())
    switch FileKind(path: movie) {
    case .clip: return .named(movie, frameRate: sequence.frameRate, options: options)
    case .storyboard: throw PlaybackError.isStoryboard
    case .movie: break
    }
    let composition = try MovieComposer { .named($0, options: options) }.composition(path: movie)
    return Asset(composition: composition, path: movie)
  }

  /// A movie's remarks name the file that they concern.
  private func printRemark(_ remark: String, about asset: Asset) {
    printError("quadrille: \(asset.sequence == nil ? "" : "\(movie): ")\(remark)")
  }

  /// - Parameter reported: Warnings that have already been printed.
  private func tell(_ result: VideoRenderer.Result, of asset: Asset, reported: [String]) {
    func count(_ frames: Int) -> String { frames == 1 ? "1 frame" : "\(frames) frames" }
    for cut in result.movedCuts {
      let what = cut.edge == .start ? "begins" : "ends"
      let way = cut.edge == .start ? "earlier" : "later"
      printError("quadrille: \(movie): piece \(cut.piece + 1) \(what) \(cut.distance.secondsText) s \(way), at the nearest possible cut")
    }
    for remark in asset.remarks where !reported.contains(remark) { printRemark(remark, about: asset) }
    let lost = (result.lacksSound && !noSound ? ["sound"] : []) + (result.lacksSubtitles ? ["subtitles"] : []) + (result.lacksText ? ["text over the frames"] : [])
    let words = lost.dropLast().joined(separator: ", ") + (lost.count > 1 ? " and " : "") + lost.suffix(1).joined()
    let loss = lost.isEmpty ? "" : "; \(words) \(lost.count > 1 || lost == ["subtitles"] ? "are" : "is") not written yet"
    let codecs = result.codec + (result.soundCodec.map { ", \($0)" } ?? "")
    printError("quadrille: \(output): \(count(result.frameCount)), \(result.duration.secondsText) s, \(codecs)\(loss)")
  }
}

extension MediaTime {
  /// Seconds with three decimals.
  fileprivate var secondsText: String {
    let thousandths = Int64((seconds * 1000).rounded())
    return "\(thousandths / 1000).\(String(thousandths % 1000, digits: 3))"
  }
}

/// `--size`: "1280x720".
struct OutputSize: ExpressibleByArgument {
  let value: PixelSize

  init?(argument: String) {
    guard let value = MovieOutput.size(argument) else { return nil }
    self.value = value
  }
}

/// `--rate`: "25", "30000/1001" or "23.976", as in a movie file.
struct OutputRate: ExpressibleByArgument {
  let value: Ratio

  init?(argument: String) {
    guard let rate = MovieOutput.rate(argument) else { return nil }
    value = rate
  }
}
