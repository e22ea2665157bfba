import ArgumentParser

/// What every table is told.
struct BenchOptions: ParsableArguments {
  @Argument(help: "The clips to measure with.")
  var clips: [String]

  @Option(help: "The program to measure.")
  var program: String

  @Option(help: "Runs of each figure, of which the median is taken.")
  var rounds: Int?

  @Option(help: "Only these rows.")
  var row: [String] = []

  func validate() throws {
    if let rounds, rounds < 1 { throw ValidationError("At least one round is needed.") }
  }

  func workbench(rounds usual: Int) -> Workbench {
    Workbench(program: program, clips: clips, rounds: rounds ?? usual)
  }

  func wants(_ name: String) -> Bool { row.isEmpty || row.contains(name) }
}
