import Libav

/// An index of the packets of a video stream, in demuxing order.
///
/// A packet's place in this order, its ordinal, is its identity: time stamps can be missing or repeat.
struct PacketIndex: Sendable {
  struct Entry: Equatable, Sendable {
    /// In ticks of the stream's time base; nil where the container has none.
    var pts: Int64?
    var dts: Int64?
    /// Offset in the file, −1 where unknown.
    var position: Int64
    var byteCount: Int32
    var randomAccess: RandomAccess
    /// Decoded for others only and never shown.
    var isDiscarded: Bool
  }

  private(set) var entries: [Entry] = []
  /// Ordinals of the packets that have a random access point, in order.
  private(set) var randomAccessPoints: [Int] = []
  /// Ordinals sorted by place in the file, once sealed.
  private var byPlace: [Int32] = []
  /// Headers that a decoder must see that begins behind them.
  var parameterSets = ParameterSets() {
    didSet { if parameterSets.isIncomplete, !oldValue.isIncomplete { randomAccessPoints.forEach { refute($0) } } }
  }
  private(set) var isComplete = false
  /// True if packets seem to be missing somewhere: then others may be there that give no frame.
  var hasDiscontinuity = false
  /// True if the file was found to be truncated.
  var isCutOff = false
  /// True if frames come out of the decoder in the order of their PTS. Some containers give decoding times for
  /// those of display.
  var ptsOrderIsReliable = true
  /// The result of decoding the whole stream, if that was necessary.
  var decoded: DecodedOrder?

  var count: Int { entries.count }

  mutating func append(_ entry: Entry) {
    let ordinal = entries.count
    var entry = entry
    // Nothing tells what a decoder would need that begins there.
    if parameterSets.isIncomplete, entry.randomAccess == .verified { entry.randomAccess = .flagged }
    entries.append(entry)
    if entry.randomAccess != .none { randomAccessPoints.append(ordinal) }
  }

  /// A flagged random access point was found to be right.
  mutating func verify(_ ordinal: Int) {
    guard !parameterSets.isIncomplete else { return }
    if entries.indices.contains(ordinal), entries[ordinal].randomAccess == .flagged { entries[ordinal].randomAccess = .verified }
  }

  /// A random access point does not prove that what follows is right.
  mutating func refute(_ ordinal: Int) {
    if entries[ordinal].randomAccess == .verified { entries[ordinal].randomAccess = .flagged }
  }

  /// The packet's frame does not exist for a decode from the beginning.
  mutating func hide(_ ordinal: Int) { entries[ordinal].isDiscarded = true }

  /// The random access point before the nearest one to packet `ordinal`, verified or not: what is wrong after a start
  /// point is as a rule right by the next one. 0 when there are not two.
  func pointBeforeNearest(for ordinal: Int) -> Int {
    let i = randomAccessPoints.partitioningIndex { $0 > ordinal }
    return i >= 2 ? randomAccessPoints[i - 2] : 0
  }

  /// The frames by which the flagged random access point at or before a packet is checked; nil where there is none.
  func group(of ordinal: Int) -> RandomAccessProof.Group? {
    let i = randomAccessPoints.partitioningIndex { $0 > ordinal } - 1
    guard i >= 0, case let start = randomAccessPoints[i], entries[start].randomAccess == .flagged,
      let first = entries[start].pts
    else { return nil }
    let end = i + 1 < randomAccessPoints.count ? randomAccessPoints[i + 1] : entries.count
    // Groups without end would be compared for ever.
    guard end - start <= 1024 else { return nil }
    let ordinals = (start..<end).filter { !entries[$0].isDiscarded && entries[$0].pts.map { $0 >= first } ?? false }
    return RandomAccessProof.Group(start: start, end: end, ordinals: ordinals)
  }

  /// All packets are there.
  mutating func complete() {
    isComplete = true
    // A file may break off in the last packet: a frame that was patched up from those before it needs them.
    if let last = randomAccessPoints.last, last > 0, last == entries.count - 1 {
      entries[last].randomAccess = .none
      randomAccessPoints.removeLast()
    }
    seal()
  }

  /// Makes packets findable by their place; those that are appended later are not.
  mutating func seal() {
    byPlace = Array(0..<Int32(entries.count))
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.position <= $1.position }
    if !isSorted { byPlace.sort { (entries[Int($0)].position, $0) < (entries[Int($1)].position, $1) } }
  }

  /// The ordinal of a packet that was read again; nil when it is not one of these.
  ///
  /// - Parameter expected: the ordinal it has if it follows the packet read before.
  func ordinal(of packet: Packet, expected: Int?) -> Int? {
    let position = packet.position ?? -1
    let byteCount = Int32(clamping: packet.byteCount)
    func isThere(_ entry: Entry) -> Bool { entry.position == position && entry.byteCount == byteCount }
    if let expected, entries.indices.contains(expected), isThere(entries[expected]) { return expected }
    var only: Int?
    var matches: [Int] = []
    var i = byPlace.partitioningIndex { entries[Int($0)].position >= position }
    var count = 0
    while i < byPlace.count, entries[Int(byPlace[i])].position == position {
      let ordinal = Int(byPlace[i])
      i += 1
      guard entries[ordinal].byteCount == byteCount else { continue }
      count += 1
      only = ordinal
      if entries[ordinal].pts == packet.pts && entries[ordinal].dts == packet.dts { matches.append(ordinal) }
    }
    if count == 1, position >= 0 { return only }
    // Several packets can share a place (pages of Ogg, laced blocks): the time stamps tell them apart.
    return matches.count == 1 ? matches[0] : nil
  }

  /// Returns where to start decoding for the frame of packet `ordinal`; never after it.
  ///
  /// - Parameters:
  ///   - limit: only random access points before this ordinal are considered.
  ///   - refuted: a point to exclude.
  func randomAccessPoint(for ordinal: Int, before limit: Int = .max, except refuted: Int? = nil) -> Int {
    guard ordinal > 0, entries.indices.contains(ordinal) else { return 0 }
    let target = displayPlace(of: ordinal)
    var passed = 0
    var i = randomAccessPoints.partitioningIndex { $0 > ordinal || $0 >= limit }
    while i > 0 {
      i -= 1
      let start = randomAccessPoints[i]
      guard entries[start].randomAccess == .verified, start != refuted else { continue }
      if start == ordinal { return start }
      guard let target, let place = displayPlace(of: start) else {
        // Without times, the frames shown before the keyframe that they follow cannot be told: keep away.
        // Nor can breaks be told in streams that have no times at all: keep further away.
        if ordinal - start > 32, passed > 2 || entries[ordinal].dts != nil { return start }
        passed += 1
        continue
      }
      // A frame that is shown before the random access point may lean on what came before that.
      if place <= target { return start }
    }
    return 0
  }

  /// Returns a value that increases in display order; nil if none is known.
  private func displayPlace(of ordinal: Int) -> Int64? {
    guard let decoded else { return entries[ordinal].pts }
    let index = decoded.displayIndexes[ordinal]
    return index >= 0 ? Int64(index) : nil
  }
}
