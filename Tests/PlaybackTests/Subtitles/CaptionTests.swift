import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// Captions in the frames of video, and in files.
@Suite(.timeLimit(.minutes(20))) struct CaptionTests {
  private func options(_ item: PlayerItem) async -> [MediaSelectionOption] {
    await withCheckedContinuation { continuation in item.addCaptions { continuation.resume() } }
    return item.subtitleGroup?.options ?? []
  }

  private func item(_ path: String) async throws -> PlayerItem {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    return PlayerItem(asset: asset)
  }

  /// Expects the two captions of `CaptionedVideo`, some frames later.
  private func expectCaptions(of clip: String, delay: Int = 0) async throws {
    let item = try await item(clip)
    let captions = await options(item).filter { $0.track.roles.contains(.captions) }
    let option = try #require(captions.first, "\(clip)")
    #expect(option.track.codec == "eia_608" && option.isPlayable && option.track.subtitleForm == .text)
    item.selectedSubtitles = option
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Hello there", "Second one!"])
    let times = cues.map { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] }
    for (time, frame) in zip(times.joined(), [40, 70, 100, 150]) {
      #expect(abs(time - Double(frame + delay) / 30) < 0.04, "\(times)")
    }
  }

  @Test(arguments: CaptionedVideo.Coding.allCases, ["mp4", "ts", "mkv"])
  func captionsInFrames(coding: CaptionedVideo.Coding, ending: String) async throws {
    try await expectCaptions(of: CaptionedVideo.clip("captions.\(ending)", coding: coding))
  }

  /// Packets come in another order than their frames are shown, and captions are said in that of the frames.
  @Test(arguments: ["mp4", "ts", "mkv"]) func captionsInFramesThatAreReordered(ending: String) async throws {
    let plain = try SampleMedia.clip(
      name: "reordered.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=30:d=6", "-c:v", "libx264", "-preset", "fast", "-bf", "3", "-b_strategy", "0",
        "-pix_fmt", "yuv420p",
      ])
    let pairs = CaptionedVideo.twoCaptions()
    let clip = try SampleMedia.file(name: "reordered.\(ending)", key: [plain, "captions"]) { path in
      var packets: [Packet] = []
      let demuxer = try Demuxer(path: plain, interrupter: Interrupter())
      while true {
        let packet = try Packet()
        guard try demuxer.read(into: packet) == .packet else { break }
        packets.append(packet)
      }
      let order = packets.compactMap(\.pts).sorted()
      let times = packets.map { ($0.pts ?? 0, $0.dts ?? 0) }
      #expect(times.map(\.0) != order, "they are reordered")
      let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
      defer { close(descriptor) }
      let muxer = try Muxer(ending: ending, descriptor: descriptor, isSeekable: true)
      let timeBase = demuxer.streams[0].timeBase
      let stream = try muxer.addStream(copying: demuxer, stream: 0, timeBase: timeBase, frameRate: nil)
      try muxer.writeHeader()
      for (packet, time) in zip(packets, times) {
        let number = try #require(order.firstIndex(of: time.0))
        let message = CaptionedVideo.message(pairs[number] ?? (0, 0))
        try packet.prepend([0, 0, 0, UInt8(message.count)] + message)
        try muxer.write(packet, to: stream, pts: time.0, dts: time.1, duration: packet.duration)
      }
      try muxer.finish()
    }
    try await expectCaptions(of: clip)
  }

  /// Where nobody speaks for long, frames carry filling, or nothing.
  @Test(arguments: [true, false], ["mp4", "ts", "mkv"]) func captionsThatBeginLate(hasFilling: Bool, ending: String) async throws {
    let clip = try CaptionedVideo.clip(
      "late.\(ending)", seconds: 24, pairs: CaptionedVideo.twoCaptions(delay: 500), hasFilling: hasFilling)
    // Without filling all that is looked at are some places: enough is said near them.
    try await expectCaptions(of: clip, delay: 500)
  }

  /// As in broadcasts, where each frame carries something of EIA-708.
  @Test func captionsThatBeginLateBesideOnesOfTheOtherKind() async throws {
    let clip = try CaptionedVideo.clip(
      "lateBoth.mp4", seconds: 24, pairs: CaptionedVideo.twoCaptions(delay: 500), hasLaterOnes: true)
    let item = try await item(clip)
    #expect(await options(item).map(\.track.codecDescription) == ["EIA-608 captions", "EIA-708 captions"])
  }

  /// Who waits for an answer does not wait for all of a long recording.
  @Test func aGlanceReadsAPart() throws {
    // Half a minute of it says nothing, 60 times.
    let part = try Data(contentsOf: URL(fileURLWithPath: CaptionedVideo.clip("part.ts", seconds: 30, pairs: [:])))
    let folder = try TemporaryFolder()
    let long = Data((0..<60).flatMap { _ in part })
    try long.write(to: URL(fileURLWithPath: folder.path("long.ts")))
    func finding(isBounded: Bool) throws -> (finding: CaptionFinder.Finding, bytes: Int) {
      let demuxer = try Demuxer(path: folder.path("long.ts"), interrupter: Interrupter())
      let track = try #require(AssetFacts(demuxer).preferredVideoTrack)
      let start = demuxer.readByteCount
      let finding = try #require(try CaptionFinder(demuxer, of: track)).find(isBounded: isBounded)
      return (finding, Int(demuxer.readByteCount - start))
    }
    let (glance, some) = try finding(isBounded: true)
    #expect(glance.kinds.isEmpty && glance.isUndecided && some < long.count / 3, "\(some) of \(long.count)")
    let (whole, all) = try finding(isBounded: false)
    #expect(whole.kinds.isEmpty && !whole.isUndecided && all >= long.count * 9 / 10, "\(all) of \(long.count)")
  }

  /// An edit list shows the clip from amid its first caption on, or from before it: what is said stays with its frames.
  @Test(arguments: [("0.7", 21), ("1.8", 54)]) func captionsUnderAnEditList(start: String, frames: Int) async throws {
    let whole = try CaptionedVideo.clip("whole.mp4")
    let clip = try SampleMedia.clip(name: "cut.mp4", arguments: ["-ss", start, "-i", whole, "-c", "copy"])
    let edits = try Demuxer(path: clip, interrupter: Interrupter()).editList(ofStream: 0)?.edits ?? []
    #expect(edits.contains { ($0.mediaTime ?? 0) > 0 }, "it has an edit list: \(edits)")
    let item = try await item(clip)
    let option = try #require(await options(item).first)
    item.selectedSubtitles = option
    let cues = try await #require(item.subtitles).load().cues
    let expected = [("Hello there", 40, 70), ("Second one!", 100, 150)]
    #expect(cues.map(\.text) == expected.map(\.0))
    for (cue, (text, from, until)) in zip(cues, expected) {
      let times = [cue.timeRange.start.seconds, cue.timeRange.end.seconds]
      for (time, frame) in zip(times, [from, until]) {
        let place = Double(frame - frames) / 30
        #expect(abs(time - place) < 0.02 || (place < 0 && time <= 0), "\(text): \(times)")
      }
    }
  }

  /// An edit list leaves out a part amid: each frame keeps what is said over it. Captions are seen with the frames 40…69 and 100…149.
  @Test(arguments: [[0..<55, 85..<180], [0..<120, 135..<180], [0..<50, 60..<180], [90..<130, 30..<60]])
  func captionsWhereAPartIsCutOut(parts: [Range<Int>]) async throws {
    let whole = try CaptionedVideo.clip("whole.mp4")
    let clip = try EditedClip.path(
      "middle.mp4", of: whole, track: 0, parts.map { ($0.count * 1000 / 30, $0.lowerBound * 1000 / 30) })
    let item = try await item(clip)
    item.selectedSubtitles = await options(item).first
    let timeline = try await #require(item.subtitles).load()
    let frames = try #require(try await Asset(path: clip).scannedIndex().content.timeline)
    let shown = parts.flatMap { Array($0) }
    #expect(frames.frameCount == shown.count)
    let seen = try (0..<frames.frameCount).map { number in
      let time = try #require(frames.time(ofFrame: number))
      return timeline.cues(at: time + MediaTime(value: 1, timescale: 1000)).map(\.text).joined(separator: "|")
    }
    #expect(seen == shown.map { (40..<70).contains($0) ? "Hello there" : (100..<150).contains($0) ? "Second one!" : "" })
  }

  @Test func fillingAloneIsNothing() async throws {
    let item = try await item(CaptionedVideo.clip("filling.mp4", seconds: 12, pairs: [:]))
    #expect(await options(item).isEmpty)
  }

  /// Where recordings are joined time stamps jump, and what is said goes on.
  @Test func captionsOfRecordingsThatWereJoined() async throws {
    let parts = try [0, 1000, 20].map { offset in
      let clip = try CaptionedVideo.clip("joined.ts")
      let moved = try SampleMedia.clip(
        name: "moved\(offset).ts", arguments: ["-i", clip, "-c", "copy", "-output_ts_offset", "\(offset)"])
      return try Data(contentsOf: URL(fileURLWithPath: moved))
    }
    let folder = try TemporaryFolder()
    try Data(parts.joined()).write(to: URL(fileURLWithPath: folder.path("joined.ts")))
    let item = try await item(folder.path("joined.ts"))
    item.selectedSubtitles = await options(item).first
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == (0..<3).flatMap { _ in ["Hello there", "Second one!"] })
    let times = cues.flatMap { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] }
    let expected = (0..<3).flatMap { (part: Int) -> [Double] in
      [40, 70, 100, 150].map { (frame: Int) -> Double in Double(180 * part + frame) / 30 }
    }
    for (time, expected) in zip(times, expected) { #expect(abs(time - expected) < 0.05, "\(times)") }
  }

  /// Each of two angles has captions of its own; what was chosen stays so.
  @Test func captionsOfAnotherAngle() async throws {
    let first = try CaptionedVideo.clip("first.mp4")
    let second = try CaptionedVideo.clip("second.mp4", seconds: 6, pairs: CaptionedVideo.popOn("Another angle", at: 60, until: 90))
    let clip = try SampleMedia.clip(
      name: "angles.mkv", arguments: ["-i", first, "-i", second, "-map", "0", "-map", "1", "-c", "copy"])
    let front = try await item(clip)
    let chosen = try #require(await options(front).first)
    front.selectedSubtitles = chosen
    let asset = try #require(front.asset)
    let tracks = try #require(asset.loadedValue(of: .tracks))
    let back = PlayerItem(asset: asset, videoTrack: tracks[1])
    back.takeSubtitles(of: front)
    #expect(back.selectedSubtitles == front.selectedSubtitles)
    let options = await options(back)
    #expect(options.map(\.track.index) == [1] && back.selectedSubtitles == options[0])
    #expect(try await #require(back.subtitles).load().cues.map(\.text) == ["Another angle"])
  }

  /// A track of its own, as QuickTime has it.
  @Test(arguments: ["mov", "mp4"]) func aTrackOfItsOwn(ending: String) async throws {
    let text = """
      Scenarist_SCC V1.0

      00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f

      00:00:03:00\t942c 942c

      """
    let file = try SampleMedia.file(name: "track.scc", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
    let movie = try SampleMedia.clip(
      name: "track.mov",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=30:d=6", "-i", file, "-map", "0", "-map", "1", "-c:v", "libx264", "-preset",
        "ultrafast", "-c:s", "copy",
      ])
    // ffmpeg does not write such tracks into MP4, which has them in the same boxes.
    let clip = try SampleMedia.file(name: "track.\(ending)", key: [movie, ending]) { path in
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: movie)))
      if ending == "mp4" { bytes.replaceSubrange(8..<12, with: Array("isom".utf8)) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let item = try await item(clip)
    let option = try #require(item.subtitleGroup?.options.first)
    #expect(option.track.codec == "eia_608" && option.isPlayable && option.track.subtitleForm == .text)
    item.selectedSubtitles = option
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Hello"])
    #expect(cues.first.map { abs($0.timeRange.start.seconds - 1) < 0.5 } ?? false, "\(cues)")
  }

  /// Nothing here decodes EIA-708; that it is there is told.
  @Test func whatCannotBeDecodedIsNamed() async throws {
    let item = try await item(CaptionedVideo.clip("later.mp4", kind: 3))
    let option = try #require(await options(item).first)
    #expect(option.track.codec == "eia_708" && !option.isPlayable)
  }

  /// As broadcasts carry both: the older ones can be seen, and the others are named.
  @Test func bothKindsAtOnce() async throws {
    let item = try await item(CaptionedVideo.clip("both.mp4", hasLaterOnes: true))
    let options = await options(item)
    #expect(options.map(\.track.codec) == ["eia_608", "eia_708"] && options.map(\.isPlayable) == [true, false])
    item.selectedSubtitles = options[0]
    #expect(try await #require(item.subtitles).load().cues.map(\.text) == ["Hello there", "Second one!"])
    item.selectedSubtitles = options[1]
    let track = try #require(item.subtitles)
    guard case .failed(let error) = track.status else { return #expect(Bool(false), "\(track.status)") }
    #expect(error.reason == .unknownCodec && track.timeline.cues.isEmpty)
  }

  @Test func withoutCaptionsNothingIsOffered() async throws {
    for clip in [SampleClip.h264BFrames, .audioOnly] { #expect(await options(try item(clip.path())).filter { $0.track.roles.contains(.captions) }.isEmpty) }
  }

  @Test func filesOfCaptions() async throws {
    let text = """
      Scenarist_SCC V1.0

      00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f

      00:00:03:00\t942c 942c

      """
    let file = try SampleMedia.file(name: "c.scc", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
    let item = try await item(SampleClip.h264BFrames.path())
    let options = try await withCheckedThrowingContinuation { continuation in
      item.addSubtitles(file: file) { continuation.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Hello"])
    #expect(cues.first.map { abs($0.timeRange.start.seconds - 1) < 0.5 && abs($0.timeRange.end.seconds - 3) < 0.2 } ?? false, "\(cues)")
  }

  @Test func damagedMessagesAreHarmless() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = CaptionExtractor.kinds(of: bytes)
      var unit: [UInt8] = [0, 0, 0, 1, 6, 4] + bytes
      if Bool.random(using: &random), unit.count > 16 {
        let marker: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3]
        unit.replaceSubrange(7..<15, with: marker)
      }
      let packet = try Packet()
      try packet.prepend(unit)
      _ = CaptionExtractor(codec: "h264", headers: [])?.triplets(in: packet)
      _ = CaptionExtractor(codec: "hevc", headers: [])?.triplets(in: packet)
      _ = CaptionExtractor(codec: "mpeg2video", headers: [])?.triplets(in: packet)
    }
  }
}
