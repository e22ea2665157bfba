import Foundation
import TestSupport
import Testing

@testable import Playback

/// Copying packets of many clips keeps few files open, and those that are needed again stay open.
@Suite(.timeLimit(.minutes(20))) struct PacketCopyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// So many clips of 50 frames, each a file of its own.
  private func clips(_ count: Int) throws -> [Asset] {
    let sample = try SampleMedia.clip(
      name: "packet-copy.mp4",
      arguments: SampleMedia.numbered(width: 64, height: 48, rate: "25", seconds: 2)
        + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "10", "-bf", "2"])
    return try (0..<count).map { number in
      let path = folder.path("clip-\(number).mp4")
      try FileManager.default.copyItem(atPath: sample, toPath: path)
      return Asset(path: path)
    }
  }

  private func movie(_ pieces: [(Asset, Range<Int64>)]) throws -> Composition {
    var movie = Composition()
    for (asset, frames) in pieces {
      let (start, end) = (MediaTime(value: frames.lowerBound, timescale: 25), MediaTime(value: frames.upperBound, timescale: 25))
      try movie.append(TimeRange(start: start, end: end), of: asset)
    }
    return movie
  }

  private func copy(_ movie: Composition, _ progress: (VideoRenderer.Progress) -> Void) throws -> VideoRenderer.Result {
    var options = VideoRenderer.Options()
    options.copiesPackets = true
    return try VideoRenderer(asset: Asset(composition: movie), options: options)
      .render(to: folder.path("out.mkv"), progress: progress)
  }

  /// Each refusal says what is in the way.
  @Test func refusals() throws {
    let second = MediaTime(value: 1, timescale: 1)
    var empty = Composition(), missing = Composition(), several = Composition()
    try empty.insertEmpty(TimeRange(start: .zero, duration: second))
    try missing.insertMissing("a.mkv", reason: "no such file", duration: second, at: .zero)
    let clip = try clips(1)[0]
    for track in 0...1 { try several.insert(TimeRange(start: .zero, duration: second), of: clip, at: .zero, track: track) }
    for (movie, words) in [(empty, "it has no pieces"), (missing, "piece 1 is missing: a.mkv: no such file"), (several, "it has more than one track")] {
      #expect(throws: PlaybackError(.invalidEdit, "cannot copy: \(words)")) { try PacketCopy(movie, includesSound: true, RenderCancellation()) }
    }
  }

  @Test func fewFilesAreOpenAtOnce() throws {
    var open = Int.max
    let result = try copy(movie(clips(8).map { ($0, 10..<20) })) { progress in
      if progress.completed == 60 { open = (try? OpenFiles.count(beginningWith: folder.path("clip-"))) ?? .max }
    }
    #expect(result.frameCount == 80 && result.movedCuts.isEmpty)
    #expect(open <= 3)
  }

  @Test func clipsByTurnsStayOpen() throws {
    let clips = try clips(2)
    let frames = try FrameListing(path: clips[0].path).lines(order: .linear).map(\.md5)
    let movie = try movie([(clips[0], 0..<10), (clips[1], 10..<20), (clips[0], 30..<40), (clips[1], 0..<10)])
    let result = try copy(movie) { progress in
      // What is opened after this is not there.
      if progress.completed == 1 { for clip in clips { try? FileManager.default.removeItem(atPath: clip.path) } }
    }
    #expect(result.frameCount == 40)
    let found = try FrameListing(path: folder.path("out.mkv")).lines(order: .linear).map(\.md5)
    let expected = [0..<20, 30..<40, 0..<10].flatMap { frames[$0] }
    #expect(found == expected)
  }

  /// The first piece begins three frames earlier than is wanted.
  @Test func textStaysWithTheFramesThatItLiesOver() async throws {
    let clips = try clips(2)
    var movie = try movie([(clips[0], 13..<20), (clips[1], 0..<10)])
    movie.videoComposition.overlays = [("a", 2, 5), ("b", 7, 9), ("c", 5, 9)].map { text, start, end in
      CompositionOverlay(
        .text([SubtitleLine([SubtitleSpan(text)])], SubtitlePlacement()),
        timeRange: TimeRange(start: MediaTime(value: start, timescale: 25), end: MediaTime(value: end, timescale: 25)))
    }
    let result = try copy(movie) { _ in }
    #expect(result.frameCount == 20 && result.movedCuts.count == 1 && !result.lacksText)
    let made = Asset(path: folder.path("out.mkv"))
    let facts = try await made.load(.facts)
    let track = try #require(facts.tracks.first { $0.characteristic == .legible })
    let timeline = try await made.subtitles(of: track, startTime: facts.startTime).load()
    let seen = (0..<20).map { number in
      timeline.cues(at: MediaTime(value: Int64(number), timescale: 25)).map(\.text).sorted().joined()
    }
    #expect(seen == Array(repeating: "", count: 5) + ["a", "a", "a", "c", "c", "bc", "bc"] + Array(repeating: "", count: 8))
  }

  /// A rate that is said, where that is the clips' own.
  @Test func aRateMayBeThatOfTheFrames() throws {
    let clips = try clips(2)
    var movie = try movie([(clips[0], 0..<20), (clips[1], 13..<20), (clips[0], 20..<30)])
    movie.videoComposition.frameDuration = MediaTime(value: 1, timescale: 25)
    #expect(try copy(movie) { _ in }.frameCount == 40)
    for other in [MediaTime(value: 1, timescale: 50), MediaTime(value: 1, timescale: 24)] {
      movie.videoComposition.frameDuration = other
      let error = #expect(throws: PlaybackError.self) { try copy(movie) { _ in } }
      #expect(error?.message == "cannot copy: piece 1 (\(clips[0].path)) does not have one frame every \(other.seconds) s")
    }
  }

  /// Ticks of milliseconds lie beside the times of frames.
  @Test func aRateMayBeThatOfFramesWithRoundedTimes() throws {
    let film = folder.path("film.mkv")
    try FileManager.default.copyItem(
      atPath: SampleMedia.clip(
        name: "packet-copy-film.mkv",
        arguments: SampleMedia.numbered(width: 64, height: 48, rate: "24000/1001", seconds: 3) + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "12"]),
      toPath: film)
    var movie = Composition()
    for frames in [Int64(0)..<12, 36..<48, 12..<24] {
      let (start, end) = (MediaTime(value: frames.lowerBound * 1001, timescale: 24000), MediaTime(value: frames.upperBound * 1001, timescale: 24000))
      try movie.append(TimeRange(start: start, end: end), of: Asset(path: film))
    }
    movie.videoComposition.frameDuration = MediaTime(value: 1001, timescale: 24000)
    #expect(try copy(movie) { _ in }.frameCount == 36)
    movie.videoComposition.frameDuration = MediaTime(value: 1, timescale: 24)
    #expect(throws: PlaybackError.self) { try copy(movie) { _ in } }
  }

  /// Amid the frame that both show: nothing is cut there.
  @Test func piecesThatFollowOnAmidAFrame() throws {
    let clip = try clips(1)[0]
    var movie = Composition()
    let cut = MediaTime(value: 101, timescale: 100)
    try movie.append(TimeRange(start: .zero, end: cut), of: clip)
    try movie.append(TimeRange(start: cut, end: seconds(2)), of: clip)
    let result = try copy(movie) { _ in }
    #expect(result.frameCount == 50 && result.duration == seconds(2) && result.movedCuts.isEmpty)
  }
}
