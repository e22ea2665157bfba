import ArgumentParser
import Foundation

/// Measures the program and prints a table; see docs/benchmarks.md.
@main
struct QuadrilleBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille-bench", abstract: "Measure quadrille. Run by scripts/bench.",
    subcommands: [
      Peers.self, Scrub.self, Link.self, LinkPicture.self, Tracks.self, Movies.self, Comparing.self, NetworkSources.self, Cells.self,
      SoundBench.self, MetricsBench.self,
    ], defaultSubcommand: Peers.self)
}

/// Compares the cost of playback with other programs.
struct Peers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare quadrille with its peers.",
    discussion: "Takes four clips, 1080p30. Rows: cpu, encoder, panes, link, start, idle. Runs each five times.")

  @OptionGroup var options: BenchOptions

  @Option(help: "A clip of ffmpeg's test pattern: 1080p30, 300 frames.")
  var pattern: String

  func validate() throws {
    guard options.clips.count == 4 else { throw ValidationError("Requires four clips.") }
  }

  func run() throws {
    let bench = options.workbench(rounds: 5)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("cpu", { try ProcessorTime.measure($0, pattern: pattern) }), ("encoder", EncoderCost.measure),
      ("panes", FourPanes.measure),
      ("link", SlowLink.measure), ("start", FirstFrame.measure), ("idle", Idle.measure),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }
}

/// Reports progress on stderr.
func progress(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
