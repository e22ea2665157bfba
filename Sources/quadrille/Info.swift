import ArgumentParser
import Playback
import QuadrilleApp

/// Prints information about clips without playing them.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what clips contain.",
    usage: "quadrille info <clip> ... [<options>]",
    discussion: """
      For an M3U file, shows what the clips in it contain. Exits with 1 if a clip cannot be opened or played, or if a movie \
      lacks a piece.
      """)

  @Argument(help: ArgumentHelp("Files or addresses.", valueName: "clip"), completion: .file())
  var clips: [String]

  @Flag(help: "Print a JSON array with one object per clip.")
  var json = false

  @Flag(help: "Read whole files to determine exact lengths.")
  var precise = false

  @Flag(help: "Print subtitle text with times.")
  var cues = false

  @Option(
    help: ArgumentHelp(
      "Encoding of subtitle files that are not UTF-8, as named by iconv: ISO-8859-2.", valueName: "name"))
  var subsEncoding: EncodingName?

  @OptionGroup var sequence: SequenceOption
  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: InputFiles(clips))
    let charset = subsEncoding?.name ?? UserLanguages.encoding(environment: processEnvironment())
    let network = network.makeNetwork()
    let reports = clips.flatMap(ClipListReader().listed).map {
      InfoReport(clip: $0, isPrecise: precise, cues: cues, charset: charset, frameRate: sequence.frameRate, network: network)
    }
    try CommandOutput.print { output in
      if json { return try output.data("\(InfoReport.json(reports))\n".utf8) }
      for (number, report) in reports.enumerated() {
        if number > 0 { try output.line("") }
        for line in report.lines { try output.line(line) }
        for line in report.cueLines { try output.line(untrusted: line) }
      }
    }
    if reports.contains(where: \.failed) { throw ExitCode(1) }
  }
}
