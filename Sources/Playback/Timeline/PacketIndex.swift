import Libav

/// An index of the packets of a video stream, in demuxing order.
///
/// A packet is identified by its ordinal, its position in this order, since timestamps can be missing or repeat.
struct PacketIndex: Sendable {
  struct Entry: Equatable, Sendable {
    /// The PTS in ticks of the stream's time base; nil if the container has none.
    var pts: Int64?
    var dts: Int64?
    /// The offset in the file; −1 if unknown.
    var position: Int64
    var byteCount: Int32
    var randomAccess: RandomAccess
    /// True if the packet is decoded only for other frames and never shown.
    var isDiscarded: Bool
  }

  private(set) var entries: [Entry] = []
  /// Ordinals of packets that are random access points, in order.
  private(set) var randomAccessPoints: [Int] = []
  /// Ordinals sorted by file position, once sealed.
  private var byPlace: [Int32] = []
  /// Headers that a decoder needs if it starts after them.
  var parameterSets = ParameterSets() {
    didSet { if parameterSets.isIncomplete, !oldValue.isIncomplete { randomAccessPoints.forEach { refute($0) } } }
  }
  private(set) var isComplete = false
  /// True if a packet's position is its ordinal, whatever its size: those of an image sequence, whose files may be written
  /// again while it plays.
  private(set) var positionsAreOrdinals = false
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

  init() {}

  /// Creates the complete index of an image sequence.
  ///
  /// - Parameter sizes: the sizes of the packets in bytes.
  init(separateImages sizes: [Int64]) {
    entries = sizes.indices.map { i in
      Entry(
        pts: Int64(i), dts: Int64(i), position: Int64(i), byteCount: Int32(clamping: sizes[i]), randomAccess: .verified,
        isDiscarded: false)
    }
    randomAccessPoints = Array(sizes.indices)
    (isComplete, positionsAreOrdinals) = (true, true)
    seal()
  }

  mutating func append(_ entry: Entry) {
    let ordinal = entries.count
    var entry = entry
    // The headers needed for decoding from there are unknown.
    if parameterSets.isIncomplete, entry.randomAccess == .verified { entry.randomAccess = .flagged }
    entries.append(entry)
    if entry.randomAccess != .none { randomAccessPoints.append(ordinal) }
  }

  /// Notes that a flagged random access point was found to be correct.
  mutating func verify(_ ordinal: Int) {
    guard !parameterSets.isIncomplete else { return }
    if entries.indices.contains(ordinal), entries[ordinal].randomAccess == .flagged { entries[ordinal].randomAccess = .verified }
  }

  /// Notes that decoding from a random access point is not proven correct.
  mutating func refute(_ ordinal: Int) {
    if entries[ordinal].randomAccess == .verified { entries[ordinal].randomAccess = .flagged }
  }

  /// Notes that the packet has no frame in a decode from the beginning.
  mutating func hide(_ ordinal: Int) { entries[ordinal].isDiscarded = true }

  /// Returns the random access point before the nearest one to packet `ordinal`, verified or not: errors after a start are
  /// usually gone by the next point. 0 if there are not two.
  func pointBeforeNearest(for ordinal: Int) -> Int {
    let i = randomAccessPoints.partitioningIndex { $0 > ordinal }
    return i >= 2 ? randomAccessPoints[i - 2] : 0
  }

  /// Returns the frames that verify the flagged random access point at or before a packet; nil if there is none.
  func group(of ordinal: Int) -> RandomAccessProof.Group? {
    let i = randomAccessPoints.partitioningIndex { $0 > ordinal } - 1
    guard i >= 0, case let start = randomAccessPoints[i], entries[start].randomAccess == .flagged,
      let first = entries[start].pts
    else { return nil }
    let end = i + 1 < randomAccessPoints.count ? randomAccessPoints[i + 1] : entries.count
    // Unbounded groups would be compared forever.
    guard end - start <= 1024 else { return nil }
    let ordinals = (start..<end).filter { !entries[$0].isDiscarded && entries[$0].pts.map { $0 >= first } ?? false }
    return RandomAccessProof.Group(start: start, end: end, ordinals: ordinals)
  }

  /// Notes that all packets have been read.
  mutating func complete() {
    isComplete = true
    // A file may end within the last packet: a frame patched up from earlier ones needs them.
    if let last = randomAccessPoints.last, last > 0, last == entries.count - 1 {
      entries[last].randomAccess = .none
      randomAccessPoints.removeLast()
    }
    seal()
  }

  /// Makes packets findable by their file position; packets appended later are not.
  mutating func seal() {
    byPlace = Array(0..<Int32(entries.count))
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.position <= $1.position }
    if !isSorted { byPlace.sort { (entries[Int($0)].position, $0) < (entries[Int($1)].position, $1) } }
  }

  /// Returns the ordinal of a packet that was read again; nil if it is not in the index.
  ///
  /// - Parameter expected: its ordinal if it follows the packet read before.
  func ordinal(of packet: Packet, expected: Int?) -> Int? {
    let position = packet.position ?? -1
    if positionsAreOrdinals { return entries.indices.contains(Int(position)) ? Int(position) : nil }
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
    // Several packets can share a position (Ogg pages, laced blocks): timestamps distinguish them.
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
        // Without times, it is unknown which frames are shown before the keyframe that they follow, so stay away from them.
        // Nor can breaks be recognised in streams without any times, so stay further away.
        // Nor can breaks be told in streams that have no times at all: keep further away.
        if ordinal - start > 32, passed > 2 || entries[ordinal].dts != nil { return start }
        passed += 1
        continue
      }
      // A frame displayed before the random access point may depend on earlier ones.
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
