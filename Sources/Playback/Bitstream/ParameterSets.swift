import Libav

/// Headers in the packets of a stream that are in force from some packet on, and that need not be repeated at each
/// place where decoding may begin.
///
/// Every decoder that begins behind them must be given them.
struct ParameterSets: Equatable, Sendable {
  /// How parameter sets are carried.
  enum Kind: Hashable, Sendable {
    /// In the packet's own data, before everything else.
    case inBand
    /// In side data of the packet.
    case beside(Packet.SideData)
  }

  struct Item: Equatable, Sendable {
    /// The packet from which on they are in force.
    var ordinal: Int
    var kind: Kind
    var bytes: [UInt8]
  }

  /// In the order of their ordinals; those of a kind replace the ones before.
  private(set) var items: [Item] = []
  private var byteCount = 0
  /// True if there were more than are kept: then nothing is known of what is in force, but that the first packet of a
  /// source that was just opened brings what it needs.
  private(set) var isIncomplete = false

  /// A stream that changes its headers all the time is not noted beyond so many bytes.
  private static let capacity = 4 << 20

  mutating func append(_ item: Item) {
    guard byteCount + item.bytes.count <= Self.capacity else { return giveUp() }
    byteCount += item.bytes.count
    items.append(item)
  }

  /// Puts in what is in force from the first packet on.
  mutating func insertFirst(_ item: Item) {
    byteCount += item.bytes.count
    items.insert(item, at: 0)
  }

  /// Lets go of all: there are too many.
  mutating func giveUp() {
    items = []
    byteCount = Self.capacity
    isIncomplete = true
  }

  /// Those in force at a packet, one of each kind.
  func inForce(at ordinal: Int) -> [Item] { Self.kinds.compactMap { inForce($0, at: ordinal) } }

  func inForce(_ kind: Kind, at ordinal: Int) -> Item? {
    items[..<items.partitioningIndex { $0.ordinal > ordinal }].last { $0.kind == kind }
  }

  private static let kinds: [Kind] = [.inBand] + Packet.SideData.allCases.map(Kind.beside)

  /// Gives them to a packet that the decoder is to begin with.
  ///
  /// - Throws: `AVError` when memory is short.
  func prepare(_ packet: Packet, at ordinal: Int) throws {
    for item in inForce(at: ordinal) {
      switch item.kind {
      case .inBand: if ordinal > 0 { try packet.prepend(item.bytes) }
      case .beside(let kind): try Self.attach(item, to: packet, as: kind)
      }
    }
  }

  /// Lets a packet bring what came beside it when the stream was read from its beginning: some demuxers make it of
  /// what they have read last, such as a palette that changes in parts, or tell it once only.
  ///
  /// - Throws: `AVError` when memory is short.
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
