import Glibc
import Playback

/// The time to open a movie of 500 cuts, and the cost of its frames relative to those of its clips.
enum MovieDecode {
  static func opening(_ cuts: CutList, rounds: Int) throws -> [TableRow] {
    var first: [Double] = []
    for _ in 0..<rounds {
      let begin = now()
      let asset = Asset(composition: try cuts.composition())
      let context = PlaybackContext(threads: 2)
      let player = Player(context: context)
      let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 320, height: 180)))
      player.replaceCurrentItem(with: PlayerItem(asset: asset))
      while output.copyFrame(at: player.hostTime) == nil {
        usleep(1000)
        if now() - begin > Workbench.patience { throw BenchError("no frame comes") }
      }
      first.append((now() - begin) * 1000)
      player.replaceCurrentItem(with: nil)
    }
    return [TableRow("movie of \(CutList.count) cuts: made, opened, first frame", first, atMost: 300, unit: " ms", digits: 0)]
  }

  static func decoding(_ cuts: CutList, rounds: Int) throws -> [TableRow] {
    var ratios: [Double] = [], note = ""
    for round in 1...rounds {
      progress("decode \(round)/\(rounds)")
      let begin = ProcessFigures.processorSeconds()
      let count = try UntimedDecode.all(of: cuts.composition())
      let whole = ProcessFigures.processorSeconds() - begin
      guard count == cuts.frameCount else { throw BenchError("\(count) frames of \(cuts.frameCount) came") }
      var plain = 0.0, decoded = 0, wanted = 0
      for clip in cuts.clips.indices {
        let asset = Asset(path: cuts.clips[clip])
        let begin = ProcessFigures.processorSeconds()
        let result = try UntimedDecode.frames(cuts.pieces.filter { $0.clip == clip }.map(\.frames), of: asset)
        plain += ProcessFigures.processorSeconds() - begin
        decoded += result.decoded
        wanted += result.wanted
      }
      guard wanted == count else { throw BenchError("\(wanted) frames of \(count) came clip by clip") }
      ratios.append(whole / plain)
      note = "\(count) frames, \(decoded) to be decoded; \(text(whole, 2)) s / \(text(plain, 2)) s"
    }
    return [
      TableRow("movie of \(CutList.count) cuts: CPU time / that of its frames from their random access points", ratios, atMost: 1.1, note: note),
      TableRow("memory at its peak, MB", [try ProcessFigures.ownPeakMegabytes()], atMost: 250, digits: 0, note: "this process, all rows up to here"),
    ]
  }
}
