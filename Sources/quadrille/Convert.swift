import ArgumentParser
import Movies
import Playback
import QuadrilleApp

/// Converts a movie between file formats.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert a movie between YAML, EDL and OTIO.",
    discussion: """
      The extension of the output file selects the format: .yaml, .edl or .otio. Whatever that format cannot express is \
      reported. Clips are opened to find what the format needs and the movie does not say, such as where a whole clip ends. \
      An existing file is replaced.
      """)

  @Argument(help: ArgumentHelp("Movie file to convert.", valueName: "movie"), completion: .file())
  var movie: String

  @Option(name: [.short, .long], help: ArgumentHelp("Output file.", valueName: "file"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Frames per second of the movie, such as 25 or 30000/1001 (default: as it states, or as its clips have).", valueName: "rate"))
  var rate: OutputRate?

  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: InputFiles([movie]))
    do throws(FileError) {
      let remarks = try MovieConversion(from: movie, to: output, rate: rate?.value).run()
      for remark in remarks.reading { printError("quadrille: \(movie): \(remark)") }
      for remark in remarks.writing { printError("quadrille: \(output): \(remark)") }
    } catch {
      printError("quadrille: \(error)")
      throw ExitCode(1)
    }
  }
}
