import ArgumentParser
import Playback
import QuadrilleApp
import Terminal

/// Saves one picture of a clip.
struct Frame: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save one picture of a clip as PNG or JPEG.",
    discussion: """
      It is the picture that is on display at the time, in full size, turned and with square pixels as it is to \
      be seen. Times before the first picture and past the last give these; numbers past the last are an error. A file of that name is replaced.
      """)

  @Argument(help: ArgumentHelp("A local file.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(
    help: ArgumentHelp("Which picture: seconds, m:s, h:m:s.ms or #frame (zero-based).", valueName: "time"))
  var at: StartPosition

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write: .png, .jpg or .jpeg.", valueName: "file"), completion: .file())
  var output: String

  func validate() throws { try validatePictureName(output) }

  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply()
    let still = try orFail(clip) { try StillMaker(clip: clip).still(at: at) }
    try orFail(output) { try ImageFile.write(still.image, to: output, replaces: true) }
  }
}

/// Complains about names that do not tell how the picture is to be coded.
func validatePictureName(_ name: String) throws {
  guard ImageFile.canWrite(name) else {
    throw ValidationError("The name of the file to write must end in .png, .jpg or .jpeg.")
  }
}

/// Ends the program with one sentence and exit code 1 when something does not work with a file.
@discardableResult
func orFail<R>(_ file: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as PlaybackError {
    printError("quadrille: \(TerminalText.sanitized(file)): \(TerminalText.sanitized(error.message))")
    throw ExitCode(1)
  }
}
