import ArgumentParser
import Playback

/// Measures the cost of subtitles, track switching and the seams between the clips of a list.
struct Tracks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure subtitles, tracks and lists.",
    discussion: """
      Takes a 1080p30 clip of 300 frames, a clip with two video tracks and a keyframe every 250 frames, and a clip of 12 frames. \
      Rows: subtitles, switch, seams. --rounds applies to the first.
      """)

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 3 else { throw ValidationError("Requires three clips.") }
  }

  func run() throws {
    DecoderLog.silence()
    let bench = options.workbench(rounds: 9)
    let measurements: [(name: String, measure: () throws -> [TableRow])] = [
      ("subtitles", { try SubtitleCost.measure(bench, options.clips[0]) }),
      ("switch", { try TrackSwitch.measure(options.clips[1]) }), ("seams", { try Seams.measure(options.clips[2]) }),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure()
    }
    print(TableRow.table(rows))
  }
}
