import ArgumentParser
import Foundation
import Playback
import TerminalHarness

/// Measures what a viewer sees over slow links.
struct Link: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure display over slow links.",
    discussion: """
      Rows: zoom, film, animation, panes, fast-film, fast-zoom, far, slow, whole, peers, ssh, tmux. Runs each three times; \
      peers, ssh and tmux once.
      """)

  @Argument(help: "A zoom with film grain, 10 s.")
  var zoom: String

  @Option(help: "Program to measure.")
  var program: String

  @Option(help: "Film clip.")
  var film: String?

  @Option(help: "Animation clip.")
  var animation: String?

  @Option(help: "Clip from a stationary camera.")
  var camera: String?

  @Option(help: "Number of runs per figure; the median is reported.")
  var rounds = 3

  @Option(help: "Measure only this row; can be repeated.")
  var row: [String] = []

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("At least one round is needed.") }
  }

  private var clips: LinkClips { LinkClips(zoom: zoom, film: film, animation: animation, camera: camera) }
  private var bench: Workbench { Workbench(program: program, clips: [zoom], rounds: rounds) }

  private func wants(_ name: String) -> Bool { row.isEmpty || row.contains(name) }

  func run() throws {
    DecoderLog.silence()
    var table = LinkTable()
    let (cases, missing) = clips.cases
    for sentence in missing { progress(sentence) }
    for item in cases where wants(item.row) {
      add(&table, item.speed.name, item.title) {
        let places = try LinkRun.places(of: item.clips, bench)
        let run = LinkRun(clips: item.clips, places: places, limit: item.targets.lag)
        let runs = try (1...rounds).map { _ in
          let figures = try run.measure(DirectStart(bench: bench, speed: item.speed, isSynchronized: item.isSynchronized),
            arguments: item.arguments)
          progress("  \(figures)")
          return figures
        }
        return { $0.add(item.speed.name, item.title, runs, item.targets, roundTrip: item.speed.roundTrip) }
      }
    }
    if wants("peers") { measurePeers(&table) }
    if wants("ssh") || wants("tmux") { measureRemote(&table) }
    print(table.markdown)
  }

  private func measurePeers(_ table: inout LinkTable) {
    let speed = LinkSpeed.megabit
    // The film begins in black, which a program shows well however late it is.
    let watched =
      [(clip: LinkClip(name: "zoom", path: zoom), begin: 0)]
      + (film.map { [(clip: LinkClip(name: "film", path: $0), begin: 12)] } ?? [])
    for (clip, begin) in watched {
      let name = begin > 0 ? "\(clip.name) from 0:\(begin)" : clip.name
      if begin > 0 {
        add(&table, speed.name, name) {
          var run = LinkRun(clips: [clip], places: try LinkRun.places(of: [clip], bench), limit: 0.3)
          run.begin = begin
          let figures = try run.measure(DirectStart(bench: bench, speed: speed), arguments: [])
          return { $0.add(speed.name, name, [figures], LinkTargets(lag: 0.3), roundTrip: speed.roundTrip) }
        }
      }
      for peer in LinkPeer.all {
        guard bench.has(peer.command) else {
          progress("\(peer.command) is not installed: its rows stay out")
          continue
        }
        let what = "\(peer.name), \(name)"
        add(&table, speed.name, what) {
          let figures = try peer.measure(bench, speed, clip, from: begin)
          progress("  \(figures)")
          return { $0.add(speed.name, what, peer: figures) }
        }
      }
    }
  }

  /// The same over a real ssh, and in tmux on its other side.
  private func measureRemote(_ table: inout LinkTable) {
    let speed = LinkSpeed.megabit
    let shell: SecureShell
    do {
      shell = try SecureShell(bench)
    } catch {
      progress("\(error): ssh and tmux stay out")
      return
    }
    let watched = clips.cases.cases.filter {
      $0.speed.name == speed.name && $0.clips.count == 1 && $0.row != "animation"
    }
    if wants("ssh") {
      add(&table, speed.name, "ssh") {
        let floor = try shell.floor(speed)
        progress("  ssh carries \(floor)")
        return { $0.add(speed.name, "what ssh can carry", rate: floor.payload, linkRate: floor.link) }
      }
    }
    var ways: [(row: String, what: String, compresses: Bool, multiplexer: RemoteStart.Multiplexer)] = [
      ("ssh", "ssh", false, .none), ("ssh", "ssh -C", true, .none),
    ]
    if bench.has("tmux") {
      ways += [
        ("tmux", "ssh, tmux with allow-passthrough on", false, .tmux(passesThrough: true)),
        ("tmux", "ssh, tmux with allow-passthrough off", false, .tmux(passesThrough: false)),
      ]
    } else {
      progress("tmux is not installed: its rows stay out")
    }
    for way in ways where wants(way.row) {
      // tmux draws in its own way.
      for item in watched where way.row == "ssh" || !item.isSynchronized {
        let what = "\(way.what), \(item.title)"
        add(&table, speed.name, what) {
          let places = try LinkRun.places(of: item.clips, bench)
          var run = LinkRun(clips: item.clips, places: places, limit: way.row == "tmux" ? 5 : item.targets.lag)
          // They may take seconds.
          if way.row == "tmux" { run.keyCount = 6 }
          let start = RemoteStart(
            bench: bench, shell: shell, proxy: try shell.proxy(speed), speed: speed, compresses: way.compresses,
            multiplexer: way.multiplexer, isSynchronized: item.isSynchronized)
          let figures = try run.measure(start, arguments: [])
          progress("  \(figures)")
          var targets = item.targets
          if way.row == "tmux" { targets = LinkTargets(lag: 5, clear: nil, key: 0.5) }
          // The shell and the server end, too.
          targets.quit = .infinity
          return { $0.add(speed.name, what, [figures], targets, roundTrip: speed.roundTrip) }
        }
      }
    }
  }

  /// Measures a row and adds it, or says in the table that it failed: one row that cannot be had is no reason to lose the
  /// others.
  private func add(
    _ table: inout LinkTable, _ link: String, _ what: String, _ measure: () throws -> (inout LinkTable) -> Void
  ) {
    progress("\(link): \(what)")
    do {
      try measure()(&table)
    } catch {
      progress("\(error)")
      table.add(link, what, failed: error)
    }
  }
}
