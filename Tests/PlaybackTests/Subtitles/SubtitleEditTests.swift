import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// Subtitles of clips whose edit lists show parts of their media: exact, where a cue is cut, too.
@Suite(.timeLimit(.minutes(20))) struct SubtitleEditTests {
  private static let subRip = """
    1
    00:00:00,500 --> 00:00:02,000
    One

    2
    00:00:02,500 --> 00:00:02,900
    Two

    3
    00:00:03,500 --> 00:00:04,000
    Three

    """

  /// Ten frames a second for five seconds.
  private static func whole() throws -> String {
    let text = try SampleMedia.file(name: "edits.srt", key: [subRip]) { path in
      try subRip.write(toFile: path, atomically: true, encoding: .utf8)
    }
    return try SampleMedia.clip(
      name: "whole.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc=s=64x36:r=10:d=5", "-i", text, "-map", "0", "-map", "1", "-c:v", "libx264", "-preset",
        "ultrafast", "-bf", "2", "-g", "10", "-c:s", "mov_text",
      ])
  }

  private static func copy(_ name: String, _ options: [String], start: String? = nil) throws -> String {
    try SampleMedia.clip(
      name: name, arguments: (start.map { ["-ss", $0] } ?? []) + ["-i", "file:" + whole(), "-map", "0", "-c", "copy"] + options)
  }

  /// Returns the text, with the milliseconds at which it begins and ends; from 0 on, if it began before the first frame.
  private static func words(_ path: String) async throws -> [String] {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    return try await #require(item.subtitles).load().cues.map { cue in
      func milliseconds(_ time: MediaTime) -> Int { Int((time.seconds * 1000).rounded()) }
      let end = cue.timeRange.end.isNumeric ? "–\(milliseconds(cue.timeRange.end))" : ""
      return "\(max(0, milliseconds(cue.timeRange.start)))\(end) \(cue.text)"
    }
  }

  @Test func withoutACut() async throws {
    #expect(try await Self.words(Self.whole()) == ["500–2000 One", "2500–2900 Two", "3500–4000 Three"])
  }

  /// The first frame that is shown is that of 1.4 s: where an edit begins within a frame, libavformat begins with the next one.
  @Test(arguments: [("1.35", 3450), ("1.31", 3410)]) func anEditThatBeginsWithinACue(start: String, end: Int) async throws {
    // What ffmpeg has copied says nothing of when the last cue ends: with all of it.
    #expect(try await Self.words(Self.copy("cut.mp4", [], start: start)) == ["0–600 One", "1100–1500 Two", "2100–\(end) Three"])
  }

  @Test func anEditThatBeginsWithAFrame() async throws {
    #expect(try await Self.words(Self.copy("cut.mp4", [], start: "1.4")) == ["0–600 One", "1100–1500 Two", "2100–3500 Three"])
  }

  /// The frames themselves: each has the cue that it had before the cut.
  @Test func eachFrameKeepsItsCue() async throws {
    let whole = try await Self.words(Self.whole()), cut = try await Self.words(Self.copy("cut.mp4", [], start: "1.35"))
    func cue(_ words: [String], at milliseconds: Int) -> String? {
      words.first { word in
        let numbers = word.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return (numbers[0]..<numbers[1]).contains(milliseconds)
      }?.split(separator: " ").last.map(String.init)
    }
    let frames = try await Asset(path: Self.copy("cut.mp4", [], start: "1.35")).scannedIndex().content.timeline?.frameCount
    #expect(frames == 36)
    // What ffmpeg has copied says nothing of when the last cue ends.
    for frame in 0..<26 { #expect(cue(cut, at: 100 * frame) == cue(whole, at: 1400 + 100 * frame), "frame \(frame)") }
  }

  @Test(arguments: [nil, "1.35"]) func anEmptyEditFirst(start: String?) async throws {
    let late = try await Self.words(Self.copy("late.mp4", ["-output_ts_offset", "3"], start: start))
    #expect(try await late == (start == nil ? Self.words(Self.whole()) : ["0–1000 One", "1500–1900 Two", "2500–3000 Three"]))
  }

  /// Of these all frames are shown, from that of 1 s on, and each cue lasts until the next sample, which may be empty.
  @Test func fragments() async throws {
    let path = try Self.copy("fragments.mp4", ["-movflags", "+frag_keyframe+empty_moov+delay_moov"], start: "1.35")
    #expect(try await Self.words(path) == ["0–1000 One", "1500–1900 Two", "2500–3000 Three"])
  }

  /// Parts in another order, with a gap: 2.6 s to 3.6 s, nothing for half a second, 1 s to 2.7 s.
  @Test func severalEdits() async throws {
    let path = try edited([(1000, 2600), (500, nil), (1700, 1000)])
    #expect(try await Self.words(path) == ["0–300 Two", "900–1000 Three", "1500–2500 One", "3000–3200 Two"])
  }

  /// The clip with other edits of its subtitles: milliseconds that they last, and where they begin.
  private func edited(_ edits: [(Int, Int?)]) throws -> String { try EditedClip.path("edited.mp4", of: Self.whole(), track: 1, edits) }
}

