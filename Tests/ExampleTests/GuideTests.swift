import Playback
import PlaybackGuide
import Synchronization
import TestSupport
import Testing

/// The examples of docs/playback.md, which are built and do what it says.
@Suite(.timeLimit(.minutes(10))) struct GuideTests {
  @Test func theGuideShowsTheExamples() throws {
    let shown = ExampleText.code(inMarkdown: try PackageFolder.text(of: "docs/playback.md"))
    let built = try ["docs/examples/Guide", "docs/examples/ColorBars"]
      .flatMap { try ExampleText.swiftFiles(in: $0) }
      .flatMap { ExampleText.markedPieces(try PackageFolder.text(of: $0)) }
    #expect(shown.count > 5 && built.count > 5)
    for code in shown { #expect(built.contains { $0.code == code }, "no target holds:\n\(code)") }
    for piece in built { #expect(shown.contains(piece.code), "the guide does not show “\(piece.name)”") }
  }

  /// Returns a player that stands at the beginning of a clip of 3 s.
  private func standingPlayer(_ context: PlaybackContext) throws -> Player {
    let player = Player(context: context)
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: try SampleClip.h264BFrames.path())))
    return player
  }

  @Test(.timeLimit(.minutes(2))) func aClipTellsOfItself() async throws {
    let (duration, size) = try await open(SampleClip.h264BFrames.path())
    #expect(duration == MediaTime(value: 3, timescale: 1) && size == PixelSize(width: 320, height: 180))
  }

  @Test(.timeLimit(.minutes(2))) func twoClipsArePlayedInStep() async throws {
    let end = MediaTime(value: 1, timescale: 2)
    // Of one length: on a busy machine, both may have ended.
    let times = try await playInStep(SampleClip.h264BFrames.path(), SampleClip.h264BFrames.path(), until: end)
    #expect(times.count == 2 && times[0] == times[1] && times[0] >= end, "\(times)")
  }

  @Test(.timeLimit(.minutes(2))) func twoPlayersAreCompared() async throws {
    let context = PlaybackContext()
    let players = try (0..<2).map { _ in try standingPlayer(context) }
    let view = DifferenceView(players[0], players[1])
    for player in players { #expect(await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) == .finished) }
    var image: PixelImage?
    try view.refresh(at: context.clock.now) { image = $0 }
    #expect(image?.size == PixelSize(width: 640, height: 360))
    #expect(image?.withBytes { $0.allSatisfy { $0 == 0 } } == true)
  }

  @Test(.timeLimit(.minutes(2))) func aBarIsDragged() async throws {
    let player = try standingPlayer(PlaybackContext())
    let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 320, height: 180)))
    let scrubber = Scrubber(player)
    // Before the length is known there is nowhere to go.
    #expect(await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) == .finished)
    for step in 0...40 { scrubber.drag(to: Double(step) / 41) }
    #expect(await scrubber.drop(at: 0.505) == .finished)
    // 0.505 · 3 s lies within frame 45, from 1.5 s on.
    let frame = try #require(output.copyFrame(at: player.hostTime)?.frame)
    #expect(frame.timing.number == 45 && FrameNumber.read(frame.image) == 45)
  }

  @Test(.timeLimit(.minutes(2))) func aPlayerIsObserved() async throws {
    let context = PlaybackContext()
    try context.bus.startDelivering()
    let player = try standingPlayer(context)
    let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 16, height: 9)))
    let (words, continuation) = AsyncStream.makeStream(of: String.self)
    let observers = observe(player) { continuation.yield($0) }
    // Playing comes to the end where frames are taken as they become due.
    let looking = Task {
      while !Task.isCancelled {
        _ = output.copyFrame(at: player.hostTime)
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    player.rate = 4
    var said: [String] = []
    for await word in words {
      said.append(word)
      if word == "the end" { break }
    }
    #expect(said.contains("half a second") && said.contains("at 0:00.00"))
    looking.cancel()
    for observer in observers { observer.remove() }
    context.bus.stopDelivering()
  }

  @Test(.timeLimit(.minutes(2))) func framesAreShownInALoop() async throws {
    let context = PlaybackContext()
    try context.bus.startDelivering()
    let player = try standingPlayer(context)
    player.rate = 8
    let numbers = Mutex([Int]())
    await show(VideoOutput(player, request: RenderRequest(box: PixelSize(width: 320, height: 180)))) { frame in
      numbers.withLock { $0.append(frame.timing.number) }
    }
    let shown = numbers.withLock { $0 }
    #expect(!shown.isEmpty && shown == shown.sorted() && player.statistics.shown == shown.count)
  }

  @Test(.timeLimit(.minutes(2))) func aClipThatIsNotThereIsToldOf() async throws {
    let context = PlaybackContext()
    try context.bus.startDelivering()
    let player = Player(context: context)
    let (words, continuation) = AsyncStream.makeStream(of: String.self)
    let observers = observe(player) { continuation.yield($0) }
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: "/nowhere/clip.mp4")))
    for await word in words where word == "the clip no such file" { break }
    for observer in observers { observer.remove() }
    context.bus.stopDelivering()
  }

  @Test(.timeLimit(.minutes(2))) func thumbnailsAreMade() async throws {
    let (thumbnails, still) = try await makeThumbnails(of: SampleClip.h264BFrames.path(), count: 3)
    #expect(thumbnails.map { FrameNumber.read($0.image) } == thumbnails.map(\.timing.number))
    #expect(thumbnails.count == 3 && thumbnails.allSatisfy { $0.image.size == PixelSize(width: 160, height: 90) })
    #expect(FrameNumber.read(still.image) == 25 && still.image.size == PixelSize(width: 320, height: 180))
  }

  @Test(.timeLimit(.minutes(2))) func aMovieIsMadeOfPieces() async throws {
    let clip = Asset(path: try SampleClip.h264BFrames.path())
    let asset = Asset(composition: try compose(clip, clip))
    #expect(try await asset.load(.duration) == MediaTime(value: 5, timescale: 1))
    let generator = ImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    // Half a second after 1 s of the clip; then at half speed, a second and a half after the transition's beginning.
    #expect(FrameNumber.read(try await generator.image(at: MediaTime(value: 1, timescale: 2)).image) == 45)
    #expect(FrameNumber.read(try await generator.image(at: MediaTime(value: 5, timescale: 2)).image) == 22)
  }

  @Test(.timeLimit(.minutes(2))) func subtitlesAreRead() async throws {
    let languages = try #require(LanguageTag.list("fr,en"))
    let lines = try await transcript(of: SampleClip.tracksAndChapters.path(), in: languages)
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("0:0") }, "\(lines)")
    #expect(try await transcript(of: SampleClip.h264BFrames.path(), in: languages).isEmpty)
  }

  @Test(.timeLimit(.minutes(2))) func framesAreSeenInTwoSizes() async throws {
    let player = try standingPlayer(PlaybackContext())
    let views = TwoViews(player)
    let time = MediaTime(value: 1, timescale: 1)
    #expect(await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) == .finished)
    var drawn: [Int: (PixelImage, PixelRect)] = [:]
    views.refresh { drawn[$0] = ($1, $2) }
    let (wide, square) = (try #require(drawn[0]), try #require(drawn[1]))
    #expect(FrameNumber.read(wide.0) == 30 && wide.1 == PixelRect(x: 0, y: 0, width: 160, height: 90))
    #expect(square.0.size == PixelSize(width: 90, height: 90) && square.1 == PixelRect(x: 0, y: 0, width: 90, height: 90))
    views.refresh { _, _, _ in Issue.record("a frame was given twice") }
  }
}
