import Libav

/// Headers in a stream's packets that apply from some packet on, and need not be repeated at each random access point.
///
/// Every decoder that starts after them must be given them.
struct ParameterSets: Equatable, Sendable {
  /// The way parameter sets are carried.
  enum Kind: Hashable, Sendable {
    /// In the packet's own data, before everything else.
    case inBand
    /// In side data of the packet.
    case beside(Packet.SideData)
  }

  struct Item: Equatable, Sendable {
    /// The packet from which they apply.
    var ordinal: Int
    var kind: Kind
    var bytes: [UInt8]
  }

  /// The items in order of their ordinals; each replaces earlier ones of its kind.
  private(set) var items: [Item] = []
  private var byteCount = 0
  /// True if there were more than are kept: then nothing is known of what is in force, but that the first packet of a
  /// source that was just opened brings what it needs.
  private(set) var isIncomplete = false

  /// The maximum size in bytes; a stream that changes its headers all the time is not recorded beyond it.
  private static let capacity = 4 << 20

  mutating func append(_ item: Item) {
    guard byteCount + item.bytes.count <= Self.capacity else { return giveUp() }
    byteCount += item.bytes.count
    items.append(item)
  }

  /// Inserts an item that applies from the first packet on.
  mutating func insertFirst(_ item: Item) {
    byteCount += item.bytes.count
    items.insert(item, at: 0)
  }

  /// Discards all items, because there are too many.
  mutating func giveUp() {
    items = []
    byteCount = Self.capacity
    isIncomplete = true
  }

  /// Returns the items that apply at a packet, one of each kind.
  func inForce(at ordinal: Int) -> [Item] { Self.kinds.compactMap { inForce($0, at: ordinal) } }

  func inForce(_ kind: Kind, at ordinal: Int) -> Item? {
    items[..<items.partitioningIndex { $0.ordinal > ordinal }].last { $0.kind == kind }
  }

  private static let kinds: [Kind] = [.inBand] + Packet.SideData.allCases.map(Kind.beside)

  /// Adds the items to a packet with which a decoder starts.
  ///
  /// - Throws: `AVError` if memory runs out.
  func prepare(_ packet: Packet, at ordinal: Int) throws {
    for item in inForce(at: ordinal) {
      switch item.kind {
      case .inBand: if ordinal > 0 { try packet.prepend(item.bytes) }
      case .beside(let kind): try Self.attach(item, to: packet, as: kind)
      }
    }
  }

  /// Restores a packet's side data as it was when the stream was read from its beginning: some demuxers derive it from what
  /// they read last, such as a palette that changes in parts, or output it only once.
  ///
  /// - Throws: `AVError` if memory runs out.
  func correct(_ packet: Packet, at ordinal: Int) throws {
    guard !items.isEmpty else { return }
    for kind in Packet.SideData.allCases {
      guard let item = inForce(.beside(kind), at: ordinal),
        item.ordinal == ordinal || packet.sideData(kind) != nil
      else { continue }
      try Self.attach(item, to: packet, as: kind)
    }
  }

  private static func attach(_ item: Item, to packet: Packet, as kind: Packet.SideData) throws {
    if packet.sideData(kind) != item.bytes { try packet.attach(item.bytes, as: kind) }
  }
}
