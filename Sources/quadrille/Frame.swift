import ArgumentParser
import Playback
import QuadrilleApp

/// Saves one frame of a clip.
struct Frame: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save one frame of a clip as PNG or JPEG.",
    discussion: """
      It is the frame that is on display at the time, in full size, turned and with square pixels as it is to \
      be seen. Times before the first frame and past the last give these; numbers past the last are an error. A file of that name is replaced.
      """)

  @Argument(help: ArgumentHelp("A local file.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(
    help: ArgumentHelp("Which frame: seconds, m:s, h:m:s.ms or #frame (zero-based).", valueName: "time"))
  var at: StartPosition

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write: .png, .jpg or .jpeg; - writes to standard output.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: "How the frame is coded, whatever the name of the file.")
  var format: ImageFile.Format?

  func validate() throws { try ImageTarget.validate(output, format) }

  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: [clip])
    let target = try orFail(output) { try ImageTarget(output, format, sparing: clip) }
    let maker = StillMaker(clip: clip)
    let still = try orFail(clip) { try maker.still(at: at) }
    if maker.isCutOff { printError("quadrille: \(clip): is cut off: what its missing end would show is not there") }
    try orFail(output) { try target.write(still.image) }
  }
}
