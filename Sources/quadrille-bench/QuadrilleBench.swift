import ArgumentParser
import Foundation

/// Measures the program and prints a table; see docs/benchmarks.md.
@main
struct QuadrilleBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille-bench", abstract: "Measure quadrille. Run by scripts/bench.",
    subcommands: [Peers.self, Scrub.self], defaultSubcommand: Peers.self)
}

/// What playing costs beside other programs.
struct Peers: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measure quadrille beside its peers.")

  @Argument(help: "Four clips, 1080p30.")
  var clips: [String]

  @Option(help: "ffmpeg's test pattern, 1080p30, 300 pictures.")
  var pattern: String

  @Option(help: "The program to measure.")
  var program: String

  @Option(help: "Runs of each figure, of which the median is taken.")
  var rounds = 5

  @Option(help: "Only these rows: cpu, panes, link, start, idle.")
  var row: [String] = []

  func validate() throws {
    guard clips.count == 4 else { throw ValidationError("Four clips are needed.") }
    guard rounds > 0 else { throw ValidationError("At least one round is needed.") }
  }

  func run() throws {
    let bench = Workbench(program: program, clips: clips, rounds: rounds)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("cpu", { try ProcessorTime.measure($0, pattern: pattern) }), ("panes", FourPanes.measure), ("link", SlowLink.measure),
      ("start", FirstPicture.measure), ("idle", Idle.measure),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where row.isEmpty || row.contains(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }
}

/// Says on stderr what is going on.
func progress(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
