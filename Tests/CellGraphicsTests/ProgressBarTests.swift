import CellGraphics
import Testing

@Suite(.timeLimit(.minutes(20))) struct ProgressBarTests {
  func text(_ bar: ProgressBar, _ depth: ColorDepth = .mono, _ glyphSet: GlyphSet = .unicode) -> String {
    var text = ""
    for cell in bar.cells(style: .standard(depth: depth, glyphSet: glyphSet)) {
      text.unicodeScalars.append(Unicode.Scalar(cell.glyph) ?? "?")
    }
    return text
  }

  @Test func eighths() {
    let glyphs = Array(" ▏▎▍▌▋▊▉█")
    for eighths in 0...32 {
      let bar = ProgressBar(width: 4, played: Double(eighths) / 32)
      let wanted = (0..<4).map { String(glyphs[max(0, min(8, eighths - 8 * $0))]) }.joined()
      #expect(text(bar, .trueColor) == wanted)
    }
  }

  @Test func cachedMarksAndLoop() {
    let bar = ProgressBar(
      width: 10, played: 0.25, cached: [0.3...0.6, 0.95...2], marks: [0.1, 0.8, 1.0, 7], loop: 0.4...0.7)
    #expect(text(bar) == "█│▌▒[▒░]││")
    #expect(text(bar, .ansi8, .ascii) == "=|>-[-.]||")
    let style = ProgressBarStyle.standard(depth: .trueColor, glyphSet: .unicode)
    let cells = bar.cells(style: style)
    #expect(cells[0].foreground == style.played)
    #expect(cells[3].background == style.cached && cells[6].background == style.empty)
    #expect(cells[8].foreground == style.mark && cells[1].background == style.played)
    #expect(cells.allSatisfy { !$0.isImage })
  }

  @Test func markersHaveASignAndAColourOfTheirOwn() {
    let bar = ProgressBar(width: 8, played: 0.25, marks: [0.5], markers: [0.1, 0.5, 0.7, .nan, 7])
    #expect(text(bar) == "◆█░░│◆░░")
    #expect(text(bar, .ansi8, .ascii) == "*=..|*..")
    let style = ProgressBarStyle.standard(depth: .trueColor, glyphSet: .unicode)
    let cells = bar.cells(style: style)
    #expect(style.marker != style.mark && cells[5].foreground == style.marker && cells[4].foreground == style.mark)
    #expect(cells[0].background == style.played && cells[5].background == style.empty)
  }

  @Test func soundIsDrawnAsHeights() {
    let levels = [0, 0.01, 0.5, 1, .nan, 7]
    let bar = ProgressBar(width: 6, played: 0.5, marks: [0.7], levels: levels)
    let style = ProgressBarStyle.standard(depth: .trueColor, glyphSet: .unicode)
    #expect(text(bar, .trueColor) == " ▁▄█│█")
    let cells = bar.cells(style: style)
    #expect(cells[2].foreground == style.played && cells[3].foreground != style.played && cells[3].background == style.empty)
    // What has been played could not be told otherwise.
    let plain = ProgressBar(width: 6, played: 0.5, marks: [0.7])
    for (depth, glyphs) in [(ColorDepth.mono, GlyphSet.unicode), (.trueColor, .ascii)] {
      #expect(text(bar, depth, glyphs) == text(plain, depth, glyphs))
    }
    #expect(text(ProgressBar(width: 3, played: 1, levels: levels), .trueColor) == "███", "levels of another width")
  }

  @Test func oddInput() {
    for played in [Double.nan, -1, 2, .infinity, -.infinity] {
      for width in [-3, 0, 1, 2, 7] {
        let bar = ProgressBar(
          width: width, played: played, cached: [-1 ... -0.5, 0.5...0.5, 2...3], marks: [.nan, -0.1, 1],
          loop: -5...7)
        #expect(bar.cells(style: .standard(depth: .ansi16, glyphSet: .unicode)).count == max(0, width))
      }
    }
    #expect(text(ProgressBar(width: 3, played: 2), .trueColor) == "███")
    #expect(text(ProgressBar(width: 3, played: .nan), .trueColor) == "   ")
  }

  @Test func positionsOfColumns() {
    let bar = ProgressBar(width: 10, played: 0)
    #expect(bar.position(ofColumn: -1) == 0 && bar.position(ofColumn: 0) == 0)
    #expect(bar.position(ofColumn: 9) == 1 && bar.position(ofColumn: 30) == 1)
    #expect(abs(bar.position(ofColumn: 4) - 0.45) < 1e-9)
  }
}
