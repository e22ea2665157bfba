import ArgumentParser
import Playback

/// One of the clips that are scrubbed: 1,200 frames, 30 a second, a keyframe in 250.
struct ScrubClip {
  static let frames = 1200
  static let gop = 250
  static let rate = 30.0

  /// The codec's name, as shown in the table.
  let name: String
  let path: String
}

/// Measures the cost and speed of seeking and stepping.
struct Scrub: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure seeking, stepping and reverse play.",
    discussion: """
      Takes three clips of 1,200 frames with a keyframe every 250 frames: H.264, HEVC, VP9. Rows: cached, exact, back, \
      reverse, linked, resize, open, index. Runs each once.
      """)

  @OptionGroup var options: BenchOptions

  @Option(help: "Measure only this codec (H.264, HEVC, VP9); can be repeated.")
  var codec: [String] = []

  @Option(help: "A two-hour file, to open with and without an index.")
  var twoHours: String?

  @Option(help: "Files to index.")
  var index: [String] = []

  func validate() throws {
    guard options.clips.count == 3 else { throw ValidationError("Requires three clips.") }
  }

  func run() throws {
    DecoderLog.silence()
    let bench = options.workbench(rounds: 1)
    let measurements: [(name: String, measure: (Workbench, ScrubClip) throws -> [TableRow])] = [
      ("cached", CachedFrame.measure), ("exact", ExactSeek.measure), ("back", BackSteps.measure),
      ("reverse", ReversePlay.measure), ("linked", LinkedScrub.measure), ("resize", Resize.measure),
    ]
    let scrubbed = zip(["H.264", "HEVC", "VP9"], options.clips).map(ScrubClip.init)
    var rows: [TableRow] = []
    func add(_ name: String, _ title: String, _ measure: () throws -> [TableRow]) {
      guard options.wants(name) else { return }
      progress("\(title) \(name)")
      do {
        rows += try measure()
      } catch {
        // One figure that cannot be had is no reason to lose the others.
        progress("\(error)")
        rows.append(TableRow(what: "\(title): \(name)", figure: "failed", isMet: false))
      }
    }
    for clip in scrubbed where codec.isEmpty || codec.contains(clip.name) {
      for (name, measure) in measurements { add(name, clip.name) { try measure(bench, clip) } }
    }
    if let twoHours { add("open", "two hours") { try LongFile.opening(bench, twoHours) } }
    for file in index { add("index", file) { try LongFile.indexing(bench, file) } }
    print(TableRow.table(rows))
  }
}
