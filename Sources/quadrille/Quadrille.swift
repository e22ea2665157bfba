import ArgumentParser
import CellGraphics
import Glibc
import Pixels
import Playback
import QuadrilleApp
import Terminal

@main
struct Quadrille: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille",
    abstract: "Plays up to four clips side by side in a terminal.",
    usage: """
      quadrille [options] CLIP [CLIP ...]
      quadrille info CLIP ... [--json]
      quadrille frames CLIP [--order linear|reverse|shuffle]
      """,
    discussion: """
      Space pauses, the arrow keys seek, tab moves the focus, a links or unlinks the panes, ? shows all keys.
      Defaults and keys can be set in ~/.config/quadrille/settings.yaml.
      A clip whose name begins with - goes behind --, one called like a subcommand is written ./info.
      """,
    version: "quadrille \(version)",
    subcommands: [Play.self, Info.self, Frames.self],
    defaultSubcommand: Play.self)

  static let version = "0.1.0"
}
