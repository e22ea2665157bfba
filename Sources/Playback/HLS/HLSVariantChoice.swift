import Pixels

/// Chooses the variant to play, by the size of its display and the bandwidth.
///
/// The smallest frames that need no enlarging, at the highest bit rate that takes no more than 80 % of the bandwidth. Changes
/// to a better variant wait for a buffer; changes to a lower bit rate do not, once the bandwidth is below the current one.
struct HLSVariantChoice: Sendable {
  /// The circumstances that decide.
  struct Conditions: Sendable {
    /// Size of the box in which frames are displayed, in pixels; nil if they are not.
    var displaySize: PixelSize?
    /// Measured bandwidth in bits per second; nil if unknown.
    var bandwidth: Double?
    /// Buffered duration ahead of the clock.
    var buffered = MediaTime.zero
    /// The most that can be buffered, which near a live edge is little.
    var bufferGoal = MediaTime.positiveInfinity
    /// The user's limit in bits per second; 0 for none.
    var preferredPeakBitRate = 0.0
    /// The user's limit of the size of frames; nil for none.
    var preferredMaximumResolution: PixelSize?
  }

  /// The bandwidth assumed before any is measured, in bits per second.
  static let assumedBandwidth = 3_000_000.0
  /// The share of the bandwidth that a variant may take.
  static let usableShare = 0.8
  /// The buffer needed to change to a better variant, unless half of what can be buffered is less.
  static let sufficientBuffer = MediaTime(value: 8, timescale: 1)

  /// All variants of the playlist.
  let variants: [HLSVariant]
  /// Indices of the current candidates, by rising quality.
  private var ladder: [Int]
  /// Index of the chosen variant; nil before the first choice, and once all have failed.
  private(set) var current: Int?

  /// - Parameter canDecode: returns true if a codec, such as "avc1.64001f", can be decoded.
  init(_ playlist: HLSMultivariantPlaylist, canDecode: (String) -> Bool) throws(HLSPlaylistError) {
    variants = playlist.variants
    let variants = variants
    let undecodable = Set(variants.flatMap(\.codecs)).filter { !canDecode($0) }
    var candidates = variants.indices.filter { undecodable.isDisjoint(with: variants[$0].codecs) }
    guard !candidates.isEmpty else {
      let names = undecodable.sorted().prefix(4).map { $0.prefix(40) }.joined(separator: ", ")
      throw HLSPlaylistError("has no variant that can be decoded: no decoder for \(names)")
    }
    for isPreferred in [{ !$0.isAudioOnly }, { $0.videoRange ?? "SDR" == "SDR" }] as [(HLSVariant) -> Bool] {
      let preferred = candidates.filter { isPreferred(variants[$0]) }
      if !preferred.isEmpty { candidates = preferred }
    }
    // One media playlist is named once for each group of sound; only changes of the video are of interest here.
    var addresses: Set<String> = []
    candidates = candidates.filter { addresses.insert(variants[$0].uri).inserted }
    let hasScores = candidates.allSatisfy { variants[$0].score != nil }
    func quality(_ index: Int) -> (Double, Int, Int, Int) {
      let variant = variants[index]
      // Of equal variants, the first is the one to use, and the others are for when it fails.
      return (hasScores ? variant.score ?? 0 : 0, variant.resolution?.area ?? 0, variant.bandwidth, -index)
    }
    ladder = candidates.sorted { quality($0) < quality($1) }
  }

  /// The chosen variant.
  var variant: HLSVariant? { current.map { variants[$0] } }

  /// The indices of the variants that can be chosen, in the playlist's order.
  var candidates: [Int] { ladder.sorted() }

  /// True if all variants have been excluded.
  var isEmpty: Bool { ladder.isEmpty }

  /// Returns true if another candidate has a lower bit rate.
  func hasCheaper(than index: Int) -> Bool { ladder.contains { variants[$0].bandwidth < variants[index].bandwidth } }

  /// Excludes a variant that could not be loaded; the next update chooses another one.
  mutating func exclude(_ index: Int) {
    ladder.removeAll { $0 == index }
    if current == index { current = nil }
  }

  /// Chooses a variant, and returns its index if it is another one than before.
  mutating func update(for conditions: Conditions) -> Int? {
    let pool = suitable(conditions)
    guard let target = best(of: pool, conditions), target != current else { return nil }
    if let current, pool.contains(current), rests(at: current, despite: target, conditions) { return nil }
    current = target
    return target
  }

  /// Returns true if the current variant, which is suitable, is kept although another one is the best.
  private func rests(at current: Int, despite target: Int, _ conditions: Conditions) -> Bool {
    guard let bandwidth = conditions.bandwidth else { return true }
    if variants[target].bandwidth > variants[current].bandwidth {
      return conditions.buffered < min(Self.sufficientBuffer, conditions.bufferGoal.multiplied(by: 1, dividedBy: 2))
    }
    let isBetter = ladder.firstIndex(of: target) ?? 0 > ladder.firstIndex(of: current) ?? 0
    return !isBetter && Double(variants[current].bandwidth) <= bandwidth
  }

  /// Returns the candidates within the user's limits that are not larger than necessary.
  private func suitable(_ conditions: Conditions) -> [Int] {
    let allowed = ladder.filter { index in
      let variant = variants[index]
      if conditions.preferredPeakBitRate > 0, Double(variant.bandwidth) > conditions.preferredPeakBitRate { return false }
      guard let limit = conditions.preferredMaximumResolution, let size = variant.resolution else { return true }
      return size.width <= limit.width && size.height <= limit.height
    }
    // Limits that exclude everything still leave the least.
    guard !allowed.isEmpty else { return cheapest(of: ladder).map { [$0] } ?? [] }
    guard let box = conditions.displaySize else { return cheapest(of: allowed).map { [$0] } ?? [] }
    let covering = allowed.compactMap { variants[$0].resolution }.filter { Self.covers($0, box) }
    guard let needed = covering.map(\.area).min() else { return allowed }
    return allowed.filter { variants[$0].resolution?.area ?? 0 <= needed }
  }

  private func best(of pool: [Int], _ conditions: Conditions) -> Int? {
    let limit = (conditions.bandwidth ?? Self.assumedBandwidth) * Self.usableShare
    return pool.last { Double(variants[$0].bandwidth) <= limit } ?? cheapest(of: pool)
  }

  private func cheapest(of pool: [Int]) -> Int? { pool.min { variants[$0].bandwidth < variants[$1].bandwidth } }

  /// Returns true if frames that are fitted into a box are not enlarged.
  private static func covers(_ size: PixelSize, _ box: PixelSize) -> Bool { size.width >= box.width || size.height >= box.height }
}
