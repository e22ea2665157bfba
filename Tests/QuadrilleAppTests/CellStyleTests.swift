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
    #expect(CellStyleFile(path: path).choice == nil)
    for choice in [.cells(.octants), .pixels] as [CellStyleFile.Choice] {
      CellStyleFile(path: path).write(choice)
      #expect(CellStyleFile(path: path).choice == choice)
    }
    try "tiny\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(CellStyleFile(path: path).choice == nil && CellStyleFile(path: nil).choice == nil)
  }

  @Test func pixelsComeAfterTheFinestCells() throws {
    func words(_ graphics: TerminalGraphics, shapes: CellShapes?, hasPixels: Bool = true) throws -> [String] {
      var terminal = try terminal(shapes)
      terminal.graphics = graphics
      var style = FrameStyle(.init(), kept: nil, isRemote: false)
      return (0..<5).map { _ in style.advance(in: terminal, hasPixels: hasPixels).map { String("\($0)".prefix { $0 != ":" && $0 != "," }) } ?? "-" }
    }
    var kitty = TerminalGraphics()
    kitty.kittyMedia = [.direct]
    #expect(try words(kitty, shapes: .blocks) == ["blocks", "pixels", "half blocks", "blocks", "pixels"])
    #expect(try words(kitty, shapes: nil) == ["pixels", "half blocks", "pixels", "half blocks", "pixels"])
    #expect(try words(kitty, shapes: .blocks, hasPixels: false) == ["blocks", "half blocks", "blocks", "half blocks", "blocks"])
    #expect(try words(TerminalGraphics(), shapes: nil) == Array(repeating: "-", count: 5))
  }

  @Test func optionsComeBeforeWhatWasChosenAndThatBeforeSettings() {
    func style(_ kept: CellStyleFile.Choice?, _ change: (inout PlayOptions.TerminalOptions) -> Void = { _ in }) -> [String] {
      var options = PlayOptions.TerminalOptions()
      change(&options)
      let style = FrameStyle(options, kept: kept, isRemote: false)
      return [style.cells.rawValue, style.pixels.rawValue]
    }
    #expect(style(nil) == ["half", "off"])
    #expect(style(.pixels) == ["half", "auto"] && style(.cells(.octants)) == ["octants", "off"])
    #expect(style(nil) { $0.usualPixels = .sixel } == ["half", "sixel"])
    #expect(style(.cells(.half)) { $0.usualPixels = .sixel } == ["half", "off"])
    #expect(style(.pixels) { $0.cells = .blocks } == ["blocks", "off"])
    #expect(style(.cells(.blocks)) { $0.pixels = .kitty } == ["blocks", "kitty"])
    #expect(style(.pixels) { $0.pixels = .off } == ["half", "off"])
  }

  @Test func whatWasRequestedAndIsNotThereIsSaid() throws {
    func objection(
      _ terminal: TerminalCapabilities, hasPixels: Bool = true, isRemote: Bool = false, kept: CellStyleFile.Choice? = nil,
      _ change: (inout PlayOptions.TerminalOptions) -> Void
    ) -> String? {
      var options = PlayOptions.TerminalOptions()
      change(&options)
      return FrameStyle(options, kept: kept, isRemote: isRemote).objection(in: terminal, hasPixels: hasPixels).map { "\($0)" }
    }
    let plain = try terminal(.all), poor = try terminal(.all, depth: .ansi16)
    var tmux = plain, sixels = plain
    tmux.multiplexer = .tmux
    sixels.graphics.hasSixel = true
    let start = "frames are drawn with cells: "
    #expect(objection(plain) { $0.pixels = .auto } == start + "this terminal displays no images")
    #expect(objection(sixels, isRemote: true) { $0.pixels = .auto } == start + "--pixels auto is for terminals on this machine")
    #expect(objection(plain) { $0.pixels = .kitty } == start + "this terminal does not know kitty's protocol")
    #expect(objection(tmux) { $0.usualPixels = .kitty } == start + "tmux does not know kitty's protocol")
    #expect(objection(tmux) { $0.pixels = .sixel } == start + "tmux does not know sixels")
    #expect(objection(plain, hasPixels: false) { $0.pixels = .sixel } == start + "the size of a cell in pixels is not known")
    #expect(objection(poor) { $0.pixels = .sixel } == start + "pixels need 256 colours or more")
    #expect(objection(poor) { $0.cells = .all } == "frames are drawn with half blocks: other cells need 256 colours or more")
    // What is there, and what was not requested for this run.
    #expect(objection(sixels) { $0.pixels = .auto } == nil && objection(plain) { $0.pixels = .iterm } == nil)
    #expect(objection(plain) { $0.cells = .all } == nil && objection(poor) { $0.cells = .auto } == nil)
    #expect(objection(plain) { $0.usualPixels = .auto } == nil && objection(plain, kept: .pixels) { _ in } == nil)
    #expect(objection(poor) { $0.usualCells = .all } == nil && objection(plain) { $0.pixels = .off } == nil)
  }

  @Test func multiplexersGetSixelsOnlyIfTheyKnowThem() throws {
    var tmux = try terminal(.all)
    tmux.multiplexer = .tmux
    #expect(PixelStyle.sixel.format(in: tmux, isRemote: false) == nil && PixelStyle.iterm.format(in: tmux, isRemote: false) == nil)
    tmux.graphics.hasSixel = true
    #expect(PixelStyle.sixel.format(in: tmux, isRemote: false) == .sixel)
  }

  @Test func autoIsForTerminalsOnThisMachine() throws {
    var local = try terminal(.all)
    (local.graphics.hasSixel, local.graphics.kittyMedia) = (true, [.direct])
    #expect(PixelStyle.auto.format(in: local, isRemote: false) == .kitty && PixelStyle.auto.format(in: local, isRemote: true) == nil)
    #expect(PixelStyle.sixel.format(in: local, isRemote: true) == .sixel && PixelStyle.off.format(in: local, isRemote: false) == nil)
    var inside = local
    inside.multiplexer = .tmux
    #expect(PixelStyle.auto.format(in: inside, isRemote: false) == nil)
    // One that knows kitty's protocol would have said so; others may not be asked.
    let silent = try terminal(.all)
    #expect(PixelStyle.kitty.format(in: silent, isRemote: false) == nil && PixelStyle.iterm.format(in: silent, isRemote: false) == .iterm)
    // Panels need backgrounds.
    var plain = try terminal(.all, depth: .ansi16)
    plain.graphics = local.graphics
    #expect(PixelStyle.kitty.format(in: plain, isRemote: false) == nil)
  }
}
