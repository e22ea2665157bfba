import ArgumentParser
import Foundation
import Pixels
import Playback
import TerminalHarness

/// Writes images of the screen over a slow link at one moment, for another program and for quadrille, and of the source frame.
struct LinkPicture: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link-picture", abstract: "Write images of the screen over a 1 Mbit/s link.",
    discussion: """
      Writes peer.ppm, former.ppm, quadrille.ppm and meant.ppm (the source frame), two pixels per cell. Run by scripts/link-picture.
      """)

  @Argument(help: "Clip of at least 9 s.")
  var clip: String

  @Option(help: "Program to show.")
  var program: String

  @Option(help: "An earlier build of the program.")
  var former: String

  @Option(help: "Program to compare with: mpv or timg.")
  var peer = "mpv"

  @Option(help: "Time to capture, in seconds from the first frame: 4 to 8.")
  var moment = 6.0

  @Option(help: "Output folder.")
  var folder: String

  func validate() throws {
    guard LinkPeer.all.contains(where: { $0.command == peer }) else { throw ValidationError("--peer must be mpv or timg.") }
    guard (4...8).contains(moment) else { throw ValidationError("--moment must be from 4 to 8.") }
  }

  func run() throws {
    DecoderLog.silence()
    let bench = Workbench(program: program, clips: [clip], rounds: 1)
    let speed = LinkSpeed.megabit
    let clips = [LinkClip(name: "clip", path: clip)]
    let places = try LinkRun.places(of: clips, bench)
    for (name, program) in [("former", former), ("quadrille", program)] {
      let start = DirectStart(bench: Workbench(program: program, clips: [clip], rounds: 1), speed: speed)
      let own = try LinkRun(clips: clips, places: places, limit: 1).screens(start)
      try write(name, at(moment, own.snapshots, own.start))
    }
    for other in LinkPeer.all where other.command == peer {
      let seen = try other.screens(bench, speed, clips[0], from: 0)
      try write("peer", at(moment, seen.snapshots, seen.start))
    }
    // As large as the screen, black around the frame.
    let place = places[0]
    let frame = try ReferenceFrames(clip, place.request).frame(at: moment, place.request)
    var bytes = [UInt8](repeating: 0, count: 3 * Workbench.columns * 2 * Workbench.rows)
    frame.image.withBytes { image in
      for y in 0..<place.rect.height {
        let start = 3 * ((place.rect.y + y) * Workbench.columns + place.rect.x)
        let row = image[3 * y * place.rect.width..<3 * (y + 1) * place.rect.width]
        bytes.replaceSubrange(start..<start + row.count, with: row)
      }
    }
    try write("meant", ScreenPixels(width: Workbench.columns, height: 2 * Workbench.rows, bytes: bytes))
  }

  /// The snapshot that is nearest to a moment of the clip.
  private func at(_ moment: Double, _ snapshots: [Snapshot], _ start: Double) throws -> ScreenPixels {
    let nearest = snapshots.min { abs($0.time - start - moment) < abs($1.time - start - moment) }
    guard let nearest else { throw BenchError("nothing was seen") }
    return nearest.pixels
  }

  private func write(_ name: String, _ pixels: ScreenPixels) throws {
    try pixels.ppm.write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(name).ppm"))
  }
}
