import Foundation
import TestSupport
import Testing
import Transport

@testable import Playback

/// Presentations of MPEG-DASH, as FFmpeg writes them and in other forms.
@Suite(.timeLimit(.minutes(20))) struct DASHTests {
  /// 8 s, 25 numbered frames a second, in two qualities, with sound.
  private func serve(_ options: [String]) throws -> (server: TestServer, folder: TemporaryFolder) {
    let source = try SampleMedia.clip(
      name: "dash.mkv",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=8", "-f", "lavfi", "-i", "sine=440:d=8", "-c:v", "libx264", "-g", "25", "-bf", "2",
        "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-c:a", "aac",
      ])
    let folder = try TemporaryFolder(), server = try TestServer()
    try MediaTool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", source, "-map", "0:v", "-map", "0:v", "-map", "0:a", "-c:v:0", "copy", "-c:v:1", "libx264", "-g", "25", "-s:v:1",
        "160x90", "-c:a", "copy", "-seg_duration", "2", "-adaptation_sets", "id=0,streams=v id=1,streams=a",
      ] + options + ["-f", "dash", folder.path("manifest.mpd")])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
      server.on("/" + name) { $1.respond(to: $0, file: bytes, tag: "1") }
    }
    return (server, folder)
  }

  @Test(arguments: [[], ["-use_timeline", "0"], ["-single_file", "1"]]) func framesAreThoseOfTheFile(options: [String]) async throws {
    let (server, folder) = try serve(options)
    defer { withExtendedLifetime(folder) {} }
    let asset = Asset(path: server.url("/manifest.mpd"))
    let facts = try await asset.load(.facts)
    let kinds = facts.tracks.map(\.mediaType)
    #expect(kinds.count { $0 == .video } >= 2 && kinds.contains(.audio), "\(kinds)")
    #expect(abs(facts.duration.seconds - 8) < 0.2, "\(facts.duration)")
    let generator = ImageGenerator(asset: asset)
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    for (seconds, pts) in [(6.1, 6.08), (0.0, 0.0), (3.02, 3.0)] {
      let image = try await generator.image(at: MediaTime(seconds: seconds, preferredTimescale: 1000))
      #expect(abs(image.timing.pts.seconds - pts) < 0.001, "\(seconds): \(image.timing)")
    }
  }

  private func playlist(_ manifest: String, track: Int = 0, now: Double = 0) throws -> String {
    let (_, url) = try Origin.naming("https://host/a/b.mpd")
    let manifest = try DASHManifest(Array(manifest.utf8), at: url)
    let bytes = try manifest.playlist(ofTrack: track, now: now) { _, _ throws(PlaybackError) in [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func addressesFollowThePattern() throws {
    let text = try playlist(
      """
      <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT9S"><BaseURL>media/</BaseURL>
      <Period><AdaptationSet mimeType="audio/mp4"><SegmentTemplate timescale="1000" duration="4000" startNumber="7"
      initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Number%05d$-$Time$.m4s?a=1&amp;b=$$"/>
      <Representation id="x" bandwidth="100"/></AdaptationSet></Period></MPD>
      """)
    #expect(text.contains("#EXT-X-MAP:URI=\"https://host/a/media/x/i.mp4\""), "\(text)")
    #expect(text.contains("#EXTINF:4.000000,\nhttps://host/a/media/x/00007-0.m4s?a=1&b=$\n"))
    #expect(text.contains("#EXTINF:1.000000,\nhttps://host/a/media/x/00009-8000.m4s?a=1&b=$\n#EXT-X-ENDLIST"))
  }

  @Test func timelinesAndPeriods() throws {
    let template = """
      <AdaptationSet mimeType="audio/mp4"><SegmentTemplate timescale="10" media="$Time$"><SegmentTimeline><S t="0" d="20" r="1"/><S d="5"/>
      <S t="50" d="10" r="-1"/></SegmentTimeline></SegmentTemplate><Representation id="x"/></AdaptationSet>
      """
    let text = try playlist("<MPD><Period duration=\"PT8S\">\(template)</Period><Period duration=\"PT8S\">\(template)</Period></MPD>")
    let times = text.split(separator: "\n").filter { $0.hasPrefix("https") }.map { $0.split(separator: "/").last ?? "" }
    #expect(times == ["0", "20", "40", "50", "60", "70"] + ["0", "20", "40", "50", "60", "70"])
    #expect(text.components(separatedBy: "#EXT-X-DISCONTINUITY").count == 2)
  }

  @Test func aLivePresentationHasAWindow() throws {
    let manifest = """
      <MPD type="dynamic" availabilityStartTime="2001-09-09T01:46:40Z" timeShiftBufferDepth="PT20S"><Period start="PT0S">
      <AdaptationSet mimeType="audio/mp4"><SegmentTemplate duration="4" startNumber="1" media="$Number$"/><Representation id="x"/></AdaptationSet>
      </Period></MPD>
      """
    let text = try playlist(manifest, now: 1_000_000_000 + 103)
    #expect(text.contains("#EXT-X-MEDIA-SEQUENCE:21\n") && text.contains("/a/25\n") && !text.contains("/a/26") && !text.contains("ENDLIST"), "\(text)")
  }

  @Test(arguments: [
    "", "<MPD>", "<MPD></MPD>", "<a><b></a></b>", "<MPD><Period><AdaptationSet mimeType=\"video/mp4\"/></Period></MPD>",
    "<!DOCTYPE a [<!ENTITY x \"y\">]><MPD/>", "<MPD a=\"", "<MPD><!--", "<MPD>&#xFFFFFFFF;&unknown;",
    "<MPD><Period><AdaptationSet mimeType=\"audio/mp4\"><ContentProtection/><Representation/></AdaptationSet></Period></MPD>",
  ]) func whatIsNoManifestIsRefused(text: String) { #expect(throws: PlaybackError.self) { try playlist(text) } }

  @Test func depthIsBounded() { #expect(throws: PlaybackError.self) { try playlist(String(repeating: "<a>", count: 100_000)) } }

  @Test func anIndexOfSegments() {
    func big(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }
    let head = big(0, 4) + Array("sidx".utf8) + big(0, 4) + big(1, 4) + big(1000, 4) + big(0, 4) + big(10, 4) + big(2, 4)
    let entries = [(500, 2000), (300, 1500)].flatMap { big($0, 4) + big($1, 4) + big(0, 4) }
    let box = SegmentIndexBox(head + entries, endingAt: 100)
    #expect(box?.segments.map(\.range) == [110..<610, 610..<910] && box?.segments.map(\.duration) == [2, 1.5])
    // It names more than it has.
    #expect(SegmentIndexBox(head + entries.dropLast(5), endingAt: 100) == nil)
    #expect(SegmentIndexBox([], endingAt: 0) == nil)
  }

  @Test func valuesInWords() {
    #expect(DASHText.duration("PT1H2M3.5S") == 3723.5 && DASHText.duration("P1DT1S") == 86_401 && DASHText.duration("1h") == nil)
    #expect(DASHText.date("2001-09-09T01:46:40Z") == 1e9 && DASHText.date("2001-09-09T03:46:40+02:00") == 1e9 && DASHText.date("soon") == nil)
    #expect(DASHText.ratio("30000/1001").map(DASHText.decimal) == "29.970030" && DASHText.ratio("x") == nil)
    #expect(DASHText.range("5-9") == 5..<10 && DASHText.range("9-5") == nil && DASHText.range("-5") == nil)
  }
}
