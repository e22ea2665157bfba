import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Random compositions of clips of every kind: their frames are the clips' own, to the bit.
@Suite(.timeLimit(.minutes(20))) struct RealCompositionTests {
  /// A clip, and when each of its frames is shown.
  private final class Clip: Sendable {
    let name: String
    let asset: Asset
    let frames: [(pts: MediaTime, md5: String)]
    /// Where the last frame ends, where that is known for certain; else where it begins.
    let end: MediaTime

    init(name: String, path: String) throws {
      self.name = name
      asset = Asset(path: path)
      let facts = try asset.wait(for: .facts)
      let listing = try FrameListing(path: path)
      frames = try listing.lines(order: .linear).compactMap { line in
        line.pts.map { (MediaTime(ticks: $0, in: listing.timeBase) - facts.startTime, line.md5) }
      }
      let last = frames.last?.pts ?? .zero
      // The last frame stays until then, whatever the clip says of its length.
      end = facts.duration.isNumeric && facts.duration > last ? facts.duration : last
    }
  }

  /// Clips that have been listed by their names; nil where one has no frames to make pieces of.
  private static let listed = Mutex<[String: Clip?]>([:])

  /// All that are decoded in seconds: a minute of 720p, say.
  private static let names: [String] = {
    guard let folder = SharedClips.folder, let table = try? String(contentsOfFile: folder + "/INDEX.tsv", encoding: .utf8)
    else { return [] }
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let size = fields.count > 10 ? fields[6].split(separator: "x").compactMap { Int($0) } : []
      guard size.count == 2, size[0] * size[1] * (Int(fields[10]) ?? .max / size[0] / size[1]) < 1_300_000_000 else { return nil }
      return SharedClips.has(fields[0]) ? fields[0] : nil
    }
  }()

  private static func clip(_ name: String) -> Clip? {
    // Whoever else wants it waits.
    listed.withLock { listed in
      if let known = listed[name] { return known }
      let clip = SharedClips.path(name).flatMap { try? Clip(name: name, path: $0) }
      // Where stamps go back, or lie before the clip's beginning, a piece cannot be told by them.
      let useful = clip.flatMap { clip in
        clip.frames.count > 1 && clip.frames[0].pts >= .zero && zip(clip.frames, clip.frames.dropFirst()).allSatisfy { $0.pts < $1.pts } ? clip : nil
      }
      listed[name] = useful
      return useful
    }
  }

  // Real clips differ in everything: codec, size, rate, times, alpha, damage.
  @Test(.enabled(if: !names.isEmpty, "\(SharedClips.missing)"), arguments: Soak.cases(TestSeeds.first(40), else: [4]))
  func framesAreThoseOfTheClips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var movie = Composition()
    var expected: [(name: String, number: Int, md5: String)] = []
    // A few clips for many pieces: some come again and again.
    let clips = (0..<4).compactMap { _ in Self.clip(Self.names.randomElement(using: &random)!) }
    guard !clips.isEmpty else { return }
    for _ in 0..<Int.random(in: 1...50, using: &random) {
      let clip = clips.randomElement(using: &random)!
      let count = clip.frames.count
      let first = Int.random(in: 0..<count - 1, using: &random)
      let end = min(first + Int.random(in: 1...6, using: &random), clip.end > clip.frames[count - 1].pts ? count : count - 1)
      let range = TimeRange(start: clip.frames[first].pts, end: end < count ? clip.frames[end].pts : clip.end)
      let place = movie.duration
      let kind = Int.random(in: 0..<8, using: &random)
      if kind == 0 {
        try movie.insertFreeze(at: range.start, of: clip.asset, duration: MediaTime(value: 1, timescale: 5), at: place)
        expected.append((clip.name, first, clip.frames[first].md5))
        continue
      }
      try movie.append(range, of: clip.asset)
      let shown = TimeRange(start: place, duration: range.duration)
      var own = (first..<end).map { (clip.name, $0, clip.frames[$0].md5) }
      switch kind {
      case 1:
        movie.scale(shown, to: range.duration, isReversed: true)
        own.reverse()
      case 2: movie.scale(shown, to: range.duration + range.duration)
      default: break
      }
      expected += own
    }
    let listing = try CompositionListing(movie)
    // Each frame sought by itself is the dearest order: where there are few of them.
    let orders: [FrameListing.Order] = expected.count <= 20 ? FrameListing.Order.allCases : [.linear]
    for order in orders {
      let lines = try listing.lines(order: order, seed: seed)
      #expect(lines.count == expected.count, "\(order)")
      if let at = zip(lines, expected).enumerated().first(where: { $1.0.md5 != $1.1.md5 }) {
        Issue.record("\(order): frame \(at.offset) is not \(at.element.1.name) \(at.element.1.number)")
      }
    }
  }
}
