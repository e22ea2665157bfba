import ArgumentParser
import Glibc
import QuadrilleApp
import Terminal

/// Prints a test screen for kinds of cells.
struct Cells: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show which kinds of cells the terminal's font has.",
    discussion: "Prints the same picture in each kind that --cells can choose, with the glyphs that it needs.")

  @Option(help: "Colours for printing: auto, 24bit or 256.")
  var colors: ColorChoice?

  func validate() throws {
    if let depth = colors?.depth, depth < .palette256 { throw ValidationError("--colors must be auto, 24bit or 256.") }
  }

  func run() throws {
    let environment = processEnvironment()
    var terminal = TerminalCapabilities(
      environment: environment, terminfo: try TerminfoEntry.load(environment["TERM"]), requestedDepth: colors?.depth,
      codeset: "UTF-8")
    terminal.colorDepth = max(terminal.colorDepth, .palette256)
    let screen = CellTestScreen(terminal)
    try CommandOutput.print { output in try output.data(screen.text.utf8) }
  }
}
