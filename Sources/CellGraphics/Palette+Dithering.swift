extension Palette {
  /// Picks the dithered index for a pixel. Valid only inside `withDitherer`.
  struct Ditherer {
    let candidates: UnsafePointer<UInt8>
    let quantized: UnsafePointer<UInt8>
    let thresholds: UnsafePointer<UInt16>
    let componentBits: Int
    let candidateBits: Int

    /// Returns the 32 thresholds of pixel row `y` of the screen.
    @inline(__always)
    func thresholdRow(_ y: Int) -> UnsafePointer<UInt16> {
      thresholds + (y & (DitherMatrix.side - 1)) * DitherMatrix.side
    }

    /// The high bits of the threshold pick the candidate; the low bits round the components.
    @inline(__always)
    func index(_ pixel: UInt32, _ threshold: UInt16) -> UInt32 {
      let levels = quantized + Int(threshold & 15) * 256
      let red = Int(levels[Int(pixel >> 16 & 0xFF)])
      let green = Int(levels[Int(pixel >> 8 & 0xFF)])
      let blue = Int(levels[Int(pixel & 0xFF)])
      let key = ((red &<< componentBits | green) &<< componentBits) | blue
      let candidate = Int(threshold) &>> (10 &- candidateBits)
      return UInt32(candidates[key &<< candidateBits | candidate])
    }
  }

  /// Calls `body` with the tables; only for depths with a palette (8, 16 and 256 colours).
  @inline(__always)
  func withDitherer(_ body: (Ditherer) -> Void) {
    candidates.withUnsafeBufferPointer { candidates in
      quantized.withUnsafeBufferPointer { quantized in
        thresholds.withUnsafeBufferPointer { thresholds in
          guard let candidates = candidates.baseAddress, let quantized = quantized.baseAddress,
            let thresholds = thresholds.baseAddress
          else { return }
          body(
            Ditherer(
              candidates: candidates, quantized: quantized, thresholds: thresholds,
              componentBits: layout.componentBits, candidateBits: layout.candidateBits))
        }
      }
    }
  }

  /// Calls `body` with the 32 thresholds (0–1023) for pixel row `y` of the screen; empty at `trueColor`.
  @inline(__always)
  func withThresholdRow(_ y: Int, _ body: (UnsafePointer<UInt16>) -> Void) {
    thresholds.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      body(base + (y & (DitherMatrix.side - 1)) * DitherMatrix.side)
    }
  }

  /// Returns the BT.709 luma, 0–255, of 0x00RRGGBB.
  @inline(__always)
  static func luma(_ pixel: UInt32) -> UInt32 {
    (54 * (pixel >> 16 & 0xFF) + 183 * (pixel >> 8 & 0xFF) + 19 * (pixel & 0xFF)) >> 8
  }
}
