/// The cost of playing one clip without a clock, as ratios of whole processes' CPU time.
enum ProcessorTime {
  static func measure(_ bench: Workbench, pattern: String) throws -> [TableRow] {
    try measure(bench, pattern, "test pattern") + measure(bench, bench.clips[0], "zoom with grain")
  }

  private static func measure(_ bench: Workbench, _ clip: String, _ name: String) throws -> [TableRow] {
    var peers: [(name: String, limit: Double, command: String, arguments: [String])] = [
      ("ffmpeg -threads 1", 1.25, "ffmpeg",
       ["-v", "error", "-nostdin", "-threads", "1", "-i", clip, "-f", "null", "-"]),
      ("timg", 0.75, "timg", ["-ph", "-V", "-g\(Workbench.columns)x\(Workbench.rows)", clip]),
      ("mpv --vo=tct --untimed", 0.45, "mpv", ["--no-config", "--vo=tct", "--untimed", "--no-audio", clip]),
    ]
    var rows: [TableRow] = []
    for (index, peer) in peers.enumerated().reversed() where !bench.has(peer.command) {
      rows.append(
        TableRow(what: "\(name): CPU time / \(peer.name)", figure: "–", target: "≤ \(text(peer.limit))",
          samples: "not installed"))
      peers.remove(at: index)
    }
    var own: [Double] = []
    var theirs = [[Double]](repeating: [], count: peers.count)
    for round in 1...bench.rounds {
      progress("cpu, \(name) \(round)/\(bench.rounds)")
      let (file, read) = Statistics.file()
      own.append(try bench.run(bench.program, ["--untimed", "--stats", file, clip]).cpu)
      let shown = try read().panes[0].shown
      if shown != 300 { progress("quadrille showed \(shown) frames of 300") }
      for (index, peer) in peers.enumerated() {
        theirs[index].append(try bench.run(peer.command, peer.arguments).cpu)
      }
    }
    return zip(peers, theirs).map { peer, times in
      TableRow(
        "\(name): CPU time / \(peer.name)", zip(own, times).map { $0 / $1 }, atMost: peer.limit,
        note: "\(text(median(own), 2)) s / \(text(median(times), 2)) s")
    } + rows
  }
}
