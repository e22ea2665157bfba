import ArgumentParser
import Playback
import QuadrilleApp

/// Saves one frame of a clip.
struct Frame: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save one frame of a clip as PNG or JPEG.",
    discussion: """
      Saves the frame displayed at the given time: full size, upright, with square pixels. A time or frame number past \
      the end is an error. An existing file is replaced.
      """)

  @Argument(help: ArgumentHelp("A file, an address or - for the standard input.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(
    help: ArgumentHelp("Frame to save: seconds, m:s, h:m:s.ms, #frame (zero-based), 50% or +5.", valueName: "time"))
  var at: GoToTarget

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Output file: .png, .jpg or .jpeg; - for standard output.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: "Image format, regardless of the file name.")
  var format: ImageFile.Format?

  func validate() throws { try ImageTarget.validate(output, format) }

  @OptionGroup var sequence: SequenceOption
  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: InputFiles([clip]))
    let target = try orFail(output) { try ImageTarget(output, format, sparing: clip) }
    let maker = StillMaker(clip: clip, frameRate: sequence.frameRate, network: network.makeNetwork())
    let still = try orFail(clip) { try maker.still(at: at) }
    if maker.isCutOff { printError("quadrille: \(clip): is truncated: frames past its end are missing") }
    try orFail(output) { try target.write(still.image) }
  }
}
