import Foundation
import Glibc
import TerminalHarness
import TestSupport
import Testing

/// `quadrille render`: what it writes, says and refuses.
@Suite(.timeLimit(.minutes(10))) struct RenderTests {
  private func movie(_ folder: TemporaryFolder, _ pieces: String, head: String = "") throws -> String {
    let path = folder.path("cut.yaml")
    try "quadrille: movie 1\n\(head)pieces:\n\(pieces)".write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  private func md5s(_ path: String) throws -> [String] {
    let run = try CommandRun(["frames", path])
    #expect(run.status == .exited(0))
    return run.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  @Test func aMovieIsWritten() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline(), other = try PlayerClips.upright()
    let cut = try movie(folder, "  - clip: \(clip)\n    in: 1\n    out: 3\n  - clip: \(clip)\n    in: \"#100\"\n    out: \"#120\"\n")
    let run = try CommandRun(["render", cut, "-o", folder.path("out.mkv")])
    #expect(run.status == .exited(0) && run.output == "")
    #expect(run.errors == "quadrille: \(folder.path("out.mkv")): 40 frames, 4.000 s, ffv1\n")
    #expect(try md5s(folder.path("out.mkv")) == md5s(cut))
    // Encoders say nothing of their own.
    let coded = try CommandRun(["render", cut, "-o", folder.path("out.mkv"), "--codec", "hevc"])
    #expect(coded.errors.split(separator: "\n").count == 1, "\(coded.errors)")
    #expect(try CommandRun(["render", cut, "-o", folder.path("out.mkv")]).status == .exited(0))
    // Size, rate and codec of one's own; text that is lost is told of.
    let mixed = try movie(
      folder, "  - clip: \(clip)\n    for: 1\n  - clip: \(other)\n    for: 1\n    transition: dissolve 0.5\noverlays:\n  - text: hello\n    at: 0\n",
      head: "size: 128x72\nrate: 24000/1001\npixel-format: yuv444p\n")
    let made = try CommandRun(["render", mixed, "--output", folder.path("out.mp4"), "--codec", "mpeg4", "--rate", "25"])
    #expect(made.status == .exited(0))
    #expect(made.errors == "quadrille: \(folder.path("out.mp4")): 38 frames, 1.500 s, mpeg4\n", "\(made.errors)")
    let cues = try CommandRun(["info", "--cues", folder.path("out.mp4")])
    #expect(cues.output.hasSuffix("    0:00.000 – 0:01.500  hello\n"), "\(cues.output)")
    let avi = try CommandRun(["render", mixed, "-o", folder.path("out.avi"), "--codec", "mpeg4", "--rate", "25"])
    #expect(avi.errors.hasSuffix("mpeg4; text over the frames is not written yet\n"), "\(avi.errors)")
    #expect(try MediaTool.probe(folder.path("out.mp4"), entries: "stream=codec_name,width,height,r_frame_rate,nb_frames") == ["mpeg4,128,72,25/1,38"])
    #expect(try CommandRun(["render", mixed, "-o", folder.path("out.mkv")]).status == .exited(0))
    #expect(try MediaTool.probe(folder.path("out.mkv"), entries: "stream=width,height,pix_fmt,r_frame_rate") == ["128,72,yuv444p,24000/1001"])
  }

  @Test func moviesAreConvertedAndLossesTold() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    let cut = try movie(folder, "  - clip: \(clip)\n    in: 1\n    out: 3\nchapters:\n  - at: 0\n    name: One\n")
    for (name, loss) in [
      ("cut.otio", "OpenTimelineIO cannot express 1 chapter; kept as metadata, which other programs ignore"),
      ("cut.edl", "an edit decision list cannot store chapters; 1 omitted"),
    ] {
      let run = try CommandRun(["convert", cut, "-o", folder.path(name)])
      #expect(run.status == .exited(0) && run.output == "" && run.errors == "quadrille: \(folder.path(name)): \(loss)\n", "\(run.errors)")
      #expect(try md5s(folder.path(name)) == md5s(cut), "\(name)")
    }
    let wrong = try CommandRun(["convert", cut, "-o", folder.path("cut.mp4")])
    #expect(wrong.status == .exited(1) && wrong.errors.hasPrefix("quadrille: \(folder.path("cut.mp4")): is not a name for a movie"))
    #expect(try CommandRun(["convert", cut, "-o", cut]).status == .exited(1))
  }

  @Test func whatIsCopiedSaysWhereItWasCut() throws {
    let folder = try TemporaryFolder()
    let clip = try SampleClip.h264BFrames.path()
    let cut = try movie(folder, "  - clip: \(clip)\n    in: 1.5\n    out: 2\n  - clip: \(clip)\n    in: 0\n    out: 1\n")
    let run = try CommandRun(["render", cut, "--copy", "-o", folder.path("out.mp4")])
    #expect(run.status == .exited(0))
    #expect(run.errors.hasPrefix("quadrille: \(cut): piece 1 begins 0.500 s earlier, at the nearest possible cut\n"), "\(run.errors)")
    #expect(run.errors.hasSuffix(" frames, 2.000 s, h264, aac\n"), "\(run.errors)")
    #expect(try md5s(folder.path("out.mp4")).count == 60)
  }

  @Test func whatCannotBeWrittenSaysWhyInOneLine() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let cut = try movie(folder, "  - clip: \(clip)\n")
    let stories = try TemporaryFolder()
    let full = folder.path("full.mkv"), story = stories.path("story.yaml")
    try "quadrille: storyboard 1\n".write(toFile: story, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
    for (arguments, words) in [
      (["render", cut, "-o", full], "no space left"), (["render", cut, "-o", cut], "refusing to overwrite an input file"),
      (["render", cut, "-o", clip], "refusing to overwrite an input file"), (["render", cut, "-o", folder.path("out")], "extension"),
      (["render", cut, "-o", folder.path("a.mkv"), "--codec", "\u{1B}[2J"], "no such encoder"),
      (["render", cut, "-o", "/nowhere/a.mkv"], "no such file"), (["render", "/nowhere.mp4", "-o", folder.path("a.mkv")], "/nowhere.mp4: no such file"),
      (["render", "/nowhere.yaml", "-o", folder.path("a.mkv")], "/nowhere.yaml: no such file"),
      (["render", story, "-o", folder.path("a.mkv")], "story.yaml: is a storyboard"),
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == .exited(1) && run.output == "" && run.errors.contains(words), "\(run.errors)")
      #expect(run.errors.hasPrefix("quadrille: ") && run.errors.split(separator: "\n").count == 1 && !run.errors.contains("\u{1B}"))
    }
    for more in [["--size", "0x1"], ["--rate", "fast"], ["--copy", "--codec", "h264"], ["--copy", "--rate", "25"]] {
      #expect(try CommandRun(["render", cut, "-o", folder.path("a.mkv")] + more).status == .exited(64), "\(more)")
    }
    let limited = try CommandRun(["render", cut, "-o", folder.path("a.mkv")], launcher: "ulimit -f 8;")
    #expect(limited.status == .exited(1) && limited.errors.contains("file too large"), "\(limited.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["cut.yaml", "full.mkv"])
  }

  /// Before anything is written: nobody waits for what cannot be.
  @Test func allThatIsMissingIsNamed() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    for name in ["words.mp4", "other.mp4"] {
      try "no clip".write(toFile: folder.path(name), atomically: false, encoding: .utf8)
    }
    let cut = try movie(
      folder,
      "  - clip: \(clip)\n    freeze: 3600\n  - clip: gone.mp4\n    for: 1\n  - clip: words.mp4\n    in: 0\n    for: 1\n"
        + "  - missing: A scene\n    for: 1\n  - clip: words.mp4\n    in: 1\n    for: 1\noverlays:\n"
        + "  - clip: other.mp4\n    at: 0\n    in: 0\n    for: 1\n  - text: hello\n    at: 0\n", head: "rate: 120\n")
    let run = try CommandRun(["render", cut, "-o", folder.path("out.mkv")])
    #expect(run.status == .exited(1))
    let last = run.errors.split(separator: "\n").last.map(String.init) ?? ""
    #expect(last.hasPrefix("quadrille: \(cut): cannot render: \(cut):6: gone.mp4: no such file; "), "\(run.errors)")
    #expect(last.contains("; \(cut):8: \(folder.path("words.mp4")): ") && last.contains("; \(cut):11: A scene: is missing"), "\(run.errors)")
    #expect(last.split(separator: "words.mp4").count == 2, "\(run.errors)")
    // A lost overlay is told of before, with its line.
    #expect(run.errors.contains("other.mp4: "), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["cut.yaml", "other.mp4", "words.mp4"])
  }

  @Test func whatIsShorterOrCannotLieOverFramesIsToldOf() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let long = try movie(folder, "  - clip: \(clip)\n    in: 3\n    for: 3\n")
    let run = try CommandRun(["render", long, "-o", folder.path("out.mkv")])
    #expect(run.status == .exited(0) && run.errors.contains("its last frame is held"), "\(run.errors)")
    let covered = try movie(folder, "  - clip: \(clip)\n    for: 1\noverlays:\n  - image: gone.png\n    at: 0\n")
    let none = try CommandRun(["render", covered, "-o", folder.path("none.mkv")])
    #expect(none.status == .exited(1) && none.errors.hasSuffix(": cannot render: gone.png: no such file\n"), "\(none.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("none.mkv")))
  }

  @Test func matroskaGoesToStandardOutput() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let run = try CommandRun(["render", clip, "-o", "-"], redirection: "| cat >'\(folder.path("x.mkv"))'")
    #expect(run.status == .exited(0) && run.errors.contains(" frames, "), "\(run.errors)")
    #expect(try md5s(folder.path("x.mkv")) == md5s(clip))
    let terminal = try TerminalProcess(#require(ProgramUnderTest.path), ["render", clip, "-o", "-"])
    #expect(terminal.runUntilExit(timeout: PlayerRun.patience) == .exited(64))
  }

  /// Whatever is not there for want of descriptors is an error.
  @Test(arguments: [4, 5, 7]) func fewDescriptors(limit: Int) throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let cut = try movie(folder, "  - clip: \(clip)\n    in: 0\n    for: 0.2\n")
    for arguments in [["render", cut, "-o", folder.path("out.mkv")], ["frames", cut], ["frame", cut, "--at", "0", "-o", folder.path("a.png")]] {
      let run = try CommandRun(arguments, launcher: "sh -c 'ulimit -n \(limit); exec \"$0\" \"$@\"'")
      switch run.status {
      case .exited(0): break
      case .exited(1): #expect(!run.errors.isEmpty)
      default: Issue.record("\(arguments[0]): \(run.status as Any) \(run.errors)")
      }
      if arguments[0] == "frames", run.status == .exited(0) { #expect(try run.output.hasSuffix("\(#require(md5s(cut).last))\n")) }
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func itEndsWhenToldAndLeavesNothing(number: Int32) throws {
    let folder = try TemporaryFolder()
    let cut = try movie(folder, "  - clip: \(try PlayerClips.short())\n    freeze: 3600\n", head: "rate: 120\n")
    let program = try #require(ProgramUnderTest.path)
    let process = try TerminalProcess(program, ["render", cut, "-o", folder.path("out.mkv")], options: TerminalProcess.Options())
    try #require(process.run(timeout: PlayerRun.patience) { $0.contains("of 432000 frames") && $0.contains(" left") })
    if number == SIGINT { process.send("\u{03}") } else { _ = process.signal(number) }
    #expect(process.runUntilExit(timeout: PlayerRun.patience) == .exited(128 + number))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cut.yaml"])
  }
}
