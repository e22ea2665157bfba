import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Movies made of pieces that play in panes as clips do.
@Suite(.timeLimit(.minutes(10))) struct MoviePlayingTests {
  /// Frames 10 to 14 and 70 to 79 of a clip with ten a second, a piece that is not there, a text, two chapters and a
  /// marker.
  private func movie(in folder: TemporaryFolder) throws -> String {
    let clip = try PlayerClips.timeline()
    let text = """
      quadrille: movie 1
      title: A short film
      pieces:
        - clip: \(clip)
          in: 1
          out: 1.5
        - clip: \(clip)
          in: "#70"
          out: "#80"
        - clip: gone.mp4
          for: 1
      overlays:
        - text: Hello there
          at: 0.6
          for: 0.3
          place: bottom
      chapters:
        - at: 0
          name: Beginning
        - at: 0.5
          name: Middle
      markers:
        - at: 1.2
          for: 1
          name: Look here

      """
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    return folder.path("cut.yaml")
  }

  private func wait(_ run: PlayerRun, forMovieAt own: Int, showing frame: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try run.wait("the movie's frame \(own) is \(frame)", sourceLocation: sourceLocation) { _ in
      run.numbersShown == [own] && run.frameNumber() == frame
    }
  }

  @Test func aMoviePlaysAsAClipDoes() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", movie(in: folder)])
    try run.wait(for: "A short fi")
    try run.wait("what is missing is named") { $0.contains("gone.mp4: no such file") }
    try wait(run, forMovieAt: 0, showing: 10)
    // Over the joint, both ways.
    run.process.send("t#4\r")
    try wait(run, forMovieAt: 4, showing: 14)
    run.process.send(".")
    try wait(run, forMovieAt: 5, showing: 70)
    run.process.send(",")
    try wait(run, forMovieAt: 4, showing: 14)
    #expect(!run.screen.contains("Hello there"))
    run.process.press(.pageUp)
    try wait(run, forMovieAt: 5, showing: 70)
    #expect(run.screen.contains("chapter 2/2: Middle"), "\(run.screen)")
    run.process.press(.pageDown)
    try wait(run, forMovieAt: 0, showing: 10)
    // What is marked stands in the bar, by name in the list, and can be gone to.
    #expect(run.screen.text.last { $0.contains("◆") }?.contains("│") == true, "\(run.screen)")
    run.process.send("C")
    for text in ["Chapters", "0:00  Middle", "Markers", "0:01…0:02  Look here"] { try run.wait(for: text) }
    run.process.press(.end)
    run.process.send("\r")
    try wait(run, forMovieAt: 12, showing: 77)
    run.process.press(.home)
    try wait(run, forMovieAt: 0, showing: 10)
    // The text is there from its time on.
    run.process.send("t#6\r")
    try run.wait("the text") { _ in run.numbersShown == [6] && run.screen.contains("Hello there") }
    run.process.send("t#9\r")
    try run.wait("no text") { _ in run.numbersShown == [9] && !run.screen.contains("Hello there") }
    try wait(run, forMovieAt: 9, showing: 74)
    run.process.press(.end)
    try run.wait("the place of what is missing") { $0.contains("gone.mp4") }
    try run.quitAndCompare()
  }

  /// A fade through white, an image that comes within a second, a clip over all of the frame: each on the frame that it is of.
  @Test func transitionsAndOverlaysAreSeenInAPane() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    _ = try MediaTool.run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=blue:size=80x90", "-frames:v", "1", folder.path("blue.png")])
    let text = """
      quadrille: movie 1
      pieces:
        - {clip: \(clip), in: 0, out: 2}
        - {clip: \(clip), in: 5, out: 8, transition: fade 1 white}
      overlays:
        - {image: blue.png, at: 2, for: 1, place: 0.5 0 0.5 1, fade: 1 0}
        - {clip: \(clip), in: 10, for: 1, at: 3, place: 0 0 1 1}

      """
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--paused", folder.path("cut.yaml")])
    try run.waitUntilPaused()
    func color(_ column: Int) -> [UInt8]? {
      run.screen.halves(column: column, row: 10).map { [$0.upper.red, $0.upper.green, $0.upper.blue] }
    }
    for (own, frame) in [(10, 10), (20, 60), (30, 100), (39, 109)] {
      run.process.send("t#\(own)\r")
      try wait(run, forMovieAt: own, showing: frame)
    }
    run.process.send("t#15\r")
    try run.wait("all is white") { _ in run.numbersShown == [15] && (2..<62).allSatisfy { color($0) == [255, 255, 255] } }
    // Half of it is there: half of the blue, and half of whatever is below.
    run.process.send("t#25\r")
    try run.wait("half of the image, and nothing of it at the left") { _ in
      run.numbersShown == [25] && (34..<62).allSatisfy { color($0).map { $0[2] >= 126 && $0[0] <= 130 && $0[1] <= 130 } ?? false }
    }
    run.process.send("t#29\r")
    try run.wait("nearly all of it") { _ in
      run.numbersShown == [29] && (34..<62).allSatisfy { color($0).map { $0[2] >= 228 && $0[0] < 30 } ?? false }
    }
    #expect((2..<30).contains { color($0) != color(40) }, "\(run.screen)")
    try run.quitAndCompare()
  }

  /// A clip that moves in a part of the frame: it is there and nowhere else, while it is to be.
  @Test func aPictureInAPicture() throws {
    let folder = try TemporaryFolder()
    func color(_ name: String, seconds: Int) -> [String] {
      ["-f", "lavfi", "-i", "color=0x\(name):size=160x90:rate=10:duration=\(seconds)"]
    }
    let lossless = ["-c:v", "ffv1", "-pix_fmt", "bgr0"]
    _ = try MediaTool.run("ffmpeg", ["-v", "error"] + color("00FF00", seconds: 4) + lossless + [folder.path("green.mkv")])
    _ = try MediaTool.run(
      "ffmpeg",
      ["-v", "error"] + color("FF0000", seconds: 1) + color("0000FF", seconds: 1) + ["-filter_complex", "concat"] + lossless
        + [folder.path("sign.mkv")])
    let text = """
      quadrille: movie 1
      pieces:
        - clip: green.mkv
      overlays:
        - {clip: sign.mkv, at: 1, place: 0.6 0.6 0.3 0.3}

      """
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--paused", folder.path("cut.yaml")])
    try run.waitUntilPaused()
    func all(_ columns: Range<Int>, _ rows: Range<Int>, are color: [UInt8]) -> Bool {
      columns.allSatisfy { column in
        rows.allSatisfy { row in
          run.screen.halves(column: column, row: row).map { half in
            // As near as it comes out of a coded frame.
            [half.upper, half.lower].allSatisfy { zip([$0.red, $0.green, $0.blue], color).allSatisfy { abs(Int($0) - Int($1)) <= 4 } }
          } ?? false
        }
      }
    }
    let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0], [0, 255, 0], [0, 0, 255])
    // The frame has 64×36 half cells: the clip lies in columns 38.4 to 57.6, half rows 21.6 to 32.4.
    for (number, inside) in [(9, green), (10, red), (19, red), (20, blue), (29, blue), (30, green)] {
      run.process.send("t#\(number)\r")
      try run.wait("frame \(number)") { _ in
        run.numbersShown == [number] && all(39..<57, 12..<17, are: inside) && all(1..<38, 1..<19, are: green)
          && all(58..<63, 1..<19, are: green) && all(1..<63, 1..<11, are: green) && all(1..<63, 18..<19, are: green)
      }
    }
    try run.quitAndCompare()
  }

  /// All that a file may say that is text: none of it steers the terminal.
  @Test func textOfAFileSteersNoTerminal() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    let evil = "\\e[2J\\e]0;x\\a\\x9b31m"
    let text = """
      quadrille: movie 1
      title: "T\(evil)"
      pieces:
        - {clip: \(clip), in: 0, out: 2}
        - {missing: "M\(evil)", reason: "R\(evil)", for: 2}
        - {clip: "gone\(evil).mp4", for: 1}
      overlays:
        - {text: "O\(evil)", at: 0}
      markers:
        - {at: 1, name: "K\(evil)"}
      chapters:
        - {at: 0, name: "C\(evil)"}

      """
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--paused", folder.path("cut.yaml")])
    try run.waitUntilPaused()
    run.process.send("t#20\r")
    try run.wait("the missing piece's name") { $0.contains("M␛[2J") && $0.contains("R␛[2J") && $0.contains("O␛[2J") }
    run.process.send("C")
    try run.wait("the names") { $0.contains("C␛[2J") && $0.contains("K␛[2J") }
    run.process.send("\u{1B}")
    try run.wait("closed") { !$0.contains("Chapters") }
    try run.quitAndCompare()
    for command in [["info"], ["render", "-o", folder.path("out.mkv")], ["frames"]] {
      let run = try CommandRun([command[0], folder.path("cut.yaml")] + command.dropFirst())
      #expect(!(run.output + run.errors).unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }, "\(command)")
    }
  }

  /// Stills and thumbnails are those of a file, also where only the first line says that it is a movie.
  @Test func aMovieGivesFramesAndThumbnails() throws {
    let folder = try TemporaryFolder()
    let cut = folder.path("cut")
    try FileManager.default.moveItem(atPath: movie(in: folder), toPath: cut)
    for (at, number) in [("#4", 14), ("0.5", 70), ("#12", 77), ("0.45", 14)] {
      let run = try CommandRun(["frame", cut, "--at", at, "-o", folder.path("a.png")])
      #expect(run.status == .exited(0) && run.output == "" && run.errors == "", "\(run.errors)")
      #expect(try SavedFrame.number(folder.path("a.png"), width: 160, height: 90) == number, "\(at)")
    }
    // A placeholder is no frame.
    let missing = try [CommandRun(["frames", cut]), CommandRun(["frame", cut, "--at", "2", "-o", folder.path("b.png")])]
    for run in missing {
      #expect(run.status == .exited(1) && run.output == "" && run.errors.contains(/cut:\d+: gone.mp4: no such file\n$/), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.png")))
    let whole = folder.path("whole")
    try String(contentsOfFile: cut, encoding: .utf8).replacing("  - clip: gone.mp4\n    for: 1\n", with: "")
      .write(toFile: whole, atomically: true, encoding: .utf8)
    var listings: Set<String> = []
    for order in ["linear", "reverse", "shuffle"] {
      let run = try CommandRun(["frames", whole, "--order", order])
      #expect(run.status == .exited(0), "\(run.errors)")
      listings.insert(run.output)
    }
    let clip = try CommandRun(["frames", PlayerClips.timeline()]).output.split(separator: "\n").dropFirst().map { $0.split(separator: ",").last }
    let own = try #require(listings.first).split(separator: "\n").dropFirst().map { $0.split(separator: ",").last }
    #expect(listings.count == 1 && own.prefix(15) == (clip[10..<15] + clip[70..<80])[...])
    let run = try CommandRun(
      ["thumbnails", cut, "--count", "8", "--columns", "4"],
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"])
    #expect(run.status == .exited(1) && run.errors.contains(/cut:\d+: 3 of 8 frames are missing: gone.mp4: no such file\n$/), "\(run.errors)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
    // Two rows of four, each with its time, of which none is behind the end.
    let times = lines.flatMap { $0.matches(of: /\d:\d\d\.\d{3}/).map { String($0.output) } }
    #expect(times.count == 5 && times == times.sorted() && times.allSatisfy { $0 < "0:02.500" }, "\(times)")
    // The middles of fifths of 2.5 s; there is nothing to see of the last second.
    let sheet = try CommandRun(["thumbnails", cut, "--count", "5", "--columns", "5", "--size", "160x90", "-o", folder.path("sheet.png")])
    #expect(sheet.status == .exited(1) && sheet.errors.contains("2 of 5 frames are missing"), "\(sheet.errors)")
    let width = 5 * 168 + 8
    let bytes = try [UInt8](
      MediaTool.run("ffmpeg", ["-v", "error", "-i", folder.path("sheet.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    try #require(bytes.count > 98 * width * 3 && bytes.count.isMultiple(of: width * 3))
    let numbers = (0..<5).map { tile in
      FrameNumber.read(width: 160, height: 90) { x, y in
        let at = 3 * ((8 + y) * width + 8 + tile * 168 + x)
        return (bytes[at], bytes[at + 1], bytes[at + 2])
      }
    }
    #expect(numbers.prefix(3) == [12, 72, 77], "\(numbers)")
  }

  @Test func fourPanesWithAMovie() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--paused", clip, movie(in: folder), clip, clip], columns: 80, rows: 24)
    try run.wait("they are there") { $0.contains("2 A short film") && run.numbersShown.count == 4 }
    run.process.send(".")
    try run.wait("all step") { _ in run.numbersShown == [1, 1, 1, 1] }
    run.process.send(" ")
    try run.wait("all play") { $0.text.joined().filter { $0 == "►" }.count >= 3 }
    run.process.send(" ")
    run.quit()
  }

  @Test(arguments: [
    ("quadrille: movie 1\npieces:\n  - clip: a.mp4\n    speed: fast\n", ":4: ", "speed"),
    ("quadrille: movie 1\npieces:\n  - clip: a.mp4\n    spede: 2\n", ":4: ", "spede"),
    ("quadrille: movie 1\npieces:\n  - clip: http://a.b/c.mp4\n", ":3: ", "http"),
    ("quadrille: movie 1\n", ": ", "pieces"),
  ])
  func whatIsWrongInTheFileIsSaid(text: String, line: String, word: String) throws {
    let folder = try TemporaryFolder()
    try text.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let run = try PlayerRun([folder.path("cut.yaml")], columns: 160)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    let said = run.screen.text.joined().split(separator: "quadrille: ").last.map(String.init) ?? ""
    #expect(said.contains("cut.yaml\(line)") && said.contains(word), "\(run.screen)")
    run.expectRestored()
  }

  /// Where frames are no whole number of ticks their stamps are rounded, and each is the frame that it is all the same.
  @Test(arguments: ["mp4", "ts"], ["60000/1001", "24000/1001"]) func framesBetweenTicks(ending: String, rate: String) throws {
    let clip = try SampleMedia.clip(
      name: "ticks.\(ending)",
      arguments: SampleMedia.numbered(width: 160, height: 90, rate: rate, seconds: 1) + [
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", "-g", "12",
      ] + (ending == "mp4" ? ["-video_track_timescale", "90000"] : []))
    func hashes(_ path: String) throws -> [Substring?] {
      let run = try CommandRun(["frames", path])
      #expect(run.status == .exited(0), "\(run.errors)")
      return run.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",").last }
    }
    let own = try hashes(clip), folder = try TemporaryFolder()
    func piece(_ first: Int, _ end: Int, _ more: String = "") -> String {
      "  - clip: \(clip)\n    in: \"#\(first)\"\n    out: \"#\(end)\"\n\(more)"
    }
    var movies: [(String, [Substring?])] = []
    movies.append(("rate: \(rate)\npieces:\n" + piece(0, 8), Array(own[0..<8])))
    movies.append(("pieces:\n" + piece(1, 5), Array(own[1..<5])))
    movies.append(("pieces:\n" + piece(1, 5, "    speed: -1\n"), own[1..<5].reversed()))
    movies.append(("pieces:\n" + piece(3, 6) + piece(9, 11), Array(own[3..<6]) + Array(own[9..<11])))
    for (number, (words, expected)) in movies.enumerated() {
      let path = folder.path("\(number).yaml")
      try "quadrille: movie 1\n\(words)\n".write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try hashes(path) == expected, "\(words)")
    }
  }
}
