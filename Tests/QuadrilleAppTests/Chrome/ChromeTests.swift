import CellGraphics
import Pixels
import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ChromeTests {
  @Test func wrapping() {
    #expect(ChromePainter.wrapped("", width: 10) == [])
    #expect(ChromePainter.wrapped("one two three", width: 20) == ["one two three"])
    #expect(ChromePainter.wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(ChromePainter.wrapped("one  two", width: 3) == ["one", "two"])
    #expect(ChromePainter.wrapped("界界 界", width: 4) == ["界界", "界"])
  }

  @Test func wrappingBreaksWordsThatAreTooLong() {
    let lines = ChromePainter.wrapped("no such-long-word here", width: 6)
    #expect(lines.allSatisfy { $0.columns <= 6 })
    #expect(lines.joined().description.filter { $0 != " " } == "nosuch-long-wordhere")
    #expect(!ChromePainter.wrapped("界", width: 1).isEmpty)
  }

  @Test func signsAreOneColumnWide() {
    for glyphs in GlyphSet.allCases {
      for depth in ColorDepth.allCases {
        let theme = ChromeTheme(depth: depth, glyphSet: glyphs)
        let states: [PaneModel.State] = [.playing, .reversing, .paused, .waiting(.opening), .ended, .failed("why")]
        let signs = states.map(theme.sign)
        #expect(signs.allSatisfy { $0.columns == 1 } && Set(signs).count == 6)
        if glyphs == .ascii { #expect(signs.allSatisfy { $0.description.unicodeScalars.allSatisfy(\.isASCII) }) }
      }
    }
  }

  @Test func rates() {
    #expect(PaneText.rate(1) == "×1.00" && PaneText.rate(0.05) == "×0.05" && PaneText.rate(16) == "×16.00")
    #expect(PaneText.rate(1.1) == "×1.10" && PaneText.rate(1.1 * 1.1 * 1.1) == "×1.33")
  }

  @Test func figures() {
    #expect(
      PaneText.decimal(30) == "30" && PaneText.decimal(29.97) == "29.97" && PaneText.decimal(2.5) == "2.5")
    #expect(PaneText.decimal(0.05) == "0.05" && PaneText.decimal(0) == "0" && PaneText.decimal(9.999) == "10")
    #expect(
      PaneText.size(999) == "999 " && PaneText.size(1000) == "1 k" && PaneText.size(2_340_000) == "2.3 M")
    #expect(PaneText.milliseconds(1_500_000) == "1.5")
  }

  @Test func whatGoesToTheTerminalIsCountedForASecond() {
    var meter = LinkMeter()
    var update = EncodeResult()
    (update.bytes, update.loss.cells) = (5000, 100)
    #expect(meter.psnr.percentile(50) == nil && meter.rates.percentile(50) == nil)
    meter.add(update, at: 10_000_000_000)
    // The second is at 20 dB; both together have half as much noise.
    update.loss.squaredError = 65025 * 6
    meter.add(update, at: 10_500_000_000)
    meter.roll(at: 12_000_000_000)
    let figures = meter.figures(roundTrip: nil)
    #expect(figures.bytesPerSecond == 5000 && figures.updatesPerSecond == 1 && figures.bytesPerUpdate == 5000)
    #expect(abs(figures.psnr - 23.01) < 0.01)
    #expect(meter.psnr.percentile(5) == 20 && meter.psnr.percentile(100) == 60 && meter.count == 2)
    #expect(abs((meter.updateBytes.percentile(50) ?? 0) / 5000 - 1) < 0.011)
    // Ten thousand bytes in two seconds are no second's rate.
    #expect(meter.rates.percentile(50) == nil)
    meter.roll(at: 20_000_000_000)
    #expect(meter.figures(roundTrip: 5) == LinkFigures(roundTrip: 5))
  }
}
