import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Storyboards in the program: choices on the screen, what keys and the mouse do, and the commands.
@Suite(.timeLimit(.minutes(5))) struct StoryTests {
  private let folder: TemporaryFolder
  private let story: String

  /// A story whose tracks are pieces of a clip in which frame n is shown at n tenths of a second.
  init() throws {
    folder = try TemporaryFolder()
    story = folder.path("story.yaml")
    let clip = try PlayerClips.timeline()
    let text = """
      quadrille: storyboard 1
      title: Ways
      scenes:
        - scene: One
          tracks:
            - prologue: ask
              clip: \(clip)
              in: 10
              length: 4
              show: 0.5
              decide: 3
              choices:
                - {label: Right on, is: right}
                - {label: The wrong way, is: wrong}
                - {label: Another scene, to: Two}
              otherwise: next
            - winning: won
              clip: \(clip)
              in: 30
              length: 2
              then: Two
            - losing: lost
              clip: \(clip)
              in: 60
              length: 1.5
        - scene: Two
          tracks:
            - track: last
              clip: \(clip)
              in: 100
              length: 2
              then: end
      """
    try text.write(toFile: story, atomically: true, encoding: .utf8)
  }

  /// Writes the story anew, with so much time to choose that no machine is too slow.
  private func changeStory(_ change: (String) -> String) throws {
    let text = try String(contentsOfFile: story, encoding: .utf8)
    try change(text.replacing("length: 4", with: "length: 80").replacing("decide: 3", with: "decide: 70"))
      .write(toFile: story, atomically: true, encoding: .utf8)
  }

  private func trace(_ choices: String) throws -> [String] {
    let run = try CommandRun(["play", "--trace"] + (choices.isEmpty ? [] : ["--choices=\(choices)"]) + [story], hasTerminal: false)
    #expect(run.status == .exited(0), "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["a", "b,c", "b,b,a", "-"])
  func whatIsPlayedIsWhatTheTraceTells(choices: String) throws {
    let run = try PlayerRun(["--choices=\(choices)", "--speed", "4", "--exit-at-end", story])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(try run.statistics().panes.first?.story == trace(choices))
  }

  @Test func choicesAreShownAndTaken() throws {
    let run = try PlayerRun([story])
    try run.wait(for: "Right on")
    try run.wait("all of them") { screen in
      ["1", "2", "3"].allSatisfy { screen.contains($0) } && screen.contains("The wrong way") && screen.contains("Another scene")
        && screen.contains("enter: choose")
    }
    #expect(run.screen.contains("One/ask") && ["3 s", "2 s", "1 s"].contains { run.screen.contains(" \($0)") }, "the time that is left")
    run.process.send("2")
    try run.wait("it is marked") { $0.text.contains { $0.contains("2 • The wrong way") } }
    try run.wait("the track shows") { screen in
      !screen.contains("Right on") && screen.contains("One/lost") && run.frameNumber().map { (600..<615).contains($0) } ?? false
    }
    // Back at the prologue: the arrows and enter.
    try run.wait("it asks again") { $0.contains("Right on") && (run.frameNumber().map { (100..<130).contains($0) } ?? false) }
    run.process.send("\u{1B}[A")
    try run.wait("the last is pointed at") { $0.contains("Another scene") }
    run.process.send("\r")
    try run.wait("it is marked") { $0.text.contains { $0.contains("3 • Another scene") } }
    try run.wait("the other scene") { screen in screen.contains("Two/last") && run.frameNumber().map { (1000..<1020).contains($0) } ?? false }
    try run.wait("the end") { $0.contains("■") }
    let end = try #require(run.frameNumber())
    #expect(end == 1019)
    run.quit()
    let told = try #require(try run.statistics().panes.first?.story).filter { !$0.contains("chosen") }
    #expect(try told == trace("b,c").filter { !$0.contains("chosen") })
  }

  @Test func aClickChoosesAndUGoesBack() throws {
    let run = try PlayerRun([story])
    try run.wait(for: "The wrong way")
    let row = try #require(run.screen.text.firstIndex { $0.contains("The wrong way") })
    run.process.send("\u{1B}[<0;32;\(row + 1)M\u{1B}[<0;32;\(row + 1)m")
    try run.wait("the track shows") { screen in
      screen.contains("One/lost") && run.frameNumber().map { (600..<615).contains($0) } ?? false
    }
    run.process.send("u")
    try run.wait("it asks again") { $0.contains("Right on") && (run.frameNumber().map { (105..<130).contains($0) } ?? false) }
    run.process.send("1")
    try run.wait("the right track") { screen in screen.contains("One/won") && run.frameNumber().map { (300..<320).contains($0) } ?? false }
    run.quit()
    let told = try #require(try run.statistics().panes.first?.story)
    #expect(told.contains { $0.hasSuffix("decided by 2 The wrong way") } && told.contains { $0.hasSuffix("decided by 1 Right on") })
  }

  /// Going back leads behind a hundred frames of 720p: nothing shows until the frame is there.
  @Test func whatIsNotReadyIsHiddenUntilItsFrameIsThere() throws {
    let clip = try PlayerClips.heavyGroup()
    let text = """
      quadrille: storyboard 1
      scenes:
        - scene: One
          tracks:
            - {track: ask, clip: \(clip), in: 10, length: 2, show: 0.5, choices: [Back to the start: first, Away: first], otherwise: next}
            - {track: between, clip: \(clip), in: 9, length: 1}
            - {track: first, clip: \(clip), in: 0, length: 8, then: end}
      """
    try text.write(toFile: story, atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--choices=a", story])
    try run.wait("the first frames") { $0.contains("One/first") && (run.frameNumber().map { (3..<60).contains($0) } ?? false) }
    /// Numbers of frames in the order in which they were seen; nil where all is black.
    var seen: [Int?] = []
    func look(_ screen: EmulatorScreen) {
      let isBlack = (1..<12).allSatisfy { row in (0..<64).allSatisfy { Self.isBlack(screen, column: $0, row: row) } }
      let number = isBlack ? nil : run.frameNumber()
      // A screen may be seen before all of a frame has been drawn.
      guard isBlack || number != nil else { return }
      if seen.isEmpty || seen.last! != number { seen.append(number) }
    }
    run.process.send("u")
    try run.wait("it asks again") { screen in
      look(screen)
      return screen.contains("Away") && seen.contains(nil) && run.frameNumber().map { $0 >= 107 } ?? false
    }
    run.quit()
    let hidden = try #require(seen.firstIndex(of: nil), "\(seen)")
    #expect(seen[..<hidden].allSatisfy { (0..<80).contains($0 ?? -1) }, "\(seen)")
    #expect(seen[(hidden + 1)...].allSatisfy { (105..<120).contains($0 ?? -1) } && seen[hidden + 1] == 105, "\(seen)")
  }

  private static func isBlack(_ screen: EmulatorScreen, column: Int, row: Int) -> Bool {
    guard let halves = screen.halves(column: column, row: row) else { return screen[column: column, row: row].glyph == " " }
    return [halves.upper, halves.lower].allSatisfy { color in
      let sum: Int = Int(color.red) + Int(color.green) + Int(color.blue)
      return sum < 30
    }
  }

  @Test func aStoryIsSavedAndGoneOnWith() throws {
    let run = try PlayerRun([story]) { $0.directory = folder.path }
    try run.wait(for: "The wrong way")
    run.process.send("1")
    try run.wait("the right track") { screen in screen.contains("One/won") && run.frameNumber().map { (305..<320).contains($0) } ?? false }
    run.process.send(" W")
    try run.wait(for: "Save story: story.run")
    let place = try #require(run.frameNumber())
    run.process.send("\r")
    try run.wait(for: "saved story.run")
    run.quit()
    let text = try String(contentsOfFile: folder.path("story.run"), encoding: .utf8)
    #expect(text.hasPrefix("quadrille: storyboard run 1\nstoryboard: \"story.yaml\"\ntitle: \"Ways\"\n"), "\(text)")
    // From elsewhere, and by its own name.
    let again = try PlayerRun(["--paused", folder.path("story.run")])
    try again.wait("where it was") { $0.contains("One/won") && again.frameNumber() == place }
    again.process.send("W")
    try again.wait(for: "story.run")
    again.process.send("\u{15}\(folder.path("story.run"))\r")
    try again.wait(for: "already exists: enter overwrites it")
    again.process.send("\r")
    try again.wait("it is saved") { $0.contains("saved /") && !$0.contains("Save story") }
    #expect(try String(contentsOfFile: folder.path("story.run"), encoding: .utf8) == text)
    // The storyboard itself is never written over.
    again.process.send("W")
    try again.wait(for: "Save story")
    again.process.send("\u{15}\(story)\r")
    try again.wait("a refusal") { $0.contains("Save story") && $0.contains("story.yaml") && !$0.contains("already exists") }
    again.process.send("\u{1B}")
    try again.wait("closed") { !$0.contains("Save story") }
    again.process.send(" ")
    try again.wait("it goes on") { $0.contains("Two/last") }
    try again.wait("the end") { $0.contains("■") }
    again.process.send("W")
    try again.wait(for: "the story has ended")
    again.quit()
  }

  /// A paused run of the story that has been told to save it and offers a name.
  private func runThatOffersAName() throws -> PlayerRun {
    let run = try PlayerRun(["--paused", story]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send("W")
    try run.wait(for: "Save story: story.run")
    return run
  }

  @Test func whatIsBeingSavedAtTheEndIsSavedOrTold() throws {
    /// Saves the story under the name that is offered, and quits before that is done.
    func saveAndQuit() throws -> PlayerRun {
      let run = try runThatOffersAName()
      run.process.send("\rq")
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
      return run
    }
    _ = try saveAndQuit()
    #expect(FileManager.default.fileExists(atPath: folder.path("story.run")))
    let again = try saveAndQuit()
    #expect(again.screen.contains("story.run: the story was not saved"), "\(again.screen)")
  }

  /// An unanswered question is reported if the program ends by itself, at any moment.
  @Test func aQuestionThatTheEndFindsOpenIsTold() throws {
    try "".write(toFile: folder.path("story.run"), atomically: true, encoding: .utf8)
    func ask(_ keys: String, until isReady: (EmulatorScreen) -> Bool) throws -> PlayerRun {
      let run = try runThatOffersAName()
      run.process.send("\r")
      try run.wait(for: "already exists: enter overwrites it")
      run.process.send(keys)
      try run.wait("what keys do", until: isReady)
      kill(run.playerIdentifier, SIGTERM)
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(128 + SIGTERM))
      return run
    }
    let words = "story.run: the story was not saved"
    let open = try ask("") { _ in true }
    #expect(open.screen.contains(words), "\(open.screen)")
    let given = try ask("\u{1B}") { !$0.contains("Save story") }
    #expect(!given.screen.contains(words), "\(given.screen)")
  }

  @Test(arguments: [
    ("mark: \"0000\"", "belongs to another storyboard"), ("choices: [7]", "do not lead to its position"), ("storyboard: none.yaml", "none.yaml"),
    ("ended: true", "nothing to continue"),
  ]) func runsThatCannotBeGoneOnWithSaySo(line: String, objection: String) throws {
    let run = try runThatOffersAName()
    run.process.send("\r")
    try run.wait(for: "saved story.run")
    run.quit()
    var lines = try String(contentsOfFile: folder.path("story.run"), encoding: .utf8).split(separator: "\n").map(String.init)
    let key = line.prefix { $0 != ":" } + ":"
    lines.removeAll { $0.hasPrefix(key) || (key == "ended:" && ($0.hasPrefix("track:") || $0.hasPrefix("at:") || $0.hasPrefix("choices:"))) }
    lines += key == "ended:" ? ["choices: [3]", line] : [line]
    try lines.joined(separator: "\n").write(toFile: folder.path("story.run"), atomically: true, encoding: .utf8)
    let again = try PlayerRun([folder.path("story.run")], columns: 200)
    #expect(again.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(again.screen.contains(objection), "\(again.screen)")
  }

  @Test func playedOutItBeginsAnewOrTheNextClipFollows() throws {
    let run = try PlayerRun(["--choices=c", "--speed", "4", story])
    try run.wait("the end") { $0.contains("■") }
    // Slowly, so that a busy machine sees the choices.
    run.process.send("{{{{ ")
    try run.wait("it begins anew") { $0.contains("One/ask") && $0.contains("Right on") }
    run.quit()
    let list = try PlayerRun(["--choices=c", "--speed", "4", "--exit-at-end", "\(story),\(PlayerClips.short())"])
    #expect(list.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let pane = try #require(try list.statistics().panes.first)
    #expect(pane.clip.hasSuffix("short.mp4") && pane.story == nil)
  }

  @Test func itIsPlayedSoManyTimes() throws {
    for list in [story, "\(story),\(try PlayerClips.short())"] {
      let run = try PlayerRun(["--choices=c", "--speed", "8", "--loop-count", "2", "--exit-at-end", list])
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    }
  }

  /// While choices show, digits are the focused pane's: tenths of a clip beside the story.
  @Test func keysAreTheFocusedPanes() throws {
    try changeStory { $0 }
    let run = try PlayerRun(["--no-linked", "--layout", "row", story, PlayerClips.timeline()], columns: 129)
    try run.wait(for: "The wrong way")
    run.process.send(" ")
    try run.waitUntilPaused()
    run.process.press(.function(2))
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    run.process.send("2")
    try run.wait("two tenths of the clip") { _ in run.numbersShown.last == 300 }
    #expect(!run.screen.contains("2 •"), "\(run.screen)")
    run.process.press(.function(1))
    try run.wait(for: "enter: choose")
    run.process.send("2")
    try run.wait("it is chosen") { $0.text.contains { $0.contains("2 • The wrong way") } }
    #expect(run.numbersShown.last == 300)
    run.quit()
  }

  /// The arrows point from what is chosen, and up to the ends; enter alone leaves that, and takes the first where nothing is.
  @Test func arrowsAndEnterChoose() throws {
    try changeStory { $0 }
    let run = try PlayerRun(["--choices=b", story])
    try run.wait("the second is chosen") { $0.text.contains { $0.contains("2 • The wrong way") } }
    run.process.send(" ")
    try run.waitUntilPaused()
    // What follows the key shows that it has been taken.
    run.process.send("\r}")
    try run.wait("enter is over") { $0.contains("×2.00") }
    #expect(run.screen.contains("2 • The wrong way") && !run.screen.contains("1 •"), "\(run.screen)")
    for (keys, chosen) in [
      ("\u{1B}[B\r", "3 • Another scene"), ("\u{1B}[D\r", "2 • The wrong way"), ("\u{1B}[D\u{1B}[D\u{1B}[D\r", "1 • Right on"),
      ("\u{1B}[C\r", "2 • The wrong way"), ("\u{1B}[C\u{1B}[C\r", "3 • Another scene"), ("\u{1B}[A\u{1B}[A\r", "1 • Right on"),
    ] {
      run.process.send(keys)
      try run.wait("\(chosen)") { $0.text.contains { $0.contains(chosen) } }
      #expect(["1 •", "2 •", "3 •"].count { run.screen.contains($0) } == 1, "\(run.screen)")
    }
    run.quit()
    let other = try PlayerRun([story])
    try other.wait(for: "enter: choose")
    other.process.send("\r")
    try other.wait("the first is chosen") { $0.text.contains { $0.contains("1 • Right on") } }
    other.quit()
  }

  /// Keys that no choice needs keep their meaning: only `u` goes back.
  @Test func backspaceIsNormalSpeedAlsoWhileChoicesShow() throws {
    try changeStory { $0 }
    let run = try PlayerRun([story])
    try run.wait(for: "enter: choose")
    run.process.send(" ")
    try run.waitUntilPaused()
    run.process.send("}")
    try run.wait(for: "×2.00")
    run.process.send("\u{7F}")
    try run.wait("normal speed") { !$0.contains("×2.00") }
    #expect(run.screen.contains("enter: choose") && !run.screen.contains("no choice to go back to"), "\(run.screen)")
    run.process.send("u")
    try run.wait(for: "no choice to go back to")
    run.quit()
  }

  /// The example that the README shows, with the clips that the script makes: its right, its wrong and its lost way.
  @Test func theExampleHasThreeWays() throws {
    let script = PackageFolder.root.appendingPathComponent("scripts/make-samples").path
    try MediaTool.run("bash", [script, "--story", folder.path("lantern")])
    let example = folder.path("lantern/lantern.yaml")
    try PackageFolder.text(of: "docs/examples/storyboard/lantern.yaml").write(toFile: example, atomically: true, encoding: .utf8)
    let check = try CommandRun(["storyboard", "check", example])
    #expect(check.status == .exited(0) && check.output == "\(example): 3 scenes, 10 tracks, 5 choices\n", "\(check.output)\(check.errors)")
    for (way, choices) in [("right", "a,a"), ("wrong", "c,b,a,b,a,a"), ("lost", "-,a")] {
      let run = try CommandRun(["play", "--trace", "--choices=\(choices)", example], hasTerminal: false)
      #expect(run.status == .exited(0), "\(run.errors)")
      #expect(try run.output == PackageFolder.text(of: "Tests/Golden/Lantern/\(way).trace"), "\(way)")
    }
  }

  /// Names and labels are any text, of which none steers the terminal.
  @Test func textOfAStorySteersNoTerminal() throws {
    let evil = #"\e[2J\e]0;x\a\x9b31m"#
    try changeStory { text in
      text.replacing("Right on", with: "\"Right on\(evil)\"").replacing("title: Ways", with: "title: \"Ways\(evil)\"")
        .replacing("prologue: ask", with: "prologue: \"ask\(evil)\"")
    }
    let run = try PlayerRun([story])
    try run.wait(for: "Right on␛[2J")
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.quitAndCompare()
    for command in [["storyboard", "check"], ["storyboard", "graph"], ["play", "--trace", "--choices=c"]] {
      let run = try CommandRun(command + [story], hasTerminal: false)
      #expect(run.status == .exited(0), "\(run.errors)")
      #expect(!run.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }, "\(command)")
    }
  }

  /// It is no seek to a tenth.
  @Test func aKeyThatComesTooLateDoesNothing() throws {
    let run = try PlayerRun([story])
    try run.wait(for: "Right on")
    try run.wait("the choices have gone") { !$0.contains("Right on") }
    run.process.send("9")
    try run.wait(for: "too late: the choice has been made")
    try run.wait("it goes on as decided") { _ in run.frameNumber().map { (305..<320).contains($0) } ?? false }
    run.quit()
  }

  /// Digits are tenths again while nothing can be chosen.
  @Test func keysAreTheStorysOnlyWhileChoicesShow() throws {
    let run = try PlayerRun(["--paused", story])
    try run.waitUntilPaused()
    run.process.send("\u{1B}[C")
    try run.wait("within the track, whose end is at 4 s") { _ in run.frameNumber() == 139 }
    run.process.send("u")
    try run.wait(for: "no choice to go back to")
    run.process.send("^")
    try run.wait("the beginning") { _ in run.frameNumber() == 100 }
    try run.quitAndCompare()
  }

  @Test func theCommands() throws {
    let check = try CommandRun(["storyboard", "check", story])
    #expect(check.status == .exited(0) && check.output == "\(story): 2 scenes, 4 tracks, 3 choices\n")
    let graph = try CommandRun(["storyboard", "graph", story])
    #expect(graph.status == .exited(0) && graph.output.hasPrefix("digraph storyboard {\n  label=\"Ways\";"))
    let copy = folder.path("copy.yaml")
    #expect(try CommandRun(["storyboard", "import", story, "-o", copy]).status == .exited(0))
    #expect(try CommandRun(["storyboard", "graph", copy]).output == graph.output)
    #expect(try CommandRun(["storyboard", "import", story, "-o", story]).status == .exited(1))
    // A story that was never filmed.
    let twee = folder.path("plain.twee")
    try ":: Start\n[[On->End]] [[Home page->https://example.com]]\n:: End\n".write(toFile: twee, atomically: true, encoding: .utf8)
    let imported = try CommandRun(["storyboard", "import", twee, "-o", copy])
    #expect(imported.status == .exited(0) && imported.errors.contains("plain.twee:1: 2 tracks have no clip"), "\(imported.errors)")
    #expect(imported.errors.contains("plain.twee:2: passage \"Start\": the link to https://example.com is left out"), "\(imported.errors)")
    #expect(try CommandRun(["play", "--trace", copy]).output.hasSuffix("0:06.000  0:06.000  end\n"))
    let text = try String(contentsOfFile: story, encoding: .utf8)
    try text.replacing("to: Two", with: "to: Three").write(toFile: story, atomically: true, encoding: .utf8)
    let wrong = try CommandRun(["storyboard", "check", story])
    #expect(wrong.status == .exited(1) && wrong.output.contains("\(story):15: ") && wrong.output.contains("Three"))
    for command in [["storyboard", "graph", story], ["play", "--trace", story], ["play", "--trace", folder.path("none.yaml")]] {
      let run = try CommandRun(command)
      #expect(run.status == .exited(1) && run.errors.hasPrefix("quadrille: ") && run.output.isEmpty, "\(command)")
    }
    #expect(try CommandRun(["play", "--trace", story, story]).status == .exited(64))
    let run = try PlayerRun([story])
    try run.wait(for: "Three")
    run.process.send("q")
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
  }

  @Test func lengthsComeFromTheClips() throws {
    let text = """
      quadrille: storyboard 1
      scenes:
        - scene: One
          tracks:
            - {track: last, clip: \(try PlayerClips.timeline()), in: 148}
      """
    try text.write(toFile: story, atomically: true, encoding: .utf8)
    let lines = try trace("")
    #expect(lines.last == "0:02.000  0:02.000  end", "\(lines)")
  }
}
