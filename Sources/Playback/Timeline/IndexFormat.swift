import Libav

/// Writes an index as variable-length numbers, seven bits per byte, with differences instead of values.
struct IndexWriter {
  var bytes: [UInt8] = []

  mutating func put(_ value: Int64) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func put(_ key: IndexStore.Key, _ index: PacketIndex) {
    for number in key.numbers { put(number) }
    put(
      (index.hasDiscontinuity ? 1 : 0) | (index.ptsOrderIsReliable ? 2 : 0) | (index.decoded != nil ? 4 : 0)
        | (index.parameterSets.isIncomplete ? 8 : 0) | (index.isCutOff ? 16 : 0))
    put(Int64(index.parameterSets.items.count))
    for item in index.parameterSets.items {
      put(Int64(item.ordinal))
      put(item.kind.number)
      put(Int64(item.bytes.count))
      bytes += item.bytes
    }
    put(Int64(index.count))
    var last = PacketIndex.Entry.origin
    for entry in index.entries {
      let flags =
        (entry.pts != nil ? 1 : 0) | (entry.dts != nil ? 2 : 0) | (entry.isDiscarded ? 4 : 0)
        | Int64(entry.randomAccess.rawValue) << 3
      put(flags)
      if let pts = entry.pts { put(pts &- (last.pts ?? 0)) }
      if let dts = entry.dts { put(dts &- (last.dts ?? 0)) }
      put(entry.position &- last.position &- Int64(last.byteCount))
      put(Int64(entry.byteCount))
      last.follow(entry)
    }
    if let decoded = index.decoded { put(decoded) }
  }

  private mutating func put(_ decoded: DecodedOrder) {
    put(Int64(decoded.frames.count))
    put(decoded.end)
    var last = DecodedOrder.Frame.origin
    for frame in decoded.frames {
      put(Int64(frame.ordinal) - Int64(last.ordinal))
      put(frame.ticks &- last.ticks)
      put(frame.stamp == nil ? 1 : 0)
      if let stamp = frame.stamp { put(stamp &- frame.ticks) }
      put(Int64(frame.hash))
      last = frame
    }
  }
}

/// Reads the output of `IndexWriter`; anything else gives nil, at its end at the latest.
struct IndexReader {
  let bytes: UnsafeRawBufferPointer
  private var at = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private mutating func number() -> Int64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
    }
    return nil
  }

  mutating func index(_ key: IndexStore.Key, _ head: [UInt8]) -> PacketIndex? {
    guard bytes.count > head.count, bytes.prefix(head.count).elementsEqual(head) else { return nil }
    at = head.count
    for expected in key.numbers { guard number() == expected else { return nil } }
    var index = PacketIndex()
    guard let flags = number(), let headerCount = number(), headerCount >= 0 else { return nil }
    index.hasDiscontinuity = flags & 1 != 0
    index.ptsOrderIsReliable = flags & 2 != 0
    index.isCutOff = flags & 16 != 0
    if flags & 8 != 0 { index.parameterSets.giveUp() }
    for _ in 0..<headerCount {
      guard let ordinal = number().flatMap({ Int(exactly: $0) }),
        let kind = number().flatMap(ParameterSets.Kind.init(number:)),
        let count = number(), count >= 0, count <= bytes.count - at
      else { return nil }
      index.parameterSets.append(
        ParameterSets.Item(ordinal: ordinal, kind: kind, bytes: Array(bytes[at..<at + Int(count)])))
      at += Int(count)
    }
    // An entry takes at least three bytes.
    guard let count = number(), count >= 0, count <= (bytes.count - at) / 3 else { return nil }
    var last = PacketIndex.Entry.origin
    for _ in 0..<count {
      guard let flags = number(), let start = RandomAccess(rawValue: UInt8(truncatingIfNeeded: flags >> 3))
      else { return nil }
      var entry = PacketIndex.Entry.origin
      entry.randomAccess = start
      entry.isDiscarded = flags & 4 != 0
      if flags & 1 != 0 {
        guard let step = number() else { return nil }
        entry.pts = (last.pts ?? 0) &+ step
      }
      if flags & 2 != 0 {
        guard let step = number() else { return nil }
        entry.dts = (last.dts ?? 0) &+ step
      }
      guard let gap = number(), let byteCount = number().flatMap({ Int32(exactly: $0) }), byteCount >= 0 else {
        return nil
      }
      entry.position = last.position &+ Int64(last.byteCount) &+ gap
      entry.byteCount = byteCount
      index.append(entry)
      last.follow(entry)
    }
    if flags & 4 != 0 {
      guard let decoded = decoded(packetCount: index.count) else { return nil }
      index.decoded = decoded
    }
    guard at == bytes.count else { return nil }
    index.complete()
    return index
  }

  private mutating func decoded(packetCount: Int) -> DecodedOrder? {
    // A frame takes at least four bytes.
    guard let count = number(), count >= 0, count <= (bytes.count - at) / 4, let end = number() else { return nil }
    var frames: [DecodedOrder.Frame] = []
    frames.reserveCapacity(Int(count))
    var frame = DecodedOrder.Frame.origin
    for _ in 0..<count {
      guard let ordinal = number().flatMap({ Int32(exactly: Int64(frame.ordinal) &+ $0) }), let step = number(),
        let flags = number()
      else { return nil }
      frame.ordinal = ordinal
      frame.ticks &+= step
      frame.stamp = nil
      if flags & 1 == 0 {
        guard let offset = number() else { return nil }
        frame.stamp = frame.ticks &+ offset
      }
      guard let hash = number().flatMap({ UInt32(exactly: $0) }) else { return nil }
      frame.hash = hash
      frames.append(frame)
    }
    return DecodedOrder(frames, end: end, packetCount: packetCount)
  }
}

extension DecodedOrder.Frame {
  /// The base of the first frame's differences.
  fileprivate static var origin: Self { Self(ordinal: 0, ticks: 0, stamp: nil, hash: 0) }
}

extension PacketIndex.Entry {
  /// The base of the first entry's differences.
  fileprivate static var origin: Self {
    Self(pts: nil, dts: nil, position: 0, byteCount: 0, randomAccess: .none, isDiscarded: false)
  }

  /// Makes this entry the base of the next one's differences.
  fileprivate mutating func follow(_ entry: Self) {
    (pts, dts) = (entry.pts ?? pts, entry.dts ?? dts)
    (position, byteCount) = (entry.position, entry.byteCount)
  }
}

extension ParameterSets.Kind {
  /// The number that represents it in a file.
  fileprivate var number: Int64 {
    switch self {
    case .inBand: -1
    case .beside(let kind): Int64(kind.rawValue)
    }
  }

  fileprivate init?(number: Int64) {
    if number == -1 {
      self = .inBand
    } else if let kind = UInt8(exactly: number).flatMap(Packet.SideData.init(rawValue:)) {
      self = .beside(kind)
    } else {
      return nil
    }
  }
}
