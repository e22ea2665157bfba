import ArgumentParser

/// Measures finer cells than half blocks, and pixels.
struct Cells: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure finer cells than half blocks, and pixels.",
    discussion: "Takes clips of at least 5 s; CPU is that of the first. Rows: quality, fit, link, cost, sixels, pixels.")

  @OptionGroup var options: BenchOptions

  @Option(parsing: .singleValue, help: "A clip of at least 30 s; can be repeated.")
  var long: [String] = []

  func run() throws {
    let bench = options.workbench(rounds: 3)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("quality", { try CellQuality.quality($0, long) }), ("fit", CellQuality.fit),
      ("link", { try CellQuality.link($0, long) }), ("cost", CellQuality.cost),
      ("sixels", { try PixelCost.sixels($0, long) }), ("pixels", PixelCost.cost),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }
}
