import ArgumentParser
import Glibc
import Movies
import Pixels
import PlainText
import Playback
import QuadrilleApp

/// Writes a movie made of pieces, or a clip, into a video file.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a movie made of pieces into a video file.",
    discussion: """
      Every frame is written as the movie shows it, without loss unless a codec is named, and without sound and the clips' subtitles. Text over the frames is a \
      track of its own. The ending of the file's name tells its form: .mkv holds all codecs, and text as it was meant. A file of that \
      name is replaced once the new one is whole. Where pieces are missing nothing is written, and all of them are named.
      """)

  @Argument(help: ArgumentHelp("A movie's file, or a clip.", valueName: "movie"), completion: .file())
  var movie: String

  @Option(name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: ArgumentHelp("Code frames so, such as h264, or as one of FFmpeg's encoders does; else FFV1, without loss.", valueName: "name"))
  var codec: String?

  @Flag(help: "Copy what is coded instead of decoding it; cuts move to where that can be, and each that does is told.")
  var copy = false

  @Option(help: ArgumentHelp("Size of the frames in pixels; else the movie's, or its first piece's.", valueName: "wxh"))
  var size: OutputSize?

  @Option(help: ArgumentHelp("Frames a second, such as 25 or 30000/1001; else the movie's, or the pieces' own times.", valueName: "rate"))
  var rate: OutputRate?

  @OptionGroup var logging: LogOption

  func validate() throws {
    if copy, codec != nil || size != nil || rate != nil {
      throw ValidationError("What is copied keeps its codec, size and rate: --copy stands alone.")
    }
  }

  func run() throws {
    // SVT-AV1 has no other way of being silent; no thread runs yet.
    setenv("SVT_LOG", "-1", 0)
    try logging.apply(sparing: [movie])
    var options = VideoRenderer.Options()
    options.codec = codec
    options.copiesPackets = copy
    options.size = size?.value
    options.frameRate = rate?.value
    let asset = try orFail(movie) {
      let asset = try openAsset()
      _ = try asset.wait(for: .facts)
      return asset
    }
    let reported = asset.remarks
    for remark in reported { printError("quadrille: \(remark)") }
    let renderer = VideoRenderer(asset: asset, options: options)
    // Until here there is nothing to be cleared away.
    let stop = StopSignals()
    stop.whenStopped { renderer.cancel() }
    let line = ProgressLine()
    defer { line.clear() }
    do {
      let result = try renderer.render(to: output, sparing: [movie]) { line.show($0) }
      line.clear()
      tell(result, of: asset, reported: reported)
    } catch let error as PlaybackError {
      line.clear()
      if let code = stop.exitCode { throw ExitCode(code) }
      printError("quadrille: \(output): \(error.message)")
      throw ExitCode(1)
    }
  }

  private func openAsset() throws -> Asset {
    switch FileKind(path: movie) {
    case .clip: return Asset(path: movie)
    case .storyboard: throw PlaybackError.isStoryboard
    case .movie: break
    }
    let composition = try MovieComposer().composition(path: movie)
    return Asset(composition: composition, path: movie)
  }

  /// - Parameter reported: what has been said of the movie.
  private func tell(_ result: VideoRenderer.Result, of asset: Asset, reported: [String]) {
    func count(_ frames: Int) -> String { frames == 1 ? "1 frame" : "\(frames) frames" }
    for cut in result.movedCuts {
      let what = cut.edge == .start ? "begins" : "ends"
      let way = cut.edge == .start ? "earlier" : "later"
      printError("quadrille: \(movie): piece \(cut.piece + 1) \(what) \(cut.distance.secondsText) s \(way), where it can be cut")
    }
    for remark in asset.remarks where !reported.contains(remark) { printError("quadrille: \(remark)") }
    let lost = ["sound"] + (result.lacksSubtitles ? ["subtitles"] : []) + (result.lacksText ? ["text over the frames"] : [])
    let words = lost.dropLast().joined(separator: ", ") + (lost.count > 1 ? " and " : "") + lost.suffix(1).joined()
    printError("quadrille: \(output): \(count(result.frameCount)), \(result.duration.secondsText) s, \(result.codec); \(words) \(lost.count > 1 ? "are" : "is") not written yet")
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

/// `--rate`: "25", "30000/1001" or "23.976", as in a movie's file.
struct OutputRate: ExpressibleByArgument {
  let value: Ratio

  init?(argument: String) {
    guard let rate = MovieOutput.rate(argument) else { return nil }
    value = rate
  }
}
