import ArgumentParser
import Playback
import QuadrilleApp

/// Prints what clips are, without playing them.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what clips contain.",
    usage: "quadrille info <clip> ... [<options>]",
    discussion: "The exit code is 1 when a clip cannot be opened.")

  @Argument(help: ArgumentHelp("Local files.", valueName: "clip"), completion: .file())
  var clips: [String]

  @Flag(help: "Print JSON: an array with an object a clip.")
  var json = false

  @Flag(help: "Read whole files for their exact lengths.")
  var precise = false

  @Flag(help: "Print what subtitles say, with their times.")
  var cues = false

  @Option(
    help: ArgumentHelp(
      "Encoding of files of subtitles that are not in UTF-8, as iconv names it: ISO-8859-2.", valueName: "name"))
  var subsEncoding: EncodingName?

  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: clips)
    let charset = subsEncoding?.name ?? UserLanguages.encoding(environment: processEnvironment())
    let reports = clips.map { InfoReport(clip: $0, isPrecise: precise, cues: cues, charset: charset) }
    try CommandOutput.print { output in
      if json { return try output.data("\(InfoReport.json(reports))\n".utf8) }
      for line in reports.map(\.lines).joined(separator: [""]) { try output.line(line) }
    }
    if reports.contains(where: \.failed) { throw ExitCode(1) }
  }
}
