import ArgumentParser
import Movies
import Pixels
import Playback
import QuadrilleApp

/// Prints every frame's PTS, duration and hash, fetched in any order.
struct Frames: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print PTS, duration and MD5 of every frame.",
    discussion: """
      The first line is "#tb N/D", the seconds of one tick. Then comes a line for each frame in the order in \
      which the decoder puts them out, whichever order they were fetched in.
      """)

  @Argument(help: ArgumentHelp("A local file.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(help: "Order of fetching.")
  var order = FrameListing.Order.linear

  @Option(help: ArgumentHelp("Seed of the shuffle.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Which of the video tracks, from 0.", valueName: "k"))
  var stream = 0

  @OptionGroup var logging: LogOption

  func validate() throws {
    if stream < 0 { throw ValidationError("Video tracks are counted from 0.") }
  }

  func run() throws {
    try logging.apply(sparing: [clip])
    try orFail(clip) {
      switch FileKind(path: clip) {
      case .clip: break
      case .storyboard: throw PlaybackError.isStoryboard
      case .movie:
        let composition = try MovieComposer().composition(path: clip)
        for remark in composition.remarks { printError("quadrille: \(remark)") }
        let listing = try CompositionListing(composition)
        return try write(listing.lines(order: order, seed: seed), timeBase: listing.timeBase)
      }
      let listing = try FrameListing(path: clip, videoTrack: stream)
      try write(listing.lines(order: order, seed: seed), timeBase: listing.timeBase)
      if listing.isCutOff {
        printError("quadrille: \(clip): is cut off or damaged at its end: the listing is not complete")
        throw ExitCode(1)
      }
      if listing.refutedStarts > 0 {
        printError("quadrille: \(clip): \(listing.refutedStarts) start point(s) gave other frames and were not used")
      }
    }
  }
}

extension Frames {
  private func write(_ lines: [FrameListing.Line], timeBase: Ratio) throws {
    try CommandOutput.print { output in
      try output.line("#tb \(timeBase.numerator)/\(timeBase.denominator)")
      for line in lines {
        try output.line("\(line.pts.map(String.init) ?? "N/A"),\(line.duration.map(String.init) ?? "N/A"),\(line.md5)")
      }
    }
  }
}

extension FrameListing.Order: ExpressibleByArgument {}
