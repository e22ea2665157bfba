import Libav

/// Collects the parameter sets of a stream as its packets pass by.
struct ParameterSetCollector {
  private(set) var sets = ParameterSets()
  private let inspector: BitstreamInspector
  /// The container's own headers.
  private let original: [UInt8]
  /// Parameter sets and the like, in the order of their latest occurrence.
  private var units: [[UInt8]] = []
  private var ordinal = 0

  /// The maximum number of distinct units kept.
  private static let maxUnits = 64

  /// - Parameter original: the codec headers from the container.
  init(_ inspector: BitstreamInspector, original: [UInt8]) {
    self.inspector = inspector
    self.original = original
  }

  /// Notes the stream's next packet.
  mutating func note(_ packet: Packet) {
    defer { ordinal += 1 }
    guard !sets.isIncomplete else { return }
    for kind in Packet.SideData.allCases {
      guard let bytes = packet.sideData(kind) else { continue }
      // Decoding that starts before the change needs the earlier value.
      let isFirst = !sets.items.contains { $0.kind == .beside(kind) }
      if kind == .headers, ordinal > 0, !original.isEmpty, isFirst {
        sets.insertFirst(ParameterSets.Item(ordinal: 0, kind: .beside(kind), bytes: original))
      }
      guard sets.inForce(.beside(kind), at: ordinal)?.bytes != bytes else { continue }
      sets.append(ParameterSets.Item(ordinal: ordinal, kind: .beside(kind), bytes: bytes))
    }
    let found = packet.withBytes { inspector.parameterSets($0) }
    guard !found.isEmpty else { return }
    let old = units
    units.removeAll { found.contains($0) }
    units += found
    if units.count > Self.maxUnits { units.removeFirst(units.count - Self.maxUnits) }
    guard units != old else { return }
    sets.append(ParameterSets.Item(ordinal: ordinal, kind: .inBand, bytes: Array(units.joined())))
  }
}
