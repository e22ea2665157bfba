import ArgumentParser
import Playback

/// Measures the cost of movies and the smoothness of their joints.
struct Movies: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure movies.",
    discussion: """
      Takes two 1080p30 clips of at least 300 frames with a keyframe every 30 frames. Rows: open, decode, joints, story, render. \
      --rounds applies to the first two.
      """)

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 2 else { throw ValidationError("Requires two clips.") }
  }

  func run() throws {
    DecoderLog.silence()
    // As the program does.
    PlaybackContext.keepLittleFreedMemory()
    let bench = options.workbench(rounds: 5)
    let cuts = try CutList(options.clips)
    let measurements: [(name: String, measure: () throws -> [TableRow])] = [
      ("open", { try MovieDecode.opening(cuts, rounds: bench.rounds) }),
      ("decode", { try MovieDecode.decoding(cuts, rounds: bench.rounds) }),
      ("joints", { try MovieJoints.measure(options.clips) }), ("story", { try StoryJoints.measure(options.clips) }),
      ("render", { try MovieRender.measure(bench, cuts) }),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure()
    }
    print(TableRow.table(rows))
  }
}
