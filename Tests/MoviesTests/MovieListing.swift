import Playback

@testable import Movies

/// A movie's ranges as lines of text, as `scripts/check-interchange` lists what the reference library reads.
enum MovieListing {
  static func text(_ movie: MovieDocument) -> String {
    var lines = ["track"]
    var at = MediaTime.zero
    let rate = movie.output.rate
    let pieces = movie.trimmedPieces(rate: rate)
    for (index, piece) in pieces.enumerated() {
      guard let piece, let length = piece.length(rate: rate) else { return "piece \(index) has no range" }
      if let transition = piece.transition {
        lines.append("transition in=\(seconds(transition.cut)) out=\(seconds(transition.length - transition.cut))")
      }
      defer { at = at + length }
      switch piece.content {
      case .empty:
        if length > .zero { lines.append("empty at=\(seconds(at)) length=\(seconds(length))") }
      case .missing:
        let start = piece.foreign.flatMap(OTIOClip.range)?.start ?? .zero
        lines.append("clip at=\(seconds(at)) length=\(seconds(length)) start=\(seconds(start)) speed=1")
      case .clip(let clip):
        var start = (clip.start ?? .time(.zero)).time(rate: rate) ?? .zero
        if case .time = clip.start { start = start + (piece.foreign.flatMap(OTIOClip.firstMediaTime) ?? .zero) }
        var speed = "0"
        if case .plays(let ratio, _) = clip.motion { speed = TimeText.text(ratio) }
        lines.append("clip at=\(seconds(at)) length=\(seconds(length)) start=\(seconds(start)) speed=\(speed)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func seconds(_ time: MediaTime) -> String {
    guard time.value != 0, let ratio = Lowest(time) else { return "0" }
    return ratio.below == 1 ? "\(ratio.above)" : "\(ratio.above)/\(ratio.below)"
  }

  private struct Lowest {
    var above: Int64
    var below: Int64

    init?(_ time: MediaTime) {
      guard time.isNumeric else { return nil }
      var (a, b) = (time.value.magnitude, UInt64(time.timescale))
      while b != 0 { (a, b) = (b, a % b) }
      above = time.value / Int64(a)
      below = Int64(time.timescale) / Int64(a)
    }
  }
}
