import ArgumentParser
import Glibc
import Playback
import QuadrilleApp
import Terminal
import Typesetting

@main
struct Quadrille: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille",
    abstract: "Play up to four clips side by side in a terminal.",
    usage: """
      quadrille [options] CLIP [CLIP ...]
      quadrille info CLIP ... [--json]
      quadrille frames CLIP [--order linear|reverse|shuffle]
      quadrille frame CLIP --at TIME -o FILE
      quadrille thumbnails CLIP [--count N] [--columns N] [--size WxH] [-o FILE]
      quadrille render MOVIE -o FILE [--codec NAME] [--copy] [--size WxH] [--rate R]
      quadrille compare REFERENCE CANDIDATE ... [--metrics NAMES] [--json FILE]
      quadrille convert MOVIE -o FILE [--rate R]
      quadrille cells
      quadrille storyboard check|graph|import FILE [-o FILE]
      quadrille play FILE --choices a,b,a --trace
      """,
    discussion: """
      Space pauses, the arrow keys seek, tab changes the focus, a links or unlinks the panes, ? shows all keys.
      Set defaults and keys in ~/.config/quadrille/settings.yaml.
      If a clip's name starts with -, put -- before it. If it is the name of a subcommand, write ./info.
      """,
    version: "quadrille \(version)",
    subcommands: [Play.self, Info.self, Frames.self, Frame.self, Thumbnails.self, Render.self, Convert.self, Compare.self, StoryboardCommand.self, Cells.self],
    defaultSubcommand: Play.self)

  static let version = "0.3.0"

  static func main() {
    // Without these signals, the write fails with an error, which is reported.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    if CommandLine.arguments.dropFirst().elementsEqual([TypesettingProcess.argument]) { return TypesettingServer.run() }
    PlaybackContext.keepLittleFreedMemory()
    do {
      try run(Array(arguments.dropFirst()))
    } catch {
      Glibc.exit(end(error))
    }
  }

  private static func run(_ arguments: [String]) throws {
    if let script = CompletionScript.asked(by: arguments) {
      return try CommandOutput.print { try $0.data("\(script)\n".utf8) }
    }
    if ["--help", "-h", "help"].contains(where: { arguments.elementsEqual([$0]) }) { return try say(wholeHelp) }
    var command = try parseAsRoot(arguments)
    try command.run()
  }

  private static func say(_ text: String) throws {
    try CommandOutput.print { output in
      for line in text.terminalLines { try output.line(line) }
    }
  }

  /// Reports why the program ends and returns its exit code. The message may quote the arguments.
  private static func end(_ error: any Error) -> Int32 {
    let code = exitCode(for: error)
    switch error {
    case let failure as CommandOutput.Failure:
      // The status a shell reports for a program killed by SIGPIPE.
      if failure.isClosedPipe { return 128 + SIGPIPE }
      printError("quadrille: cannot write output: \(String(cString: strerror(failure.code)))")
      return 1
    case is TerminalError, is ProgramError, is SettingsError:
      printError("quadrille: \(describing: error)")
    default:
      let text = Suggestion.withoutFarOnes(fullMessage(for: error, columns: width))
      if text.isEmpty { break }
      guard code.isSuccess else {
        for line in text.terminalLines { printError(line) }
        break
      }
      do { try say(text) } catch { return end(error) }
    }
    return code.rawValue
  }

  /// The command line. File names in it need not be UTF-8.
  private static var arguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { i in
      CommandLine.unsafeArgv[i].map { Asset.path(ofBytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// Columns for help and errors: the terminal's width, or 80 if there is no terminal.
  private static var width: Int {
    let columns = processEnvironment()["COLUMNS"].flatMap { Int($0) } ?? outputColumns() ?? 80
    return min(max(columns, 40), 1000)
  }

  /// The program's help, including the arguments and options of its default command.
  private static var wholeHelp: String {
    let own = helpMessage(columns: width), play = helpMessage(for: Play.self, columns: width)
    guard let end = own.firstRange(of: "OPTIONS:"), let rest = own.firstRange(of: "SUBCOMMANDS:"),
      let begin = play.firstRange(of: "ARGUMENTS:")
    else { return own }
    let options = play[begin.lowerBound...]
    return own[..<end.lowerBound] + options + (options.hasSuffix("\n") ? "\n" : "\n\n") + own[rest.lowerBound...]
  }
}