/// Parts of media, of cues that a test makes.
@Suite(.timeLimit(.minutes(20))) struct EditedCueReaderTests {
  /// Gives the same steps again and again.
  private final class Script: RewindableCueReader {
    private let steps: [CueStep]
    private var place = 0

    init(_ steps: [CueStep]) { self.steps = steps }
    func rewind() { place = 0 }
    func next() -> CueStep {
      defer { place += 1 }
      return place < steps.count ? steps[place] : .endOfFile
    }
  }

  private static func time(_ tenths: Int) -> MediaTime { MediaTime(value: Int64(tenths), timescale: 10) }

  private static func cue(_ start: Int, _ end: Int?, _ text: String) -> SubtitleCue {
    SubtitleCue(
      timeRange: TimeRange(start: time(start), end: end.map(time) ?? .positiveInfinity), lines: [SubtitleLine([SubtitleSpan(text)])])
  }

  /// Returns the text and its times, as a track would have them; parts are tenths of seconds of the media.
  private func seen(_ steps: [CueStep], _ parts: [Range<Int>]) throws -> [String] {
    var start = 0
    let reader = EditedCueReader(
      Script(steps),
      parts.map { part in
        defer { start += part.count }
        return SubtitleEdits.Part(
          media: TimeRange(start: Self.time(part.lowerBound), end: Self.time(part.upperBound)), offset: Self.time(start - part.lowerBound))
      })
    var timeline = SubtitleTimeline()
    loop: while true {
      switch try reader.next() {
      case .progress: continue
      case .endOfFile: break loop
      case .cues(let cues, let time, _):
        timeline.end(.endless, at: time)
        for cue in cues { timeline.insert(cue) }
      case .page(let cues, let time):
        timeline.end(.all, at: time)
        for cue in cues { timeline.insert(cue) }
      }
    }
    return timeline.cues.map { "\(Int($0.timeRange.start.seconds * 10))–\(Int($0.timeRange.end.seconds * 10)) \($0.text)" }
  }

  /// Captions last until others come.
  @Test func cuesWithoutAnEnd() throws {
    let steps = ["a", "b", "c", "d"].enumerated().map { i, text in CueStep.cues([Self.cue(10 * i, nil, text)], from: Self.time(10 * i)) }
    #expect(try seen(steps, [0..<35]) == ["0–10 a", "10–20 b", "20–30 c", "30–35 d"])
    #expect(try seen(steps, [15..<25]) == ["0–5 b", "5–10 c"])
    #expect(try seen(steps, [25..<40, 0..<15]) == ["0–5 c", "5–15 d", "15–25 a", "25–30 b"])
    let clear = steps.prefix(2) + [CueStep.cues([], from: Self.time(20))]
    #expect(try seen(Array(clear), [25..<40]) == [])
  }

  /// Of images there is one page at a time.
  @Test func pages() throws {
    let steps = ["a", "b", "c"].enumerated().map { i, text in CueStep.page([Self.cue(10 * i, 10 * i + 300, text)], from: Self.time(10 * i)) }
    #expect(try seen(steps, [0..<40]) == ["0–10 a", "10–20 b", "20–40 c"])
    #expect(try seen(steps, [25..<40, 5..<12]) == ["0–15 c", "15–20 a", "20–22 b"])
    #expect(try seen(steps + [.page([], from: Self.time(30))], [35..<40, 28..<33]) == ["5–7 c"])
  }

  @Test func cuesThatOverlap() throws {
    let steps = [CueStep.cues([Self.cue(0, 30, "long")], from: Self.time(0)), .cues([Self.cue(10, 12, "short")], from: Self.time(10))]
    #expect(try seen(steps, [5..<20]) == ["0–15 long", "5–7 short"])
    #expect(try Set(seen(steps, [11..<13, 11..<13])) == ["0–1 short", "0–2 long", "2–3 short", "2–4 long"])
    #expect(try seen(steps, [40..<50]) == [])
  }
}
