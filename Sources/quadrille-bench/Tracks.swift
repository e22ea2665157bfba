import ArgumentParser
import Playback

/// What subtitles cost, how soon another track is seen, and how the clips of a list follow each other.
struct Tracks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure subtitles, tracks and lists.",
    discussion: """
      Takes a clip of 300 frames, 1080p30, a clip of two video tracks with a keyframe in 250 frames, and a clip of 12 frames. \
      Rows are subtitles, switch and seams; the first is run so often.
      """)

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 3 else { throw ValidationError("Three clips are needed.") }
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
