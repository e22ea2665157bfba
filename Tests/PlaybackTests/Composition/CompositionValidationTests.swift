import Foundation
import TestSupport
import Testing

@testable import Playback

/// Problems that `validate` finds before anything is played, and those that an asset reports itself.
@Suite(.timeLimit(.minutes(20))) struct CompositionValidationTests {
  private func seconds(_ from: Int64, _ to: Int64) -> TimeRange {
    TimeRange(start: MediaTime(value: from, timescale: 1), end: MediaTime(value: to, timescale: 1))
  }

  private func clip() throws -> Asset {
    try Asset(
      path: SampleMedia.clip(
        name: "valid.mp4", arguments: SampleMedia.numbered(width: 64, height: 36, rate: "25", seconds: 2) + ["-c:v", "mpeg4"]))
  }

  @Test func whatCanBeShownHasNoProblems() async throws {
    var movie = Composition()
    let clip = try clip()
    try movie.append(seconds(0, 2), of: clip)
    try movie.insert(seconds(0, 2), of: clip, at: seconds(1, 1).start, track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: seconds(1, 2), transition: .crossDissolve, from: 0, to: 1)
    ]
    movie.videoComposition.overlays = [CompositionOverlay(.clip(CompositionClip(asset: clip, timeRange: seconds(0, 1))), timeRange: seconds(2, 9))]
    #expect(await movie.validate() == [])
    #expect(try await Asset(composition: movie).load(.isPlayable))
  }

  @Test func instructionsAndOverlaysAreChecked() async throws {
    var movie = Composition()
    try movie.append(seconds(0, 2), of: clip())
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: seconds(0, 1), transition: .crossDissolve, from: 0, to: 7),
      VideoCompositionInstruction(timeRange: seconds(2, 3), transition: .crossDissolve, from: -1, to: -1),
      VideoCompositionInstruction(timeRange: .invalid, transition: .crossDissolve, from: 0, to: 0),
    ]
    movie.videoComposition.overlays = [CompositionOverlay(.image(try clip()), timeRange: seconds(5, 6))]
    let problems = await movie.validate()
    #expect(problems.map(\.kind) == [.unknownTrack(7), .unknownTrack(-1), .neverShown, .neverShown, .neverShown])
    #expect(problems.first?.description == "instruction 0: there is no track with index 7" && problems.first?.timeRange == seconds(0, 1))
  }

  @Test func clipsAreOpened() async throws {
    var movie = Composition()
    let clip = try clip()
    try movie.append(seconds(1, 4), of: clip)
    try movie.append(seconds(0, 1), of: Asset(path: "/nowhere/a.mp4"))
    try movie.append(seconds(0, 1), of: clip, videoTrack: 7)
    try movie.insertMissing("gone", reason: "is away", duration: seconds(0, 1).duration, at: movie.duration)
    var outer = Composition()
    try outer.append(TimeRange(start: .zero, duration: movie.duration), of: Asset(composition: movie, path: "inner"))
    let problems = await outer.validate()
    let kinds = problems.map { problem in
      switch problem.kind {
      case .missing(let error): "\(error.reason)"
      case let other: "\(other)"
      }
    }
    #expect(kinds == ["tooShort", "notFound", "noVideo", "notFound"])
    #expect(problems.map(\.description).allSatisfy { $0.hasPrefix("inner: ") } && problems[3].description == "inner: gone: is away")
    #expect(problems[0].description.hasSuffix("ends at 2.0 s; its last frame is held after that"))
    // A part of it can be shown.
    #expect(try await Asset(composition: outer).load(.isPlayable))
  }

  @Test func nothingButPlaceholdersIsNotPlayable() async throws {
    var movie = Composition()
    try movie.append(seconds(0, 1), of: Asset(path: "/nowhere/a.mp4"))
    #expect(try await Asset(composition: movie).load(.isPlayable) == false)
    var black = Composition()
    try black.insertEmpty(seconds(0, 1))
    #expect(try await Asset(composition: black).load(.isPlayable))
  }

  /// Once all clips have been examined, the asset reports what is missing, wherever it is.
  @Test func anIndexFindsMissingClips() throws {
    var movie = Composition()
    try movie.append(seconds(0, 1), of: clip())
    try movie.append(seconds(0, 1), of: Asset(path: "/nowhere/a.mp4"))
    let indexed = Asset(composition: movie), examined = Asset(composition: movie)
    #expect(indexed.waitForTimeline() != nil)
    examined.measureClips(isPrecise: false)
    for asset in [indexed, examined] {
      #expect(asset.missingClips.map(\.timeRange) == [seconds(1, 2)])
      #expect(asset.remarks == ["/nowhere/a.mp4: no such file"])
    }
  }

  @Test func insertingNamesTheHighestIndex() {
    var movie = Composition()
    let error = #expect(throws: PlaybackError.self) { try movie.append(seconds(0, 1), of: Asset(path: "a"), track: 1) }
    #expect(error?.message == "cannot insert at track index 1: the highest possible index is 0")
  }
}
