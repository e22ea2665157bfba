import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Frames in finer cells than half blocks, in a terminal.
@Suite(.timeLimit(.minutes(20))) struct CellTests {
  /// Slanted edges of two colours, which stand still.
  private func edges() throws -> String {
    try SampleMedia.clip(
      name: "edges.mp4",
      arguments: [
        "-f", "lavfi", "-i", "color=black:s=640x360:r=10:d=4,geq=lum='if(lt(mod(X*2+Y,160),80),40,210)':cb=128:cr=128",
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
      ])
  }

  private func count(_ screen: EmulatorScreen, _ range: ClosedRange<UInt32>) -> Int {
    screen.cells.count { range.contains($0.code) }
  }

  private func halves(_ screen: EmulatorScreen) -> Int { count(screen, 0x2580...0x2580) + count(screen, 0x2584...0x2584) }
  private func quadrants(_ screen: EmulatorScreen) -> Int { count(screen, 0x2596...0x259F) }
  private func sextants(_ screen: EmulatorScreen) -> Int { count(screen, 0x1FB00...0x1FB3B) }
  private func octants(_ screen: EmulatorScreen) -> Int { count(screen, 0x1CD00...0x1CDE5) }

  private func run(_ arguments: [String], state: String? = nil, _ colors: String = "24bit") throws -> PlayerRun {
    try PlayerRun(["--paused", "--colors", colors] + arguments + [edges()], columns: 64, rows: 24) {
      if let state { $0.environment["XDG_STATE_HOME"] = state }
    }
  }

  @Test(arguments: ["24bit", "256"]) func eachKindShowsItsGlyphs(colors: String) throws {
    for (cells, shows) in [
      ("blocks", quadrants), ("sextants", sextants), ("octants", octants), ("all", octants),
    ] as [(String, (EmulatorScreen) -> Int)] {
      let run = try run(["--cells", cells], colors)
      try run.wait("\(cells) on the screen") { shows($0) > 20 && $0.contains("#0") }
      try run.quitAndCompare()
    }
  }

  @Test func halfBlocksAreTheDefault() throws {
    let run = try run([])
    try run.waitUntilPaused()
    #expect(halves(run.screen) > 20)
    #expect(quadrants(run.screen) + sextants(run.screen) + octants(run.screen) == 0)
    run.quit()
  }

  @Test func theKeyShowsFinerCellsAndIsRemembered() throws {
    let folder = try TemporaryFolder()
    let first = try run([], state: folder.path)
    try first.waitUntilPaused()
    first.process.send("B")
    try first.wait("blocks, and says so") { quadrants($0) > 20 && $0.contains("blocks: halves, quadrants") }
    first.process.send("B")
    try first.wait("half blocks") { quadrants($0) == 0 && halves($0) > 20 && $0.contains("half blocks: two") }
    first.process.send("B")
    try first.wait("blocks") { quadrants($0) > 20 }
    let path = folder.path("quadrille/cells")
    try first.wait("written") { _ in (try? String(contentsOfFile: path, encoding: .utf8)) == "blocks\n" }
    first.quit()
    let second = try run([], state: folder.path)
    try second.wait("blocks again") { quadrants($0) > 20 }
    // At 1:1, half a cell is a pixel of the clip.
    second.process.send("Z")
    try second.wait("half blocks alone") { $0.contains("1:1") && quadrants($0) == 0 && halves($0) > 20 }
    second.process.send("Y")
    try second.wait("blocks") { quadrants($0) > 20 }
    second.quit()
    let third = try run(["--cells", "half"], state: folder.path)
    try third.waitUntilPaused()
    #expect(quadrants(third.screen) == 0)
    third.quit()
  }

  @Test func comparisonsShowThemToo() throws {
    let run = try run(["--cells", "octants", "--compare", edges()])
    try run.wait("octants on both sides") { screen in
      let there = screen.cells.indices.filter { (0x1CD00...0x1CDE5).contains(screen.cells[$0].code) }.map { $0 % screen.columns }
      return there.count { $0 < 28 } > 10 && there.count { $0 > 36 } > 10
    }
    run.process.send("f")
    try run.wait("flicker") { octants($0) > 20 }
    run.process.send("d")
    try run.wait("no difference") { $0.contains("difference") && octants($0) == 0 }
    try run.quitAndCompare()
  }

  @Test func theTestScreenShowsAllGlyphs() throws {
    let run = try CommandRun(["cells", "--colors", "24bit"])
    #expect(run.status == .exited(0) && run.errors == "")
    for glyph in ["▀", "▟", "▎", "▇", "\u{1FB00}", "\u{1FB3B}", "\u{1CD00}", "\u{1CDE5}"] {
      #expect(run.output.contains(glyph))
    }
    #expect(run.output.contains("quadrille --cells NAME"))
    #expect(try CommandRun(["cells", "--colors", "16"]).status == .exited(64))
  }
}
