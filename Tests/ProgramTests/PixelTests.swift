import Foundation
import Glibc
import TerminalHarness
import TestSupport
import Testing

/// Frames in pixels, in a terminal that displays images.
@Suite(.timeLimit(.minutes(20))) struct PixelTests {
  private typealias Kind = TerminalProcess.ImageSupport.Kind

  private static let size = (width: 640, height: 360)
  private static let cell = (width: 10, height: 20)

  /// Frames without loss that fill the pane exactly.
  private func clip() throws -> String {
    try SampleMedia.clip(
      name: "pixels.mkv",
      arguments: ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=10:d=6", "-c:v", "ffv1", "-g", "1", "-pix_fmt", "bgr0"])
  }

  private func frame(_ number: Int = 0) throws -> TerminalPicture {
    let bytes = try [UInt8](
      MediaTool.run(
        "ffmpeg", ["-v", "error", "-i", clip(), "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    return TerminalPicture(width: Self.size.width, height: Self.size.height, bytes: bytes)
  }

  /// Decodes an image file.
  private static func decode(_ file: [UInt8]) -> TerminalPicture? {
    guard let folder = try? TemporaryFolder(), (try? Data(file).write(to: URL(fileURLWithPath: folder.path("image")))) != nil,
      let size = try? MediaTool.probe(folder.path("image"), entries: "stream=width,height").first?.split(separator: ",").compactMap({ Int($0) }),
      size.count == 2,
      let bytes = try? MediaTool.run("ffmpeg", ["-v", "error", "-i", folder.path("image"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    else { return nil }
    return TerminalPicture(width: size[0], height: size[1], bytes: [UInt8](bytes))
  }

  private func run(
    _ arguments: [String], _ kinds: Set<Kind>, name: String? = "kitty(0.40.0)", clips: [String]? = nil,
    _ change: (inout TerminalProcess.Options) -> Void = { _ in }
  ) throws -> PlayerRun {
    try PlayerRun(["--colors", "24bit"] + arguments + (clips ?? [clip()])) {
      $0.cellPixels = Self.cell
      $0.images = .init(kinds, name: name, decode: Self.decode)
      change(&$0)
    }
  }

  /// The pixels of the single pane's frame.
  private func picture(_ run: PlayerRun) -> TerminalPicture? { run.process.picture(column: 0, row: 1, columns: 64, rows: 18) }

  /// Objects that the program has left in shared memory.
  private func objects(of process: Int32) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter { $0.hasPrefix("tty-graphics-protocol-quadrille-\(process)-") }
  }

  @Test func kittyShowsThePixelsOfTheClip() throws {
    let (first, second) = (try frame(), try frame(1))
    for readsObjects in [true, false] {
      let run = try run(["--paused", "--pixels", "kitty"], [.kitty]) { $0.images?.readsObjects = readsObjects }
      try run.wait("the first frame") { _ in picture(run) == first }
      // Where text covers it, there is no image.
      run.process.send("?")
      try run.wait("help over the picture") { screen in
        screen.contains("Keys") && picture(run).map { $0 != first && $0.psnr(first) < 30 } == true
      }
      run.process.press(.escape)
      try run.wait("the whole picture") { _ in picture(run) == first }
      run.process.send(".")
      try run.wait("the second one") { _ in picture(run) == second }
      // The pixels themselves do not go through the terminal's line.
      #expect((run.process.imageBytes < 20_000) == readsObjects)
      #expect(run.process.imageFaults == [])
      let identifier = run.process.processIdentifier
      run.quit()
      run.expectRestored()
      #expect(!run.process.showsImages)
      #expect(try objects(of: identifier) == [])
    }
  }

  @Test func sixelsShowThemInTheirPalettes() throws {
    let frame = try frame()
    let run = try run(["--paused", "--pixels", "sixel"], [.sixel], name: nil)
    try run.wait("the frame, nearly") { _ in picture(run).map { $0.psnr(frame) > 33 } == true }
    let shown = try #require(picture(run))
    #expect(run.process.imageFaults == [])
    // What covers a part of it removes that, and leaves the rest.
    run.process.send("?")
    try run.wait("help over the picture") { screen in
      screen.contains("Keys") && picture(run).map { $0 != shown && $0.psnr(shown) < 30 } == true
    }
    run.process.press(.escape)
    try run.wait("the whole picture") { _ in picture(run) == shown }
    run.quit()
    run.expectRestored()
    // Those that move have fewer colours.
    let moving = try self.run(["--pixels", "sixel"], [.sixel], name: nil)
    try moving.wait("few colours") { _ in
      guard let shown = picture(moving), shown.bytes.contains(where: { $0 > 0 }) else { return false }
      return Set(stride(from: 0, to: shown.bytes.count, by: 3).map { Array(shown.bytes[$0..<$0 + 3]) }).count <= 49
    }
    moving.quit()
  }

  /// xterm scrolls after sixels in the last row.
  @Test func sixelsLeaveOutTheLastRow() throws {
    let run = try run(["--paused", "--pixels", "sixel", "--gravity", "stretch"], [.sixel], name: nil)
    try run.wait("the frame") { _ in run.process.imageCount > 0 }
    run.process.send("y")
    try run.wait("cells in the last row") { screen in
      (0..<screen.columns).count { screen.shownColors(column: $0, row: 20).background != RGB(0, 0, 0) } > 32
    }
    try run.waitUntilStill()
    let last = try #require(run.process.picture(column: 0, row: 20, columns: 64, rows: 1))
    #expect(last.bytes.allSatisfy { $0 == 0 })
    let above = try #require(run.process.picture(column: 0, row: 0, columns: 64, rows: 20))
    #expect(above.bytes.count { $0 > 0 } > above.bytes.count / 4)
    try run.quitAndCompare()
  }

  @Test func inlineImagesAreExactAtRest() throws {
    let (first, second) = (try frame(), try frame(1))
    let run = try run(["--paused", "--pixels", "iterm"], [.iterm], name: "iTerm2 3.5.0")
    try run.wait("the first frame") { _ in picture(run) == first }
    run.process.send(".")
    try run.wait("the second one") { _ in picture(run) == second }
    #expect(run.process.imageFaults == [])
    run.quit()
    run.expectRestored()
  }

  @Test(arguments: ["kitty", "sixel", "iterm"]) func framesFollowEachOther(protocol name: String) throws {
    let run = try run(["--pixels", name], [.kitty, .sixel, .iterm])
    try run.wait("it moves") { _ in run.process.imageCount > 8 }
    try run.process.resize(columns: 50, rows: 16)
    let count = run.process.imageCount
    try run.wait("it moves in the new size") { _ in run.process.imageCount > count + 4 }
    #expect(run.process.imageFaults == [])
    run.quit()
    run.expectRestored()
    #expect(name != "kitty" || !run.process.showsImages)
  }

  @Test func crashesRemoveImages() throws {
    let run = try run(["--pixels", "auto"], [.kitty])
    try run.wait("it moves") { _ in run.process.imageCount > 3 && run.process.showsImages }
    run.process.signal(SIGSEGV)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .killed(signal: SIGSEGV))
    run.expectRestored()
    #expect(!run.process.showsImages)
  }

  @Test func whatAKilledRunLeftIsRemoved() throws {
    // No process has this number.
    let abandoned = "/dev/shm/tty-graphics-protocol-quadrille-\(Int32.max - 1)-7"
    #expect(FileManager.default.createFile(atPath: abandoned, contents: Data([1])))
    let run = try run(["--paused", "--pixels", "auto"], [.kitty])
    try run.wait("removed") { _ in !FileManager.default.fileExists(atPath: abandoned) }
    run.quit()
  }

  @Test func theKeyGoesToPixelsLastAndIsRemembered() throws {
    let folder = try TemporaryFolder()
    let first = try run(["--paused"], [.kitty], name: "kitty(0.35.0)") { $0.environment["XDG_STATE_HOME"] = folder.path }
    try first.waitUntilPaused()
    #expect(!first.process.showsImages)
    for words in ["blocks:", "sextants:", "pixels, by kitty's"] {
      first.process.send("B")
      try first.wait("says \(words)") { $0.contains(words) }
    }
    let frame = try frame()
    try first.wait("pixels") { _ in picture(first) == frame }
    let path = folder.path("quadrille/cells")
    let isKept = { (try? String(contentsOfFile: path, encoding: .utf8)) == "pixels\n" }
    try first.wait("written") { _ in isKept() }
    first.process.send("B")
    try first.wait("half blocks") { $0.contains("half blocks:") && !first.process.showsImages }
    first.process.send("BBB")
    try first.wait("pixels, and written") { _ in picture(first) == frame && isKept() }
    try first.quitAndCompare()
    let second = try run(["--paused"], [.kitty]) { $0.environment["XDG_STATE_HOME"] = folder.path }
    try second.wait("pixels again") { _ in picture(second) == frame }
    second.quit()
    // What was chosen by key does not burden a remote link.
    let remote = try run(["--paused"], [.kitty]) {
      $0.environment["XDG_STATE_HOME"] = folder.path
      $0.environment["SSH_CONNECTION"] = "10.0.0.1 5 10.0.0.2 22"
    }
    try remote.waitUntilPaused()
    #expect(!remote.process.showsImages)
    remote.quit()
  }

  /// On a slow link, a moving frame has less detail, and a still one becomes exact.
  @Test func slowLinksShowLessDetailFirst() throws {
    let run = try run(["--pixels", "kitty"], [.kitty]) {
      $0.environment["SSH_CONNECTION"] = "10.0.0.1 5 10.0.0.2 22"
      $0.setLink(bytesPerSecond: 400_000, roundTrip: 0.04, buffer: 16 << 10)
    }
    try run.wait("it moves") { _ in run.process.imageCount > 12 }
    run.process.send("p")
    try run.waitUntilPaused()
    let number = try #require(run.numbersShown.first)
    let frame = try frame(number)
    try run.wait("frame \(number), exactly") { _ in picture(run) == frame }
    #expect(run.process.imageFaults == [])
    run.quit()
  }

  @Test func panesAndSubtitlesStayReadable() throws {
    for (name, kinds) in [("kitty", [.kitty]), ("sixel", [.sixel])] as [(String, Set<Kind>)] {
      let run = try run(["--paused", "--pixels", name, "--info"], kinds, clips: [clip(), clip()])
      try run.wait("two pictures and figures") { _ in run.process.imageCount >= 2 && run.screen.contains("round trip") }
      #expect(run.process.imageFaults == [])
      try run.quitAndCompare()
      run.expectRestored()
    }
  }
}
