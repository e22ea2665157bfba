import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct HLSPlaylistTests {
  @Test func aMultivariantPlaylist() throws {
    let playlist = try HLSSamples.multivariant(HLSSamples.bipbop)
    #expect(playlist.version == 6 && playlist.hasIndependentSegments && playlist.start == nil)
    #expect(playlist.variants.count == 6 && playlist.iFrameVariants.map(\.uri) == ["v7/iframe_index.m3u8"])
    let first = try #require(playlist.variants.first)
    #expect(first.uri == "v5/prog_index.m3u8" && first.bandwidth == 2_177_116 && first.averageBandwidth == 2_168_183)
    #expect(first.codecs == ["avc1.640020", "mp4a.40.2"] && first.resolution == PixelSize(width: 960, height: 540))
    #expect(first.frameRate == 60 && first.videoRange == nil && !first.isAudioOnly && playlist.variants[5].isAudioOnly)
    #expect(first.audio == "aud1" && first.subtitles == "sub1" && first.closedCaptions == "cc1" && first.video == nil)
    #expect(playlist.renditions.count == 7)
    let french = playlist.renditions[1]
    #expect(french.kind == .audio && french.name == "Français, doublé" && french.language == "fr"
      && french.uri == "a4/prog_index.m3u8")
    #expect(!french.isDefault && french.isAutoselected && french.channelCount == 2 && playlist.renditions[3].channelCount == 6)
    #expect(playlist.renditions[4].captionChannel == "CC1" && playlist.renditions[4].uri == nil)
    #expect(playlist.renditions[5].characteristics.count == 2 && playlist.renditions[6].isForced)
  }

  @Test func aLivePlaylistWithAdvertisements() throws {
    let playlist = try HLSSamples.media(HLSSamples.broadcast)
    #expect(!playlist.isEnded && playlist.kind == nil && playlist.targetDuration == 6_000_000_000 && playlist.holdBack == nil)
    let segments = playlist.segments
    #expect(segments.map(\.sequence) == Array(7151...7155))
    #expect(segments.map(\.discontinuity) == [12, 12, 13, 13, 14])
    #expect(segments[2].uri == "https://ads.example/v1/segment/ccc.ts" && segments[2].title == "Amazon|1234")
    #expect(segments[2].duration == MediaTime(value: 2002, timescale: 1000))
    // By `date -u -d 2024-05-01T12:00:00 +%s`; the third segment has no date of its own.
    let noon = MediaTime(value: 1_714_564_800_120, timescale: 1000)
    #expect(segments[0].date == noon && segments[2].date == noon + MediaTime(value: 4, timescale: 1))
    #expect(segments[3].date == noon + MediaTime(value: 6002, timescale: 1000)
      && segments[4].date == noon + MediaTime(value: 8004, timescale: 1000))
  }

  @Test func partialSegmentsAreLeftOut() throws {
    let playlist = try HLSSamples.media(HLSSamples.lowLatency)
    #expect(playlist.segments.map(\.uri) == ["fileSequence266.mp4", "fileSequence267.mp4", "fileSequence268.mp4"])
    #expect(playlist.holdBack == 14_500_000_000)
    #expect(playlist.segments.allSatisfy { $0.map == HLSMap(uri: "init.mp4", byteRange: nil, encryption: .none) })
  }

  @Test func byteRanges() throws {
    let playlist = try HLSSamples.media(HLSSamples.byteRanges)
    #expect(playlist.isEnded && playlist.kind == .video && playlist.hasIndependentSegments)
    let segments = playlist.segments
    #expect(segments.map(\.byteRange) == [719..<1_508_719, 1_508_719..<3_018_963, 3_018_963..<3_918_963, 0..<10, nil])
    #expect(segments.map(\.uri) == ["main.mp4", "main.mp4", "main.mp4", "other.mp4", "whole.mp4"])
    #expect(segments[0].map == HLSMap(uri: "main.mp4", byteRange: 0..<719, encryption: .none)
      && segments[4].map == segments[0].map)
    #expect(segments.map(\.bitrate) == [nil, nil, nil, nil, 900_000])
    #expect(MediaTime(nanoseconds: segments.duration) == MediaTime(value: 185, timescale: 10))
  }

  @Test func encryption() throws {
    let segments = try HLSSamples.media(HLSSamples.encrypted).segments
    func vector(_ number: UInt128) -> [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(120 - 8 * $0)) } }
    let explicit = HLSEncryption.aes128(keyURI: "two.key", initializationVector: vector(0xABCDEF))
    #expect(segments.map(\.encryption) == [
      .none, .aes128(keyURI: "https://keys.example/one?a=1,b=2", initializationVector: vector(7795)),
      .aes128(keyURI: "https://keys.example/one?a=1,b=2", initializationVector: vector(7796)), explicit, .none,
      .unsupported(method: "SAMPLE-AES, com.apple.streamingkeydelivery"),
    ])
    #expect(segments.map(\.map?.encryption) == [nil, nil, nil, explicit, explicit, explicit], "a map keeps its own key")
  }

  @Test func anEventInUntidyLines() throws {
    let playlist = try HLSSamples.media(HLSSamples.event)
    #expect(playlist.version == 4 && playlist.kind == .event && !playlist.isEnded)
    #expect(playlist.segments.map(\.uri) == ["one.ts", "two.ts", "three.ts"])
    #expect(playlist.segments.map(\.title) == ["A title, with a comma", "", ""])
    #expect(playlist.segments.map(\.isGap) == [false, true, false])
    #expect(playlist.segments[1].duration == MediaTime(value: 997_667, timescale: 100_000))
    #expect(playlist.start?.offset == 12_500_000_000 && playlist.start?.isPrecise == true)
  }

  /// Sums of decimal durations are exact.
  @Test func durationsDoNotDrift() throws {
    let text = "#EXTM3U\n" + String(repeating: "#EXTINF:0.1,\na.ts\n", count: 36_000) + "#EXT-X-ENDLIST\n"
    let playlist = try HLSSamples.media(text)
    #expect(MediaTime(nanoseconds: playlist.segments.duration) == MediaTime(value: 3600, timescale: 1))
    #expect(playlist.targetDuration == 1_000_000_000, "at least a second")
  }

  @Test func datesAreExtrapolatedInBothDirections() throws {
    let segments = try HLSSamples.media("""
      #EXTM3U
      #EXTINF:2,
      a
      #EXTINF:3,
      b
      #EXT-X-PROGRAM-DATE-TIME:1970-01-01T01:00:10+01:00
      #EXTINF:4,
      c
      #EXTINF:5,
      d
      """).segments
    #expect(segments.map { $0.date?.seconds } == [5, 7, 10, 14])
  }

  @Test func attributesAsTheyCome() throws {
    let playlist = try HLSSamples.multivariant("""
      #EXTM3U
      #EXT-X-STREAM-INF:  BANDWIDTH = 100 ,BANDWIDTH=200,, CODECS=avc1.1 ,RESOLUTION="640X360",NAME="a, = b",=,LONELY,\
      VIDEO-RANGE=PQ,SCORE=1.5
      low.m3u8
      another.m3u8
      #EXT-X-STREAM-INF:CLOSED-CAPTIONS=NONE,RESOLUTION=0x9,BANDWIDTH=99999999999999999999
      #EXT-X-ENDLIST
      high.m3u8
      #EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="x",NAME="x"
      #EXT-X-STREAM-INF:BANDWIDTH=1
      """)
    #expect(playlist.variants.map(\.uri) == ["low.m3u8", "high.m3u8"] && playlist.renditions.isEmpty)
    let low = playlist.variants[0], high = playlist.variants[1]
    #expect(low.bandwidth == 200 && low.codecs == ["avc1.1"] && low.resolution == PixelSize(width: 640, height: 360))
    #expect(low.name == "a, = b" && low.videoRange == "PQ" && low.score == 1.5)
    #expect(high.closedCaptions == nil && high.resolution == nil && high.bandwidth == .max)
  }

  @Test func invalidUTF8IsReplaced() throws {
    let bytes = Array("#EXTM3U\n#EXTINF:1,\u{E9}".utf8) + [0xFF, 10, 0xC3, 0x61, 10]
    guard case .media(let playlist) = try HLSPlaylist(bytes, address: "") else {
      throw HLSPlaylistError("is a multivariant playlist")
    }
    #expect(playlist.segments.map(\.uri) == ["\u{FFFD}a"] && playlist.segments[0].title == "\u{E9}\u{FFFD}")
  }

  @Test(arguments: [
    ("", "playlist is empty"), ("\n\n", "playlist is empty"),
    ("<html>", "playlist line 1: does not start with #EXTM3U"),
    ("#EXTM3U\n", "playlist names neither segments nor variants"),
    ("#EXTM3U\nsong.mp3\n", "playlist line 2: address without EXTINF or STREAM-INF before it"),
    ("#EXTM3U\n#EXTINF:4,\na\nb\n", "playlist line 4: address without EXTINF or STREAM-INF before it"),
    ("#EXTM3U\n\n#EXTINF:\na", "playlist line 3: EXTINF without a duration"),
    ("#EXTM3U\n#EXTINF:,title\na", "playlist line 2: EXTINF without a duration"),
    ("#EXTM3U\n#EXTINF:-1,Channel\na", "playlist line 2: EXTINF with a negative duration"),
    ("#EXTM3U\n#EXTINF:nan,\na", "playlist line 2: EXTINF with an invalid duration"),
    ("#EXTM3U\n#EXTINF:1e3,\na", "playlist line 2: EXTINF with an invalid duration"),
    ("#EXTM3U\n#EXTINF:604801,\na", "playlist line 2: EXTINF with a duration of more than a week"),
    ("#EXTM3U\n#EXTINF:99999999999999999999999999,\na", "playlist line 2: EXTINF with a duration of more than a week"),
    ("#EXTM3U\n" + String(repeating: "#EXTINF:604800,\na\n", count: 522), "playlist line 1045: segments of more than ten years"),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:\n", "playlist line 2: TARGETDURATION without a duration"),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:99999999\n", "playlist line 2: TARGETDURATION of more than a week"),
    ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1\n", "playlist line 2: MEDIA-SEQUENCE without a number"),
    ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n", "playlist line 2: MEDIA-SEQUENCE is too large"),
    ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n", "playlist line 2: SKIP leaves out segments, although all were requested"),
    ("#EXTM3U\n#EXT-X-KEY:URI=\"k\"\n", "playlist line 2: KEY without a METHOD"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n", "playlist line 2: KEY with AES-128 but no URI"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1g\n", "playlist line 2: KEY with an invalid IV"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\n", "playlist line 2: quotation mark is missing"),
    ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"\n", "playlist line 2: MAP without a URI"),
    ("#EXTM3U\n#EXT-X-MAP:URI=\"a\",BYTERANGE=\"0@0\"\n", "playlist line 2: MAP with an invalid BYTERANGE"),
    ("#EXTM3U\n#EXTINF:1\n#EXT-X-BYTERANGE:9223372036854775807@1\na", "playlist line 4: invalid BYTERANGE"),
    ("#EXTM3U\n#EXTINF:1\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", "playlist line 4: both segments and variants"),
    ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\"\n", "playlist names neither segments nor variants"),
    ("#EXTM3U\n#" + String(repeating: "x", count: 65_536), "playlist line 2: longer than 65536 bytes"),
    ("#EXTM3U\n#EXT-X-KEY:" + String(repeating: "A=1,", count: 65), "playlist line 2: more than 64 attributes"),
    ("#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:A=1\na\n", count: 2001), "playlist line 4003: more than 2000 variants"),
    ("#EXTM3U\n" + String(repeating: "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=a\n", count: 2001),
      "playlist line 2002: more than 2000 renditions"),
  ])
  func errorsSayWhere(text: String, message: String) {
    do {
      _ = try HLSSamples.playlist(text)
      Issue.record("no error")
    } catch {
      #expect(error.description == message)
    }
  }

  /// These are not arguments, which are printed.
  @Test func largePlaylistsAreRefused() {
    errorsSayWhere(
      text: "#EXTM3U\n" + String(repeating: "#EXTINF:1\na\n", count: 200_001), message: "playlist line 400003: more than 200000 segments")
    errorsSayWhere(text: String(repeating: "\n", count: 8 << 20 | 1), message: "playlist is larger than 8 MB")
  }

  @Test func aPlaylistWithoutSegmentsMayBeginLater() throws {
    let playlist = try HLSSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:3.2\n")
    #expect(playlist.segments.isEmpty && playlist.targetDuration == 3_200_000_000 && playlist.segments.duration == 0)
  }

  /// The largest playlist allowed, all of whose lines count, takes little more memory than its text.
  @Test func aLargePlaylistIsReadQuickly() throws {
    let lines = (0..<200_000).map { "#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\n\($0 % 1000).ts\n" }
    let start = ContinuousClock.now
    let playlist = try HLSSamples.media("#EXTM3U\n" + lines.joined())
    #expect(playlist.segments.count == 200_000 && playlist.segments.keys.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(MemoryLayout<HLSSegmentList.Record>.stride <= 72)
  }
}
