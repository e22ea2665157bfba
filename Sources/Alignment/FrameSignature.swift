/// A frame as a small picture of its luma.
public struct FrameSignature: Hashable, Sendable {
  /// `SignatureGrid.fine.count` values of limited range, row by row.
  public let luma: [UInt8]

  /// - Precondition: `luma` holds `SignatureGrid.fine.count` values.
  public init(luma: [UInt8]) {
    precondition(luma.count == SignatureGrid.fine.count)
    self.luma = luma
  }

  /// The same picture at 32 × 18.
  var coarse: [UInt8] {
    let width = SignatureGrid.coarse.width
    return (0..<SignatureGrid.coarse.count).map { i in
      let at = i / width * 4 * width + i % width * 2
      let sum = Int(luma[at]) + Int(luma[at + 1]) + Int(luma[at + 2 * width]) + Int(luma[at + 2 * width + 1])
      return UInt8((sum + 2) / 4)
    }
  }
}
