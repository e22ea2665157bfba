/// Distinguishes H.264 packets that start a frame from those with the second field of one (ITU-T H.264, 7.3).
struct H264Fields {
  /// The sequence parameters that determine where a slice's field flags are.
  private struct Sequence {
    var hasColorPlanes: Bool
    var frameNumberBits: Int
    var hasFields: Bool
  }

  private struct Field: Equatable {
    var frameNumber: UInt32
    var isBottom: Bool
  }

  private let framing: NALFraming
  private var sequences: [UInt32: Sequence] = [:]
  /// The sequence that a frame parameter set belongs to.
  private var pictures: [UInt32: UInt32] = [:]
  /// A first field whose second is pending.
  private var pending: Field?

  init(headers: [UInt8]) {
    framing = NALFraming(avcC: headers)
    guard case .lengths = framing else {
      headers.withUnsafeBufferPointer { bytes in
        framing.forEachStart(bytes) { unit in
          note(parameters: unit)
          return true
        }
      }
      return
    }
    // An avcC box: sets behind lengths of two bytes, those of sequences first.
    var i = 5
    for mask: UInt8 in [0x1F, 0xFF] {
      guard i < headers.count else { return }
      let count = headers[i] & mask
      i += 1
      for _ in 0..<count {
        guard i + 1 < headers.count else { return }
        let length = Int(headers[i]) << 8 | Int(headers[i + 1])
        guard length <= headers.count - i - 2 else { return }
        headers[i + 2..<i + 2 + length].withUnsafeBufferPointer { note(parameters: $0) }
        i += 2 + length
      }
    }
  }

  private mutating func note(parameters unit: UnsafeBufferPointer<UInt8>) {
    guard let type = unit.first.map({ $0 & 0x1F }), type == 7 || type == 8 else { return }
    var bits = BitReader(NALFraming.unescaped(unit.dropFirst().prefix(256)))
    if type == 7 {
      if let (id, sequence) = Self.sequence(&bits) { sequences[id] = sequence }
    } else if let id = bits.unsignedExpGolomb(), let sequence = bits.unsignedExpGolomb() {
      pictures[id] = sequence
    }
  }

  /// Notes the next packet. Returns true if it starts a frame, to which later packets may add.
  mutating func notePacket(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasSlice = false
    var begins = true
    var latest: Field?
    framing.forEachStart(bytes) { unit in
      let type = unit[0] & 0x1F
      // Of partitioned slices only the first part has a header.
      guard [1, 2, 5].contains(type) else {
        note(parameters: unit)
        return true
      }
      let field = field(of: unit)
      if !hasSlice, type != 5, let field, let pending { begins = !isPair(pending, field) }
      hasSlice = true
      guard let field else {
        pending = nil
        return false
      }
      if field != latest {
        // If both fields are in one packet, none is pending.
        pending = latest == nil && begins ? field : nil
        latest = field
      }
      return true
    }
    return hasSlice && begins
  }

  private func isPair(_ first: Field, _ second: Field) -> Bool {
    first.frameNumber == second.frameNumber && first.isBottom != second.isBottom
  }

  /// Returns the field that a slice belongs to; nil for slices of whole frames.
  private func field(of unit: UnsafeBufferPointer<UInt8>) -> Field? {
    var bits = BitReader(NALFraming.unescaped(unit.dropFirst().prefix(24)))
    guard bits.unsignedExpGolomb() != nil, bits.unsignedExpGolomb() != nil, let id = bits.unsignedExpGolomb(),
      let sequence = pictures[id].flatMap({ sequences[$0] }), sequence.hasFields
    else { return nil }
    if sequence.hasColorPlanes, bits.bits(2) == nil { return nil }
    guard let number = bits.bits(sequence.frameNumberBits), bits.bit() == 1, let bottom = bits.bit()
    else { return nil }
    return Field(frameNumber: number, isBottom: bottom == 1)
  }

  /// Profiles whose parameters specify the chroma format (7.3.2.1.1).
  private static let highProfiles: Set<UInt32> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  private static func sequence(_ bits: inout BitReader) -> (UInt32, Sequence)? {
    guard let profile = bits.bits(8), bits.bits(16) != nil, let id = bits.unsignedExpGolomb() else { return nil }
    var hasColorPlanes = false
    if highProfiles.contains(profile) {
      guard let chroma = bits.unsignedExpGolomb() else { return nil }
      if chroma == 3 { hasColorPlanes = bits.bit() == 1 }
      guard bits.unsignedExpGolomb() != nil, bits.unsignedExpGolomb() != nil, bits.bit() != nil,
        let hasMatrices = bits.bit()
      else { return nil }
      if hasMatrices == 1 {
        for i in 0..<(chroma == 3 ? 12 : 8) where bits.bit() == 1 { skipScalingList(&bits, i < 6 ? 16 : 64) }
      }
    }
    guard let numberBits = bits.unsignedExpGolomb(), numberBits <= 12, let order = bits.unsignedExpGolomb()
    else { return nil }
    switch order {
    case 0: _ = bits.unsignedExpGolomb()
    case 1:
      _ = bits.bit()
      for _ in 0..<2 { _ = bits.unsignedExpGolomb() }
      guard let count = bits.unsignedExpGolomb(), count < 256 else { return nil }
      for _ in 0..<count { _ = bits.unsignedExpGolomb() }
    default: break
    }
    // Reference frames, gaps, width, height.
    guard bits.unsignedExpGolomb() != nil, bits.bit() != nil, bits.unsignedExpGolomb() != nil,
      bits.unsignedExpGolomb() != nil, let framesOnly = bits.bit()
    else { return nil }
    return (
      id, Sequence(hasColorPlanes: hasColorPlanes, frameNumberBits: Int(numberBits) + 4, hasFields: framesOnly == 0)
    )
  }

  private static func skipScalingList(_ bits: inout BitReader, _ count: Int) {
    var last = 8, next = 8
    for _ in 0..<count {
      if next != 0 {
        guard let code = bits.unsignedExpGolomb() else { return }
        // Signed numbers alternate: 1, −1, 2, −2, …
        let delta = code % 2 == 1 ? Int(code / 2) + 1 : -Int(code / 2)
        next = (last + delta) & 255
      }
      if next != 0 { last = next }
    }
  }
}
