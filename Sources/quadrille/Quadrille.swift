import ArgumentParser
import Glibc
import Playback

@main
struct Quadrille: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille",
    abstract: "Plays up to four clips side by side in a terminal.",
    usage: """
      quadrille [options] CLIP [CLIP ...]
      quadrille info CLIP ... [--json]
      quadrille frames CLIP [--order linear|reverse|shuffle]
      quadrille frame CLIP --at TIME -o FILE
      quadrille thumbnails CLIP [--count N] [--columns N] [--size WxH] [-o FILE]
      """,
    discussion: """
      Space pauses, the arrow keys seek, tab moves the focus, a links or unlinks the panes, ? shows all keys.
      Defaults and keys can be set in ~/.config/quadrille/settings.yaml.
      A clip whose name begins with - goes behind --, one called like a subcommand is written ./info.
      """,
    version: "quadrille \(version)",
    subcommands: [Play.self, Info.self, Frames.self, Frame.self, Thumbnails.self],
    defaultSubcommand: Play.self)

  static let version = "0.1.0"

  static func main() {
    let arguments = Array(self.arguments.dropFirst())
    if let script = CompletionScript.asked(by: arguments) { return print(script) }
    guard ["--help", "-h", "help"].contains(where: { arguments.elementsEqual([$0]) }) else { return main(arguments) }
    print(wholeHelp)
  }

  /// The command line, in which names of files need not be UTF-8.
  private static var arguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { i in
      CommandLine.unsafeArgv[i].map { Asset.path(ofBytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The help of the program with the options of its default command, which people look for there.
  private static var wholeHelp: String {
    let own = helpMessage(), play = helpMessage(for: Play.self)
    guard let end = own.firstRange(of: "OPTIONS:"), let rest = own.firstRange(of: "SUBCOMMANDS:"),
      let begin = play.firstRange(of: "ARGUMENTS:")
    else { return own }
    let options = play[begin.lowerBound...]
    return own[..<end.lowerBound] + options + (options.hasSuffix("\n") ? "\n" : "\n\n") + own[rest.lowerBound...]
  }
}
