import ArgumentParser

/// Options common to all tables.
struct BenchOptions: ParsableArguments {
  @Argument(help: "Clips to measure with.")
  var clips: [String]

  @Option(help: "Program to measure.")
  var program: String

  @Option(help: "Number of runs per figure; the median is reported.")
  var rounds: Int?

  @Option(help: "Measure only this row; can be repeated.")
  var row: [String] = []

  func validate() throws {
    if let rounds, rounds < 1 { throw ValidationError("--rounds must be at least 1.") }
  }

  func workbench(rounds usual: Int) -> Workbench {
    Workbench(program: program, clips: clips, rounds: rounds ?? usual)
  }

  func wants(_ name: String) -> Bool { row.isEmpty || row.contains(name) }
}
