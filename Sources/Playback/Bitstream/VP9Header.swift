/// The first bits of a VP9 frame (bitstream specification, 6.2).
struct VP9Header {
  var isKey = false
  /// True if the packet has a frame to display.
  var isShown = true

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var bits = BitReader(bytes.prefix(2))
    guard let last = bytes.last, bits.bits(2) == 2, let profile = bits.bits(2) else { return nil }
    if profile == 3, bits.bit() == nil { return nil }
    guard let showsExisting = bits.bit() else { return nil }
    if showsExisting == 1 { return }
    guard let type = bits.bit(), let shows = bits.bit() else { return nil }
    isKey = type == 0
    // Of the frames in a superframe one is to be shown.
    isShown = shows == 1 || last & 0xE0 == 0xC0
  }
}
