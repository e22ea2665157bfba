import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Variants and renditions as tracks.
@Suite(.timeLimit(.minutes(20))) struct HLSTrackTests {
  private static let head = """
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="1",URI="sound.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",CHANNELS="1",URI="sound.m3u8"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="texts.m3u8"

    """

  private func clip() throws -> VariantClip {
    try VariantClip(
      [VariantClip.small, VariantClip.large], head: Self.head,
      attributes: ",CODECS=\"avc1.64000d,mp4a.40.2\",AUDIO=\"a\",SUBTITLES=\"s\"")
  }

  @Test func variantsAndRenditionsAreTracks() throws {
    let clip = try clip(), facts = try SegmentFrames(clip) { $0.variant = 1 }.facts
    let video = try #require(facts.mediaSelectionGroup(for: .visual))
    #expect(video.options.map(\.displayName) == ["auto", "96×54  100 kbit/s", "192×108  400 kbit/s"])
    #expect(video.defaultOption?.track == facts.preferredVideoTrack && facts.preferredVideoTrack?.isVariant == false)
    #expect(facts.variants.map(\.codec) == ["h264", "h264"] && facts.videoTracks.count == 1)
    let sound = try #require(facts.mediaSelectionGroup(for: .audible))
    #expect(sound.options.map(\.displayName) == ["English", "Deutsch"] && sound.defaultOption?.displayName == "English")
    #expect(facts.preferredSoundTrack?.codec == "aac" && facts.preferredSoundTrack?.channelCount == 1)
    #expect(facts.mediaSelectionGroup(for: .legible)?.options.map(\.displayName) == ["English"])
  }

  @Test func selectedVariantsBelongToTheItem() async throws {
    let clip = try clip(), asset = Asset(path: clip.address), facts = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    #expect(item.selectedVariant == nil)
    item.selectedVariant = facts.variants[1]
    #expect(item.selectedVariant == facts.variants[1])
    item.selectedVariant = facts.preferredVideoTrack
    #expect(item.selectedVariant == nil)
    #expect(PlayerItem(asset: asset, videoTrack: facts.variants[0]).selectedVariant == facts.variants[0])
    item.preferredPeakBitRate = 1000
    item.preferredMaximumResolution = PixelSize(width: 100, height: 100)
    item.preferredForwardBufferDuration = 5
    #expect(item.preferredPeakBitRate == 1000 && item.preferredMaximumResolution.width == 100)
    #expect(item.preferredForwardBufferDuration == 5 && asset.input.preferences.buffer.seconds == 5)
    #expect(clip.server.requests.count > 2)
  }

  /// A rendition's timestamps are those of the video.
  @Test func soundIsOnTheVideosTimeline() throws {
    let clip = try clip(), frames = try SegmentFrames(clip) { $0.variant = 0 }
    try clip.addSound()
    let track = try #require(frames.facts.preferredSoundTrack)
    let opened = try frames.input.open(rendition: track, Interrupter(), role: ReadingRole(.playback))
    let stream = try #require(opened.demuxer.streams.first { $0.kind == .audio }), packet = try Packet()
    var times: [Double] = []
    while try opened.demuxer.read(into: packet) == .packet {
      let time = packet.pts.map { (MediaTime(ticks: $0, in: stream.timeBase) - frames.facts.startTime).seconds }
      times.append(try #require(time ?? times.last.map { $0 + 1024 / 48000 }))
    }
    #expect(times.count > 300 && abs(times[0]) < 0.15 && abs(times[times.count - 1] - 8) < 0.15)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1024 / 48000) < 0.001 }, "packets are lost or repeated")
    let later = frames.facts.startTime + MediaTime(value: 5, timescale: 1)
    try opened.demuxer.seek(stream: stream.index, toKeyAtOrBefore: try #require(later.ticks(in: stream.timeBase)))
    #expect(try opened.demuxer.read(into: packet) == .packet)
    let landed = (MediaTime(ticks: try #require(packet.pts), in: stream.timeBase) - frames.facts.startTime).seconds
    #expect(landed > 3.5 && landed < 5)
  }

  /// Files that name the video's timestamps, files that count from the start, and one that is missing.
  @Test func subtitlesAreShownAtTheirTimes() async throws {
    let clip = try clip()
    clip.serve(
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + (0..<4).map { "#EXTINF:2,\ntext\($0).vtt\n" }.joined() + "#EXT-X-ENDLIST\n",
      at: "/texts.m3u8")
    clip.serve("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:126000\n\n00:11.000 --> 00:11.500\none\n", at: "/text0.vtt")
    clip.serve("WEBVTT\n\n00:03.000 --> 00:03.500\ntwo\n", at: "/text1.vtt")
    clip.serve(
      "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:126000,LOCAL:00:00:00.000\n\n00:07.000 --> 00:08.500 line:0\nthree\n", at: "/text3.vtt")
    let asset = Asset(path: clip.address), facts = try await asset.load(.facts)
    let track = try #require(facts.mediaSelectionGroup(for: .legible)?.options.first?.track)
    let cues = try await asset.subtitles(of: track, startTime: facts.startTime).load().cues
    #expect(cues.map { $0.lines.map { $0.spans.map(\.text).joined() }.joined() } == ["one", "two", "three"])
    for (cue, time) in zip(cues, [1.0, 3, 7]) { #expect(abs(cue.timeRange.start.seconds - time) < 0.15, "\(cue.timeRange)") }
  }

  @Test func timestampMaps() throws {
    let map = try #require(WebVTTTimestampMap(Array("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000, LOCAL:00:01:00.500\n\n".utf8)))
    #expect(map.timestamp(of: MediaTime(seconds: 61, preferredTimescale: 1000)).seconds == 10.5)
    for text in [
      "WEBVTT\n\nX-TIMESTAMP-MAP=MPEGTS:1,LOCAL:00:00:00.000", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:-1,LOCAL:00:00.000", "WEBVTT",
    ] {
      #expect(WebVTTTimestampMap(Array(text.utf8)) == nil)
    }
  }

  /// A live stream begins near its edge; what the server keeps before that can be sought.
  @Test func liveStreamsGoBack() throws {
    let clip = try VariantClip([VariantClip.small])
    let list =
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:7\n" + (0..<4).map { "#EXTINF:2,\nsmall\($0).ts\n" }.joined()
    clip.serve(list, at: "/live.m3u8")
    let frames = try SegmentFrames(clip.server.url("/live.m3u8")), start = frames.facts.startTime.seconds
    let segments = try #require(frames.input.segments)
    #expect(frames.facts.startPosition.seconds == 2 && segments.liveEdge?.seconds == 8)
    #expect(segments.seekableRange == TimeRange(start: .zero, end: MediaTime(value: 2, timescale: 1)))
    let begin = try #require(try frames.next())
    #expect(abs(begin.time - start - 2) < 0.001)
    try frames.seek(to: start)
    let first = try #require(try frames.next())
    #expect(try abs(first.time - start) < 0.001 && first.hash == clip.hashes(0)[0])
  }
}
