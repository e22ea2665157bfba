/// The passes of a loop, counted from 0: the one that the clock plays, and the one being decoded.
struct LoopPasses {
  /// The pass that the clock is in.
  private(set) var played = 0
  /// The pass for which the source decodes, and to which the next frames of the queue belong.
  private(set) var decoded = 0

  /// True if frames are decoded for the clock's own pass.
  var areTogether: Bool { decoded == played }

  /// True if frames are decoded for the pass after the clock's.
  var isDecoderAhead: Bool { decoded > played }

  /// True if the clock has started a pass for which nothing is decoded yet.
  var isDecoderBehind: Bool { decoded < played }

  /// The pass that the decoder starts next, leaving out those that the clock has finished.
  var next: Int { max(decoded + 1, played) }

  /// Starts the clock's next pass.
  mutating func turn() { played += 1 }

  /// Starts decoding for a pass.
  mutating func decode(_ pass: Int) { decoded = pass }

  /// Decodes for the clock's own pass again.
  mutating func rejoin() { decoded = played }

  /// Skips the passes that the clock has finished meanwhile.
  mutating func catchUp() { decoded = max(decoded, played) }
}
