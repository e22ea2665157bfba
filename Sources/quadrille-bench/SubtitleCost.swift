import Foundation

/// The CPU time of playing a clip with subtitles beside that of playing it without.
///
/// In turn, so that what else the machine does weighs on both. The cues are of two lines and change every second, which is more than people
/// read.
enum SubtitleCost {
  static func measure(_ bench: Workbench, _ clip: String) throws -> [TableRow] {
    let file = NSTemporaryDirectory() + "quadrille-bench-\(UUID().uuidString).srt"
    try words.write(toFile: file, atomically: true, encoding: .utf8)
    defer { unlink(file) }
    var with: [Double] = [], without: [Double] = []
    for round in 1...bench.rounds {
      progress("subtitles \(round)/\(bench.rounds)")
      // The order changes, so that no place in it is better.
      for hasWords in round % 2 == 0 ? [true, false] : [false, true] {
        let cpu = try bench.run(bench.program, ["--exit-at-end"] + (hasWords ? ["--subs", file] : []) + [clip]).cpu
        if hasWords { with.append(cpu) } else { without.append(cpu) }
      }
    }
    return [
      TableRow(
        "CPU time with subtitles / without", zip(with, without).map { $0 / $1 }, atMost: 1.02,
        note: "\(text(median(with), 2)) s / \(text(median(without), 2)) s")
    ]
  }

  private static var words: String {
    func time(_ seconds: Int) -> String { "00:00:\(seconds < 10 ? "0" : "")\(seconds),000" }
    return (0..<10).map { number in
      "\(number + 1)\n\(time(number)) --> \(time(number + 1))\nThis is what <i>somebody says</i> as number \(number),\nand more of it.\n\n"
    }.joined()
  }
}
