import Libav
import Pixels

/// Lists every frame of a composition with its time and a hash, fetched in a chosen order.
///
/// A frame taken unchanged from one clip has the hash that `FrameListing` gives it there; any other has the hash of its
/// full-size image. Use from one thread at a time.
public final class CompositionListing {
  /// Seconds per tick. All times are whole ticks, unless that would be too fine.
  public let timeBase: Ratio
  private let source: any FrameSource
  private let timeline: PresentationTimeline

  /// Opens a composition and the indexes of its clips; blocks until done.
  ///
  /// - Throws: `PlaybackError`.
  public init(_ composition: Composition) throws {
    let asset = Asset(composition: composition)
    do {
      let facts = try asset.wait(for: .facts)
      guard let track = facts.preferredVideoTrack, composition.duration > .zero else {
        throw PlaybackError(.noVideo, "has no video")
      }
      source = try asset.openSource(of: track, facts, session: InputSession(asset.input), threads: 1, keepsAlpha: false)
      guard let timeline = asset.waitForTimeline() else { throw PlaybackError(.noVideo, "has no frames") }
      self.timeline = timeline
      timeBase = RenderTimeBase(timeline, end: composition.duration).tick
      if let missing = asset.missingClips.first { throw missing.namedError }
    } catch {
      throw PlaybackError(error)
    }
  }

  /// Fetches all frames in `order` and returns them in display order; blocks until done.
  ///
  /// - Parameter seed: for `.shuffle`; equal seeds give equal orders.
  /// - Throws: `PlaybackError` if a frame cannot be decoded exactly, if media is missing, or if there are no frames.
  public func lines(order: FrameListing.Order, seed: UInt64 = 1) throws -> [FrameListing.Line] {
    do {
      let lines = try order == .linear ? decodeAll() : fetch(FrameListing.sequence(timeline.frameCount, order, seed))
      guard !lines.isEmpty else { throw PlaybackError.nothingDecodable }
      return lines
    } catch {
      throw PlaybackError(error)
    }
  }

  private func decodeAll() throws -> [FrameListing.Line] {
    var lines: [FrameListing.Line] = []
    try source.rewind()
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: return lines
      case .frame(let frame): lines.append(try line(frame))
      }
    }
  }

  private func fetch(_ order: [Int]) throws -> [FrameListing.Line] {
    let finder = ImageFinder(SourceBox(source))
    var lines: [Int: FrameListing.Line] = [:]
    for number in order {
      guard let time = timeline.time(ofFrame: number) else { continue }
      var found: (any SourceFrame)?
      while found == nil { found = try finder.step(.time(TimeTarget(time: time))) }
      lines[number] = try found.map(line)
    }
    return (0..<timeline.frameCount).compactMap { lines[$0] }
  }

  private func line(_ frame: any SourceFrame) throws -> FrameListing.Line {
    if let missing = (frame as? CompositedFrame)?.anyMissing { throw missing }
    let hash: String
    let movie = (frame as? CompositedFrame)?.innermostFrame as? MovieFrame
    if let movie {
      hash = try movie.md5()
    } else {
      hash = try frame.still(maximumSize: PixelSize(width: 0, height: 0)).image.withBytes(MD5.hexadecimal)
    }
    let timing = frame.timing
    var line = FrameListing.Line(
      pts: ticks(timing.pts), duration: ticks(timing.end).flatMap { end in ticks(timing.pts).map { end - $0 } }, md5: hash,
      isDamaged: false)
    if let movie { line.take(movie.facts) }
    return line
  }

  private func ticks(_ time: MediaTime) -> Int64? {
    time.ticks(in: timeBase)
  }
}
