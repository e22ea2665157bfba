import ArgumentParser
import Movies
import Playback
import QuadrilleApp

/// What can be done with a storyboard besides playing it.
struct StoryboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storyboard",
    abstract: "Check, draw or import a storyboard.",
    discussion: "A storyboard is played as a clip is: quadrille FILE.",
    subcommands: [Check.self, Graph.self, Import.self])

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

  /// Draws a file's ways.
  struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the ways through a storyboard for Graphviz.",
      discussion: "Each track is a box, each way an arrow: quadrille storyboard graph FILE | dot -Tsvg")

    @Argument(help: ArgumentHelp("A storyboard.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
      let graph = try StoryboardCommand.orProblems { try StoryboardCommands.graph(file) }
      try CommandOutput.print { output in
        // Names in it are escaped for Graphviz, and none of them steers a terminal.
        for line in graph.split(separator: "\n") { try output.line("\(line)") }
      }
    }
  }

  /// Makes a file of another program's.
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a storyboard of a file in Twee 3.",
      discussion: "Names of clips stay as they are: put it into the folder of the file that it is made of.")

    @Argument(help: ArgumentHelp("A file of Twee 3, or another storyboard.", valueName: "file"), completion: .file())
    var file: String

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String

    func run() throws {
      let read = try StoryboardCommand.orProblems { try StoryboardFile.read(file) }
      for warning in read.warnings { printError("quadrille: \(warning)") }
      let text = StoryboardWriter(read.storyboard).text
      try orFail(output) { try OutputFile(output, sparing: [file]).write(Array(text.utf8), sparing: [file]) }
    }
  }

  /// Ends the program with one line for each problem and exit code 1 when something is wrong in a storyboard.
  static func orProblems<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as StoryboardFailure {
      for problem in failure.problems { printError("quadrille: \(problem)") }
      throw ExitCode(1)
    }
  }
}
