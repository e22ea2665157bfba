import CellGraphics
import Playback
import Foundation
import Terminal
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct CellStyleTests {
  private func terminal(
    _ shapes: CellShapes?, depth: ColorDepth = .trueColor, codeset: String = "UTF-8"
  ) throws -> TerminalCapabilities {
    var terminal = TerminalCapabilities(
      environment: [:], terminfo: try TerminfoEntry.load("xterm-256color"), requestedDepth: depth, codeset: codeset)
    terminal.cellShapes = shapes
    return terminal
  }

  /// The styles that the key goes through, from half blocks until these come again.
  private func cycle(_ terminal: TerminalCapabilities) -> [CellStyle] {
    var styles: [CellStyle] = []
    var style = CellStyle.half
    while let next = style.next(in: terminal), styles.last != .half, styles.count < 9 {
      styles.append(next)
      style = next
    }
    return styles
  }

  @Test func theKeyGoesThroughWhatTheTerminalHas() throws {
    #expect(cycle(try terminal(.blocks)) == [.blocks, .half])
    #expect(cycle(try terminal(.sextants)) == [.blocks, .sextants, .half])
    #expect(cycle(try terminal(.all)) == [.blocks, .sextants, .octants, .all, .half])
    #expect(cycle(try terminal(nil)) == [])
    #expect(cycle(try terminal(.all, codeset: "ISO-8859-1")) == [])
    #expect(cycle(try terminal(.all, depth: .ansi16)) == [])
  }

  @Test func autoTakesTheFinest() throws {
    for shapes in [CellShapes.blocks, .sextants, .all] {
      let terminal = try terminal(shapes)
      #expect(CellStyle.auto.shapes(in: terminal) == shapes && CellStyle.half.shapes(in: terminal) == nil)
    }
    #expect(CellStyle.auto.shapes(in: try terminal(nil)) == nil)
    // From where the terminal is.
    #expect(CellStyle.auto.next(in: try terminal(.sextants)) == .half)
    // What is asked for by name is shown, even if nobody knows whether the terminal has it.
    #expect(CellStyle.octants.shapes(in: try terminal(.blocks)) == .octants)
    #expect(CellStyle.octants.next(in: try terminal(.blocks)) == .half)
    #expect(CellStyle.blocks.shapes(in: try terminal(.all, depth: .palette256)) == .blocks)
    #expect(CellStyle.all.shapes(in: try terminal(.all, depth: .mono)) == nil)
  }

  @Test func theChoiceIsKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state/cells")
    #expect(CellStyleFile(path: path).style == nil)
    CellStyleFile(path: path).write(.octants)
    #expect(CellStyleFile(path: path).style == .octants)
    try "tiny\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(CellStyleFile(path: path).style == nil && CellStyleFile(path: nil).style == nil)
  }
}
