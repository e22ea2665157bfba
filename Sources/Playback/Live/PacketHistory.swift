import DequeModule
import Libav

/// The packets of a live source within a budget; the oldest make room for new ones. Not thread-safe.
struct PacketHistory {
  struct Entry {
    var record: PacketRecord
    /// The number of the codec headers that apply to it.
    var headers: Int
    fileprivate var offset: Int64
  }

  private let store: BlockStore
  private var entries: Deque<Entry> = []
  /// The number of the first packet kept.
  private(set) var first = 0
  /// The numbers of the packets with which decoding can begin.
  private var starts: Deque<Int> = []
  /// The offset after the last packet.
  private var end: Int64 = 0

  /// The maximum number of packets: about an hour.
  private static let maxCount = 1 << 18
  /// The maximum size of a packet in bytes.
  private static let maxPacket = 16 << 20

  init(_ store: BlockStore) { self.store = store }

  /// The number of the next packet.
  var next: Int { first + entries.count }

  var byteCount: Int64 { end - (entries.first?.offset ?? end) }

  subscript(_ number: Int) -> Entry? {
    entries.indices.contains(number - first) ? entries[number - first] : nil
  }

  /// The number of the first packet kept with which decoding can begin; nil if there is none.
  var firstStart: Int? { starts.first }

  /// Keeps a packet as the next one.
  ///
  /// - Parameter isStart: true if decoding can begin with it.
  mutating func append(_ packet: Packet, _ record: PacketRecord, headers: Int, isStart: Bool) {
    guard record.byteCount <= min(Self.maxPacket, store.capacity * BlockStore.blockSize / 4) else { return }
    let kept = packet.withBytes { store.write(UnsafeRawBufferPointer($0), at: end) { block, _ in block } }
    if isStart { starts.append(next) }
    entries.append(Entry(record: record, headers: headers, offset: end))
    end += Int64(record.byteCount)
    // What does not fit on the disk is lost; the next one begins a block, as the store demands.
    if kept < record.byteCount { end = (BlockStore.number(at: end) + 1) * Int64(BlockStore.blockSize) }
    trim()
  }

  private mutating func trim() {
    let oldest = (BlockStore.number(at: max(0, end - 1)) - Int64(store.capacity) + 1) * Int64(BlockStore.blockSize)
    while let entry = entries.first, entry.offset < oldest || entries.count > Self.maxCount {
      entries.removeFirst()
      first += 1
    }
    while let start = starts.first, start < first { starts.removeFirst() }
  }

  /// Copies the bytes of a kept packet. Returns false if they are lost.
  func copy(_ entry: Entry, to buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = store.read(at: entry.offset + Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Returns the number of the last packet at or before a time, in ticks of its stream, with which decoding can begin, or else
  /// of the first one.
  func start(atOrBefore ticks: Int64) -> Int {
    let later = starts.partitioningIndex { number in
      (self[number].flatMap { $0.record.pts ?? $0.record.dts } ?? .min) > ticks
    }
    guard later > starts.startIndex else { return starts.first ?? next }
    return starts[starts.index(before: later)]
  }
}
