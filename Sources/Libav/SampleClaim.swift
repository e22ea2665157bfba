/// Counts the samples that a movie box's sample tables claim (ISO 14496-12, 8.6.1.2 and 8.7.3).
///
/// When it opens the file, libav creates an index entry for each of them, however many the tables claim in a few bytes, so
/// impossible claims must be found before.
struct SampleClaim {
  private struct Track {
    var isSound = false
    /// True for sound with samples of one tick, which is indexed by its chunks.
    var isInTicks = false
    var count: Int64 = 0

    var entries: Int64 { isSound && isInTicks ? 0 : count }
  }

  private var tracks: [Track] = []

  /// The number of samples of all tracks for which libav would create entries; 0 if there are no such tables.
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
    // After version and flags: the common size, or the field size, and the count.
    case "stsz", "stz2": tracks[last].count = box.number(at: 8).map(Int64.init) ?? 0
    default: break
    }
  }
}
