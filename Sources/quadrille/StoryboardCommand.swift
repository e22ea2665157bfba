import ArgumentParser
import Movies
import Playback
import QuadrilleApp

/// What can be done with a storyboard besides playing it.
struct StoryboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storyboard",
    abstract: "Check or draw a storyboard.",
    discussion: "A storyboard is played as a clip is: quadrille FILE.",
    subcommands: [Check.self, Graph.self])

  /// Says what is wrong in a file.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what is wrong in a storyboard.",
      discussion: """
        Each problem has the line of the file. Lengths that the file does not tell are found from the clips. The exit code is 1 when \
        the storyboard cannot be played.
        """)

    @Argument(help: ArgumentHelp("A storyboard.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var logging: LogOption

    func run() throws {
      try logging.apply(sparing: [file])
      var clips = StoryboardClips(storyboardAt: file)
      let (lines, isPlayable) = StoryboardCommands.check(file) { clips.length(of: $1, in: $0) }
      let missing = clips.problems.map { "\(FileError(file: $0.file, line: $0.line, message: "warning: \($0.message)"))" }
      try CommandOutput.print { output in
        for line in missing + lines { try output.line("\(line)") }
      }
      if !isPlayable { throw ExitCode(1) }
    }
  }

  /// Draws a file's ways.
  struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the ways through a storyboard for Graphviz.",
      discussion: "Each track is a box, each way an arrow: quadrille storyboard graph FILE | dot -Tsvg")

    @Argument(help: ArgumentHelp("A storyboard.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
      let graph = try StoryboardCommand.orFail { try StoryboardCommands.graph(file) }
      try CommandOutput.print { output in
        // Names in it are escaped for Graphviz, and none of them steers a terminal.
        for line in graph.split(separator: "\n") { try output.line("\(line)") }
      }
    }
  }

  /// Ends the program with one line for each problem and exit code 1 when something is wrong in a storyboard.
  static func orFail<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as StoryboardFailure {
      for problem in failure.problems { printError("quadrille: \(problem)") }
      throw ExitCode(1)
    }
  }
}
