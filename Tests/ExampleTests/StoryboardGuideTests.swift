import Movies
import Playback
import StoryboardGuide
import TestSupport
import Testing

/// The library examples of docs/storyboards.md, which are built and do what it says.
@Suite(.timeLimit(.minutes(10))) struct StoryboardGuideTests {
  @Test func theGuideShowsTheExample() throws {
    let shown = ExampleText.code(inMarkdown: try PackageFolder.text(of: "docs/storyboards.md"))
    let built = try ExampleText.swiftFiles(in: "docs/examples/StoryboardGuide")
      .flatMap { ExampleText.markedPieces(try PackageFolder.text(of: $0)) }
    #expect(shown == built.map(\.code) && !shown.isEmpty)
  }

  @Test(.timeLimit(.minutes(2))) func aStoryIsTold() async throws {
    let clip = try SampleClip.h264BFrames.path()
    let folder = try TemporaryFolder()
    let path = folder.path("story.yaml")
    try """
      quadrille: storyboard 1
      scenes:
        - scene: One
          tracks:
            - {track: ask, clip: \(clip), length: 1, show: 0.2, choices: [On: on, Away: away]}
            - {track: on, clip: \(clip), in: 1, length: 1, then: end}
            - {track: away, clip: \(clip), in: 2, then: end}
      """.write(toFile: path, atomically: true, encoding: .utf8)
    let context = PlaybackContext()
    try context.bus.startDelivering()
    let player = Player(context: context)
    let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 16, height: 9)))
    let (choices, continuation) = AsyncStream.makeStream(of: [StoryboardControls.Choice].self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let story = try playStory(path, in: player) { choices in
      player.pause()
      continuation.yield(choices)
    }
    // Playing goes on where frames are taken as they become due.
    let looking = Task {
      while !Task.isCancelled {
        _ = output.copyFrame(at: player.hostTime)
        if story.run.hasEnded { end.yield() }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    var shown: [String] = []
    for await some in choices {
      shown = some.map { "\($0.number) \($0.label)" }
      break
    }
    #expect(shown == ["1 On", "2 Away"])
    story.choose(2)
    player.play()
    for await _ in ends { break }
    #expect(story.run.history.map(\.choice) == [2])
    looking.cancel()
    story.end()
    context.bus.stopDelivering()
  }
}
