/// How many samples the sample tables of a movie box claim (ISO 14496-12, 8.6.1.2 and 8.7.3).
///
/// libav makes an entry of its index of each of them when it opens the file, however many the tables claim in a few
/// bytes; so a claim that cannot be true is looked for before.
struct SampleClaim {
  private struct Track {
    var isSound = false
    /// Sound told in samples of one tick is indexed by its chunks.
    var isInTicks = false
    var count: Int64 = 0

    var entries: Int64 { isSound && isInTicks ? 0 : count }
  }

  private var tracks: [Track] = []

  /// Samples of all tracks of which libav would make entries; 0 where there are no such tables.
  var count: Int64 { tracks.reduce(0) { $0 + $1.entries } }

  init(_ boxes: MovieBoxes) {
    boxes.forEach { note($0) }
  }

  private mutating func note(_ box: MovieBoxes.Box) {
    if box.name == "trak" { tracks.append(Track()) }
    guard let last = tracks.indices.last else { return }
    switch box.name {
    case "hdlr" where box.head.count >= 12: tracks[last].isSound = box.head.dropFirst(8).prefix(4).elementsEqual("soun".utf8)
    case "stts" where box.head.count >= 16: tracks[last].isInTicks = box.number(at: 4) == 1 && box.number(at: 12) == 1
    // Behind version and flags: the size of all, or how each is told, and the count.
    case "stsz", "stz2": tracks[last].count = box.number(at: 8).map(Int64.init) ?? 0
    default: break
    }
  }
}
