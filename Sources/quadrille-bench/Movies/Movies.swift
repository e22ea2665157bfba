import ArgumentParser
import Playback

/// What movies made of pieces cost, and whether their joints are seen.
struct Movies: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure movies made of pieces.",
    discussion: """
      Takes two clips, 1080p30 with a keyframe in 30 frames and at least 300 frames. Rows are open, decode, joints, story and render; \
      the first two are run so often.
      """)

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 2 else { throw ValidationError("Two clips are needed.") }
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
