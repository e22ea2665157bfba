import ArgumentParser
import Movies
import Playback
import QuadrilleApp

/// The storyboard subcommands: check, graph and import.
struct StoryboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storyboard",
    abstract: "Check, graph or import a storyboard.",
    discussion: "To play a storyboard, open it like a clip: quadrille FILE.",
    subcommands: [Check.self, Graph.self, Import.self])

  /// Reports problems in a storyboard.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Report problems in a storyboard.",
      discussion: """
        Problems are reported with line numbers. Lengths that the file does not specify are read from the clips. Exits with 1 if \
        the storyboard cannot be played.
        """)

    @Argument(help: ArgumentHelp("Storyboard file.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var logging: LogOption

    func run() throws {
      try logging.apply(sparing: InputFiles([file]))
      var clips = StoryboardClips(storyboardAt: file)
      let (lines, isPlayable) = StoryboardCommands.check(file) {
        clips.length(of: $1, in: $0)
      } look: {
        clips.findMissing(in: $0)
      }
      let missing = clips.problems.map(\.asWarning.description)
      try CommandOutput.print { output in
        for line in missing + lines { try output.line("\(line)") }
      }
      if !isPlayable { throw ExitCode(1) }
    }
  }

  /// Prints a storyboard's paths as a graph.
  struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the paths through a storyboard for Graphviz.",
      discussion: "Tracks are boxes, paths are arrows: quadrille storyboard graph FILE | dot -Tsvg")

    @Argument(help: ArgumentHelp("Storyboard file.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
      let graph = try StoryboardCommand.orProblems { try StoryboardCommands.graph(file) }
      try CommandOutput.print { output in
        // Names are escaped for Graphviz, so none of them contains control characters.
        for line in graph.split(separator: "\n") { try output.line("\(line)") }
      }
    }
  }

  /// Converts another program's file to a storyboard.
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Convert a Twee 3 file to a storyboard.",
      discussion: "Clip paths are not changed, so write the output to the folder of the input.")

    @Argument(help: ArgumentHelp("Twee 3 file, or another storyboard.", valueName: "file"), completion: .file())
    var file: String

    @Option(name: [.short, .long], help: ArgumentHelp("Output file.", valueName: "file"), completion: .file())
    var output: String

    func run() throws {
      let read = try StoryboardCommand.orProblems { try StoryboardFile.read(file) }
      for warning in read.warnings { printError("quadrille: \(warning)") }
      let text = StoryboardWriter(read.storyboard).text
      let spared = InputFiles([file]).paths
      try orFail(output) { try OutputFile(output, sparing: spared).write(Array(text.utf8), sparing: spared) }
    }
  }

  /// Prints one line per problem and exits with code 1 if a storyboard has problems.
  static func orProblems<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as StoryboardFailure {
      for problem in failure.problems { printError("quadrille: \(problem)") }
      throw ExitCode(1)
    }
  }
}
