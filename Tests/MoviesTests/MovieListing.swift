import Playback

@testable import Movies

extension MoviePiece {
  /// Returns how long the piece is shown if clips count their frames and timecodes at a rate.
  func length(rate: Ratio?) -> MediaTime? {
    if case .clip(let clip) = content { clip.counted(at: rate).length } else { length }
  }
}

/// A movie's ranges as lines of text, as `scripts/check-interchange` lists what the reference library reads.
enum MovieListing {
  static func text(_ movie: MovieDocument) -> String {
    var lines = ["track"]
    var at = MediaTime.zero
    let rate = movie.output.rate
    var ignored = Warnings()
    let pieces = movie.counted(&ignored).trimmedPieces()
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
        let start: MediaTime
        if case .listed(let code, let own) = clip.start {
          start = code.time(at: own) ?? .zero
        } else {
          start = (clip.start?.time ?? .zero) + (piece.foreign.flatMap(OTIOClip.firstMediaTime) ?? .zero)
        }
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
