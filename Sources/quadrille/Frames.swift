import ArgumentParser
import Movies
import Pixels
import Playback
import QuadrilleApp

/// Prints the PTS, duration and hash of every frame, fetched in a chosen order.
struct Frames: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the PTS, duration and MD5 of every frame.",
    discussion: """
      The first line is "#tb N/D", the length of one tick in seconds. One line per frame follows, in the order in \
      which the decoder outputs frames, regardless of the order they were fetched in. With --facts, each line goes on \
      with 1 for a keyframe or 0, the picture type (I, P, B or ?) and the size of the frame's packet in bytes; N/A is \
      unknown, as for frames that a movie composes.
      """)

  @Argument(help: ArgumentHelp("A file, an address or - for the standard input.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(help: "Order in which to fetch frames.")
  var order = FrameListing.Order.linear

  @Option(help: ArgumentHelp("Seed for --order shuffle.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Video track to list, counted from 0.", valueName: "k"))
  var stream = 0

  @Flag(help: "Also print whether each frame is a keyframe, its picture type and its packet's size.")
  var facts = false

  @OptionGroup var sequence: SequenceOption
  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func validate() throws {
    if stream < 0 { throw ValidationError("--stream is counted from 0 and cannot be negative.") }
  }

  func run() throws {
    try logging.apply(sparing: InputFiles([clip]))
    try orFail(clip) {
      switch FileKind(path: clip) {
      case .clip: break
      case .storyboard: throw PlaybackError.isStoryboard
      case .movie:
        let options = Asset.Options(network: network.makeNetwork())
        let composition = try MovieComposer { .named($0, options: options) }.composition(path: clip)
        for remark in composition.remarks { printError("quadrille: \(remark)") }
        let listing = try CompositionListing(composition)
        return try write(listing.lines(order: order, seed: seed), timeBase: listing.timeBase)
      }
      let images = try ImageSequence.named(clip, frameRate: sequence.frameRate)
      let listing = try images.map { try FrameListing(sequence: $0) } ?? FrameListing(path: clip, videoTrack: stream, network: network.makeNetwork())
      try write(listing.lines(order: order, seed: seed), timeBase: listing.timeBase)
      if listing.isCutOff {
        printError("quadrille: \(clip): is truncated or damaged at its end: the listing is incomplete")
        throw ExitCode(1)
      }
      if let missing = listing.missingSegments {
        let verb = missing.count == 1 ? " is" : "s are"
        printError("quadrille: \(clip): \(missing.count) segment\(verb) missing: \(missing.latest.message)")
        throw ExitCode(1)
      }
      if listing.refutedStarts > 0 {
        printError("quadrille: \(clip): \(listing.refutedStarts) random access point(s) produced different frames and were not used")
      }
    }
  }
}

extension Frames {
  private func write(_ lines: [FrameListing.Line], timeBase: Ratio) throws {
    try CommandOutput.print { output in
      try output.line("#tb \(timeBase.numerator)/\(timeBase.denominator)")
      for line in lines {
        func text(_ number: Int64?) -> String { number.map(String.init) ?? "N/A" }
        let facts = ",\(line.isKeyframe ? 1 : 0),\(line.pictureType.rawValue),\(text(line.packetByteCount.map(Int64.init)))"
        try output.line("\(text(line.pts)),\(text(line.duration)),\(line.md5)\(self.facts ? facts : "")")
      }
    }
  }
}

extension FrameListing.Order: ExpressibleByArgument {}
