import Pixels

/// Checks that a rendered file shows what was rendered, since some containers accept video that nobody can read back.
enum RenderCheck {
  /// The sides of the images compared.
  private static let size = PixelSize(width: 64, height: 64)
  /// The largest mean difference of samples, of 255: more than loss or other colours cause, less than noise does.
  private static let maxDifference = 64
  /// The parts that are compared, in each direction, since the container may have lost the shape of pixels.
  private static let parts = 16

  /// Returns true if a file's video can be decoded and begins with an image.
  ///
  /// - Parameter image: nil if the first frame is not known.
  /// - Throws: `PlaybackError` if it is cancelled, or if the system refuses to open the file.
  static func shows(_ image: PixelImage?, _ written: Asset, _ cancellation: RenderCancellation) throws -> Bool {
    do {
      let first = try firstImage(of: written, cancellation)
      return image.map { difference($0, first) <= maxDifference } ?? true
    } catch {
      try cancellation.check()
      let error = PlaybackError(error)
      // This says nothing about the file.
      if error.reason == .system { throw error }
      return false
    }
  }

  /// Returns true if a file has sound that can be decoded.
  ///
  /// - Throws: `PlaybackError` if it is cancelled, or if the system refuses to open the file.
  static func sounds(_ written: Asset, _ cancellation: RenderCancellation) throws -> Bool {
    let session = InputSession(written.input)
    cancellation.whenCancelled { session.interrupt() }
    do {
      guard let sound = try written.openSamples(SoundForm(rate: 48_000, channels: 2), for: session) else { return false }
      while !sound.has(1) {
        try cancellation.check()
        try sound.advance()
      }
      return sound.take(1) { !$0.isEmpty }
    } catch {
      try cancellation.check()
      let error = PlaybackError(error)
      if error.reason == .system { throw error }
      return false
    }
  }

  /// Returns the first frame of an asset, small; blocks.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below.
  static func firstImage(of asset: Asset, _ cancellation: RenderCancellation) throws -> PixelImage {
    let facts = try cancellation.facts(of: asset)
    guard let track = facts.preferredVideoTrack else { throw MovieSource.noVideo(facts) }
    let session = InputSession(asset.input)
    cancellation.whenCancelled { session.interrupt() }
    let source = try asset.openSource(of: track, facts, session: session, threads: 1)
    try source.rewind()
    while true {
      try cancellation.check()
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: throw PlaybackError.nothingDecodable
      case .frame(let frame): return try frame.still(maximumSize: size).image
      }
    }
  }

  /// Returns the mean difference of the samples of two images, compared in equal parts of each.
  static func difference(_ a: PixelImage, _ b: PixelImage) -> Int {
    let (a, b) = (means(a), means(b))
    return zip(a, b).reduce(0) { $0 + abs($1.0 - $1.1) } / max(1, a.count)
  }

  private static func means(_ image: PixelImage) -> [Int] {
    image.withBytes { bytes in
      (0..<parts * parts * 3).map { place in
        let (channel, column, row) = (place % 3, place / 3 % parts, place / 3 / parts)
        let columns = range(column, of: image.width), rows = range(row, of: image.height)
        var sum = 0
        for y in rows { for x in columns { sum += Int(bytes[3 * (y * image.width + x) + channel]) } }
        return sum / (columns.count * rows.count)
      }
    }
  }

  /// Returns the samples of a part, at least one.
  private static func range(_ part: Int, of length: Int) -> Range<Int> {
    let start = part * length / parts
    return start..<max(start + 1, (part + 1) * length / parts)
  }
}
