import Pixels
import TestSupport
import Testing

@testable import Playback

/// Playlists with random damage: they are read or refused, and what is read can be used.
@Suite(.timeLimit(.minutes(20))) struct HLSFuzzTests {
  private static let pieces: [String] = [
    "#EXTM3U\n", "#EXTINF:", "#EXTINF:4,\n", "#EXTINF:0\n", "#EXTINF:604800,\n", "a.ts\n", "#EXT-X-BYTERANGE:",
    "9223372036854775807", "@", "-", "\"",
    ",", "=", "\r", "\n", "\u{0}", "{$", "{$a}", "}", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$a}\"\n",
    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x",
    "#EXT-X-KEY:METHOD=NONE\n", "#EXT-X-MAP:URI=\"m\",BYTERANGE=\"", "#EXT-X-DISCONTINUITY\n", "#EXT-X-GAP\n",
    "#EXT-X-MEDIA-SEQUENCE:",
    "4611686018427387904\n", "#EXT-X-PROGRAM-DATE-TIME:2261-12-31T23:59:60.999999999-23:59\n",
    "#EXT-X-PROGRAM-DATE-TIME:1700-01-01T00:00:00+23:59\n",
    "#EXT-X-STREAM-INF:BANDWIDTH=", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"", "#EXT-X-START:TIME-OFFSET=-",
    "#EXT-X-TARGETDURATION:0\n",
    "#EXT-X-ENDLIST\n", "#EXT-X-DISCONTINUITY-SEQUENCE:", "#EXT-X-BITRATE:99999999999\n", "#EXT-X-SERVER-CONTROL:HOLD-BACK=",
  ]

  private static func damage(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let start = Int.random(in: 0...text.count, using: &random)
      let end = min(text.count, start + Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: text.removeSubrange(start..<end)
      case 1: text.insert(contentsOf: pieces.randomElement(using: &random)?.utf8 ?? "".utf8, at: start)
      case 2: text.insert(contentsOf: Array(text[start..<end]), at: Int.random(in: 0...text.count, using: &random))
      case 3 where start < text.count: text[start] = UInt8.random(in: 0...255, using: &random)
      default: text.replaceSubrange(start..<end, with: pieces.randomElement(using: &random)?.utf8 ?? "".utf8)
      }
    }
    return text
  }

  /// Uses everything that a playlist offers; returns its segments.
  private func use(_ playlist: HLSPlaylist, _ timeline: inout HLSTimeline?, _ random: inout SeededGenerator) -> Int {
    switch playlist {
    case .multivariant(let playlist):
      guard var choice = try? HLSVariantChoice(playlist, canDecode: { !$0.hasPrefix("x") }) else { return 0 }
      for variant in playlist.variants { _ = playlist.selectionGroup(.audible, of: variant) }
      for _ in playlist.variants {
        let bandwidth = Double.random(in: 0...1e7, using: &random)
        let conditions = HLSVariantChoice.Conditions(displaySize: PixelSize(width: 640, height: 360), bandwidth: bandwidth)
        if let index = choice.update(for: conditions) { choice.exclude(index) }
      }
      return 0
    case .media(let playlist):
      for segment in playlist.segments { #expect(segment.duration >= .zero && segment.byteRange?.isEmpty != true) }
      let now = HostTime.random(in: .min ... .max, using: &random)
      let next = timeline?.updated(with: playlist, at: now).timeline ?? HLSTimeline(playlist, at: now)
      #expect(next.timeRange.isValid && next.seekableRange.isValid && next.timeRange.contains(next.seekableRange))
      #expect(next.startTime >= next.timeRange.start && next.startTime <= next.timeRange.end)
      #expect(next.groups.reduce(0) { $0 + $1.segments.count } == next.sequences.count && next.gaps.allSatisfy(\.isValid))
      _ = next.reload.silence(at: now)
      timeline = next
      return playlist.segments.count
    }
  }

  @Test func damagedPlaylistsAreReadOrRefused() {
    var segments = 0, refused = 0
    for seed in TestSeeds.first(Soak.cases(200, else: 20)) {
      var random = SeededGenerator(seed: seed)
      var timeline: HLSTimeline?
      for sample in HLSSamples.all {
        for _ in 0..<10 {
          let text = Self.damage(Array(sample.utf8), &random)
          do {
            segments += use(try HLSPlaylist(text, address: "https://a/b?a=1", importing: ["a": "1"]), &timeline, &random)
          } catch {
            refused += 1
            #expect(error.description.hasPrefix("playlist "))
          }
        }
      }
    }
    #expect(segments > 100 && refused > 100)
  }

  /// Playlists made of nothing but tags, in any order.
  @Test func anyOrderOfLines() {
    for seed in TestSeeds.first(Soak.cases(2000, else: 300)) {
      var random = SeededGenerator(seed: seed)
      var timeline: HLSTimeline?
      var text = "#EXTM3U\n"
      for _ in 0..<Int.random(in: 1...60, using: &random) { text += Self.pieces.randomElement(using: &random) ?? "" }
      if let playlist = try? HLSSamples.playlist(text) { _ = use(playlist, &timeline, &random) }
    }
  }
}
