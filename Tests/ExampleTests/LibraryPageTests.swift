import TestSupport
import Testing

/// The programs in docs/library.md are the ones that are built, and do what the page says.
@Suite(.timeLimit(.minutes(10))) struct LibraryPageTests {
  @Test func thePageShowsThePrograms() throws {
    let shown = ExampleText.code(inMarkdown: try PackageFolder.text(of: "docs/library.md"))
    let built = try ["PlayClip", "MakeThumbnails"].map { try PackageFolder.text(of: "docs/examples/\($0)/main.swift") }
    #expect(shown == built)
  }

  @Test func aClipIsPlayedToItsEnd() throws {
    let clip = try SampleMedia.clip(
      name: "second.mp4", arguments: SampleMedia.numbered(rate: "25", seconds: 1) + ["-c:v", "libx264"])
    let lines = try ExampleProgram.run("PlayClip", clip)
    let frames = lines.filter { $0.hasPrefix("frame #") }
    let numbers = frames.compactMap { Int($0.dropFirst("frame #".count).prefix { $0.isNumber }) }
    // Where the machine is busy, frames are dropped, be it the first one.
    #expect(numbers.count == frames.count && !numbers.isEmpty && numbers.allSatisfy { $0 < 25 })
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(frames.allSatisfy { $0.hasSuffix(", 320×180") })
    #expect(lines.contains("at 0.0 s") && lines.contains { $0.hasPrefix("at 0.5") })
  }

  @Test func whatCannotBePlayedSaysWhy() throws {
    // The observer's line comes from another thread: before it or after it.
    #expect(try ExampleProgram.run("PlayClip", "/nowhere/clip.mp4").contains("/nowhere/clip.mp4: no such file"))
  }

  /// FFmpeg would complain of the end.
  @Test func theDecodersAreSilent() throws {
    let program = try PackageFolder.products().appendingPathComponent("MakeThumbnails").path
    let output = try MediaTool.run("sh", ["-c", #"timeout 60 "$0" "$1" 2>&1"#, program, SampleClip.truncated.path()])
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("asked ") }, "\(lines)")
  }

  @Test func thumbnailsAreMade() throws {
    let lines = try ExampleProgram.run("MakeThumbnails", try SampleClip.h264BFrames.path())
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(" s, 160×90") })
    #expect(lines.first == "asked 0.0 s, got 0.0 s, 160×90")
    // Past the end is the last frame, or one that is cheaper.
    #expect(lines.last?.hasPrefix("asked 60.0 s, got ") == true)
  }
}
