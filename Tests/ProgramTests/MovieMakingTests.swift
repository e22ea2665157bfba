import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Pieces of clips that are marked, added to a movie, taken away and written, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct MovieMakingTests {
  /// A paused clip whose frame number n is shown at n tenths of a second; a second pane has the same size beside it.
  private func run(in folder: TemporaryFolder, _ arguments: [String]) throws -> PlayerRun {
    let run = try PlayerRun(["--paused", "--no-linked", "--layout", "row"] + arguments, columns: 129) {
      $0.directory = folder.path
    }
    try run.waitUntilPaused(panes: arguments.count)
    return run
  }

  private func go(to frame: Int, _ run: PlayerRun) throws {
    run.process.send("t#\(frame)\r")
    try run.wait("frame \(frame)") { _ in run.numbersShown.contains(frame) }
  }

  /// Marks frames, the first and the last one of a piece.
  private func mark(_ frames: ClosedRange<Int>, _ run: PlayerRun) throws {
    try go(to: frames.lowerBound, run)
    run.process.send("I")
    try run.wait(for: "in \(clock(frames.lowerBound))")
    try go(to: frames.upperBound, run)
    run.process.send("O")
    try run.wait(for: "in \(clock(frames.lowerBound)), out \(clock(frames.upperBound + 1)), ")
  }

  private func clock(_ frame: Int) -> String { "0:0\(frame / 10).\(frame % 10)00" }

  /// Waits until the movie, in the pane at the right, is at one of its frames, which is one of the clip's.
  private func wait(_ run: PlayerRun, forMovieAt own: Int, showing frame: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try run.wait("the movie's frame \(own) is \(frame)", sourceLocation: sourceLocation) { screen in
      run.numbersShown.last == own && screen.frameNumber(column: 65, row: 1, width: 64, height: 18) == frame
    }
  }

  /// Returns the hash of each frame of a clip, as `quadrille frames` prints it.
  private func hashes(_ path: String) throws -> [String] {
    let run = try CommandRun(["frames", path])
    #expect(run.status == .exited(0), "\(run.errors)")
    return run.output.split(separator: "\n").dropFirst().map { String($0.split(separator: ",").last ?? "") }
  }

  @Test func piecesAreMarkedAddedTakenAwayAndWritten() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    let run = try run(in: folder, [clip])
    for (key, words) in [("u", "no movie yet: I and O mark a piece, A adds it"), ("W", "no movie yet"), ("*", "no movie yet")] {
      run.process.send(key)
      try run.wait(for: words)
      run.process.send("k")
      try run.wait("it is gone") { !$0.contains("no movie yet") }
    }
    try mark(10...14, run)
    #expect(run.screen.contains(", 0:00.500 long"))
    run.process.send("A")
    try run.wait(for: "2 movie (1 piece, 0:00.5)")
    try wait(run, forMovieAt: 0, showing: 10)
    try go(to: 70, run)
    run.process.send("I")
    try run.wait(for: "in 0:07.000, to the end of the clip, 2:23.000 long; the out point was before it and has been cleared")
    try go(to: 72, run)
    run.process.send("OA")
    try run.wait(for: "movie (2 pieces, 0:00.8)")
    try wait(run, forMovieAt: 5, showing: 70)
    // The focus has stayed, and over the joint go both directions.
    run.process.send(",")
    try run.wait("the clip steps") { _ in run.numbersShown == [71, 5] }
    run.process.send("\t,")
    try wait(run, forMovieAt: 4, showing: 14)
    run.process.send(".")
    try wait(run, forMovieAt: 5, showing: 70)
    run.process.send("I")
    try run.wait(for: "cannot take a piece of a movie")
    run.process.send("A")
    try run.wait(for: "cannot take a piece of a movie")
    run.process.send("uu")
    try run.wait("its pane is gone") { !$0.contains("2 movie") && run.numbersShown == [71] }
    run.process.send("u")
    try run.wait(for: "no added piece to remove")
    // The marks stay; the same piece comes again, and the whole clip's end.
    run.process.send("A")
    try wait(run, forMovieAt: 0, showing: 70)
    try mark(10...14, run)
    run.process.send("A")
    try wait(run, forMovieAt: 3, showing: 10)
    run.process.send("W")
    try run.wait(for: "Write movie: movie.yaml")
    run.process.send("\u{15}cut.mp4\r")
    try run.wait("it says why") { $0.contains("the file name must end in .yaml") && $0.contains("Write movie: cut.mp4") }
    run.process.send("\u{15}cut.yaml\r")
    try run.wait(for: "wrote cut.yaml")
    try run.wait(for: "2 cut.yaml (2 pieces, 0:00.8)")
    let written = try String(contentsOfFile: folder.path("cut.yaml"), encoding: .utf8)
    run.process.send("u")
    try run.wait(for: "1 piece left")
    run.process.send("W\r")
    try run.wait("it asks") { $0.contains("cut.yaml already exists: enter overwrites it") && $0.contains("Write movie: cut.yaml") }
    run.process.send("\u{1B}")
    try run.wait("the prompt is gone") { !$0.contains("Write movie") }
    #expect(try String(contentsOfFile: folder.path("cut.yaml"), encoding: .utf8) == written)
    run.process.send("q")
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(run.screen.contains("quadrille: cut.yaml: the movie of 1 piece was not written"), "\(run.screen)")
    #expect(written.contains("clip: \(clip)\n"), "the clip lies elsewhere")
    #expect(written.contains("in: \"#70\"\n    out: \"#73\"\n") && written.contains("in: \"#10\"\n    out: \"#15\"\n"), "\(written)")
    let frames = try hashes(clip)
    #expect(try hashes(folder.path("cut.yaml")) == Array(frames[70...72] + frames[10...14]))
  }

  /// A movie that a pane plays is the one that is added to; it is written where clips below it are named from it.
  @Test func piecesAreAddedToTheMovieThatIsPlayed() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    let short = try PlayerClips.copy(in: folder, named: "clips/short.mp4")
    let text = "quadrille: movie 1\npieces:\n  - clip: clips/short.mp4\n    in: \"#20\"\n    out: \"#24\"\n"
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.yaml"), withDestinationPath: "clips/short.mp4")
    let run = try run(in: folder, ["clips/short.mp4", "cut.yaml"])
    #expect(run.screen.contains("1 short.mp4") && run.screen.contains("2 cut.yaml"))
    try go(to: 7, run)
    run.process.send("OA")
    try run.wait(for: "2 cut.yaml (2 pieces, 0:00.4)")
    try wait(run, forMovieAt: 4, showing: 0)
    run.process.send("W")
    try run.wait(for: "Write movie: cut.yaml")
    run.process.send("\u{15}link.yaml\r")
    try run.wait(for: "link.yaml: refusing to overwrite an input file")
    run.process.send("\u{15}cut.yaml\r")
    try run.wait(for: "cut.yaml already exists")
    run.process.send("\r")
    try run.wait(for: "wrote cut.yaml")
    run.process.send("W\u{15}cut.edl\r")
    try run.wait(for: "wrote cut.edl")
    try run.quitAndCompare()
    #expect(!run.screen.contains("was not written"))
    let written = try String(contentsOfFile: folder.path("cut.yaml"), encoding: .utf8)
    #expect(written.components(separatedBy: "clip: clips/short.mp4\n").count == 3, "\(written)")
    let frames = try hashes(short)
    #expect(try hashes(folder.path("cut.yaml")) == Array(frames[20..<24] + frames[0...7]))
    // Its list says the rate, and is read as the same frames.
    #expect(try hashes(folder.path("cut.edl")) == Array(frames[20..<24] + frames[0...7]))
  }

  /// The focus and the order of the others stay.
  @Test func besideTwoPanesTheMovieIsAThird() throws {
    let run = try PlayerRun(
      ["--paused", "--no-linked", "--layout", "row", PlayerClips.timeline(), PlayerClips.short()], columns: 129)
    try run.waitUntilPaused(panes: 2)
    run.process.send("A")
    try run.wait("it is there") { $0.contains("1 timeline") && $0.contains("2 short.mp4") && $0.contains("3 movie (1 piece, 2:30)") }
    run.process.send(".")
    try run.wait("the first pane steps") { _ in run.numbersShown == [1, 0, 0] }
    run.process.send("\t.")
    try run.wait("the second one steps") { _ in run.numbersShown == [1, 1, 0] }
    run.quit()
  }

  /// Keys that follow are the prompt's, however long it takes to read the movie.
  @Test func aNameMayFollowAtOnce() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.copy(in: folder, named: "short.mp4")
    // Long enough to be read for a while.
    let piece = "  - clip: short.mp4\n    in: \"#3\"\n    out: \"#4\"\n"
    let text = "quadrille: movie 1\npieces:\n" + String(repeating: piece, count: 3000)
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let run = try run(in: folder, [clip, "cut.yaml"])
    run.process.send("W\u{15}copy.yaml\r")
    try run.wait(for: "wrote copy.yaml")
    try run.quitAndCompare()
    #expect(try String(contentsOfFile: folder.path("copy.yaml"), encoding: .utf8).components(separatedBy: "- clip: short.mp4").count == 3001)
  }

  @Test func amongFourPanesTheMovieHasThePlaceOfTheFocusedOne() throws {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--paused", clip, clip, clip, PlayerClips.short()], columns: 80, rows: 24)
    try run.waitUntilPaused(panes: 4)
    run.process.press(.function(4))
    run.process.send("A")
    try run.wait("it has the place") { $0.contains("4 movie (1 piece, 0:02.0)") && !$0.contains("short.mp4 ") && $0.contains("3 timeline") }
    run.process.send("*")
    try run.wait("the clip is back") { $0.contains("4 short.mp4") && !$0.contains("movie (") }
    run.process.send("A")
    try run.wait(for: "4 movie (2 pieces, 0:04.0)")
    try run.wait("at the joint") { _ in run.numbersShown.contains(60) }
    // Closed, it stays in hand, and the clip is back.
    run.process.send("c")
    try run.wait("the clip is back") { $0.contains("4 short.mp4") && $0.contains("the edit is kept: * shows it") }
    run.process.send("*")
    try run.wait(for: "4 movie (2 pieces, 0:04.0)")
    // Once there is room, both are there.
    run.process.press(.function(1))
    run.process.send("c")
    try run.wait("both are there") { $0.contains("3 short.mp4") && $0.contains("4 movie (2 pieces") && $0.contains("1 timeline") }
    run.process.send("*")
    try run.wait("it is hidden") { $0.contains("3 short.mp4") && !$0.contains("movie (") }
    try run.quitAndCompare()
    #expect(run.screen.contains("quadrille: the movie of 2 pieces was not written"), "\(run.screen)")
    run.expectRestored()
  }

  @Test func theMovieDoesWhatTheOthersDo() throws {
    let run = try PlayerRun(["--layout", "row", PlayerClips.timeline()], columns: 129)
    try run.waitUntilMoving()
    run.process.send("A")
    try run.wait("both play") { $0.contains("movie (1 piece, 2:30)") && $0.text.joined().filter { $0 == "►" }.count == 2 }
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    run.process.send("A")
    try run.wait("it is paused at the joint") { $0.contains("movie (2 pieces, 5:00)") && run.numbersShown.last == 1500 }
    run.process.send("u")
    try run.wait(for: "movie (1 piece, 2:30)")
    run.quit()
  }

  /// Keys that come before the frame that was gone to is there are about that frame.
  @Test func keysWaitForTheFrame() throws {
    let folder = try TemporaryFolder()
    let run = try run(in: folder, [PlayerClips.heavyGroup()])
    run.process.send("t#110\rIA")
    try run.wait("it is that frame") { $0.contains("movie (1 piece, 0:01.0)") && run.numbersShown == [110, 0] }
    #expect(run.screen.contains("in 0:11.000, to the end of the clip, 0:01.000 long"), "\(run.screen)")
    run.quit()
  }

  /// A track that somebody chose is the one that the piece is of.
  @Test func aPieceIsOfTheTrackThatIsShown() throws {
    let folder = try TemporaryFolder()
    let clip = try SampleMedia.clip(
      name: "two.mkv",
      arguments: [
        "-t", "2", "-i", PlayerClips.timeline(), "-ss", "10", "-t", "2", "-i", PlayerClips.timeline(), "-map", "0:v", "-map", "1:v",
        "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-g", "10",
      ])
    let run = try run(in: folder, [clip])
    run.process.send("_")
    try run.wait("the other track") { $0.contains("(2/2)") }
    try mark(3...5, run)
    run.process.send("A")
    try wait(run, forMovieAt: 0, showing: 103)
    run.process.send("W\r")
    try run.wait(for: "wrote movie.yaml")
    try run.quitAndCompare()
    #expect(try String(contentsOfFile: folder.path("movie.yaml"), encoding: .utf8).contains("track: 2"))
  }

  /// A storyboard beside it is no movie to add to.
  @Test func aMovieIsMadeBesideAStory() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    let story = "quadrille: storyboard 1\nscenes:\n  - scene: S\n    tracks:\n      - track: t\n        clip: \(clip)\n        length: 20\n"
    try story.write(toFile: folder.path("story.yaml"), atomically: true, encoding: .utf8)
    let run = try run(in: folder, [clip, folder.path("story.yaml")])
    try run.wait(for: "S/t")
    try mark(3...5, run)
    run.process.send("A")
    try run.wait(for: "added timeline")
    // Among two panes the focus would be elsewhere.
    try run.wait(for: "3 movie (1 piece")
    run.process.press(.tab)
    run.process.send("I")
    try run.wait(for: "cannot take a piece of a storyboard")
    run.process.press(.tab)
    run.process.press(.tab)
    run.process.send("W\r")
    try run.wait(for: "wrote movie.yaml")
    try run.quitAndCompare()
  }

  @Test func whatHasNoFramesGivesNoPieces() throws {
    let run = try PlayerRun(["--paused", SampleClip.audioOnly.path()])
    try run.wait(for: "silent")
    for key in ["I", "O", "A"] {
      run.process.send(key)
      try run.wait(for: "cannot take a piece: this clip has no video")
      run.process.send("k")
      try run.wait("it is gone") { !$0.contains("no video") }
    }
    run.quit()
  }
}
