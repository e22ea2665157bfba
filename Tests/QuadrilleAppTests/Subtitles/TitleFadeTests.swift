import CellGraphics
import Playback
import Testing

@testable import QuadrilleApp

/// Text of a movie that comes and goes by degrees.
@Suite(.timeLimit(.minutes(20))) struct TitleFadeTests {
  private static func time(_ tenths: Int64) -> MediaTime { MediaTime(value: tenths, timescale: 10) }
  private static let all = CellRect(x: 0, y: 0, width: 40, height: 12)
  private static let mean = SubtitleStyle.Color(red: 200, green: 120, blue: 40)

  /// A title from 1 s to 5 s that takes a second to come and two to go.
  private static func item() throws -> PlayerItem {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: time(60)), of: Asset(path: "a"))
    movie.videoComposition.overlays = [
      CompositionOverlay(
        .text([SubtitleLine([SubtitleSpan("Title")])], SubtitlePlacement()), timeRange: TimeRange(start: time(10), end: time(50)),
        fadeIn: time(10), fadeOut: time(20))
    ]
    return PlayerItem(asset: Asset(composition: movie))
  }

  private static func blocks(_ display: inout SubtitleDisplay, _ tenths: Int64) throws -> [SubtitleBlock] {
    _ = display.update(try item().overlayText(at: time(tenths)), SubtitleLayout(frame: all, pane: all), at: time(tenths)) { _ in mean }
    return display.blocks
  }

  @Test func itChangesUntilItIsThereAndFromWhenItGoes() throws {
    let item = try Self.item()
    func opacity(_ tenths: Int64) -> [Double] { item.overlayText(at: Self.time(tenths)).map { $0.opacity(at: Self.time(tenths)) } }
    #expect(opacity(9) == [] && opacity(10) == [0] && opacity(15) == [0.5] && opacity(20) == [1] && opacity(30) == [1])
    #expect(opacity(40) == [0.5] && opacity(50) == [])
    func next(_ tenths: Int64) -> MediaTime? { item.nextOverlayTextChange(after: Self.time(tenths)) }
    let step = MediaTime(value: 1, timescale: 25)
    #expect(next(0) == Self.time(10) && next(10) == Self.time(10) + step && next(19) == Self.time(19) + step)
    #expect(next(20) == Self.time(30) && next(30) == Self.time(30) + step && next(50) == nil)
  }

  /// Letters and ground go over into the frame's colour.
  @Test func lettersAndGroundAreMixedWithTheFrame() throws {
    var display = SubtitleDisplay()
    var grounds: [Int] = [], contrasts: [Int] = []
    for tenths in [12, 15, 18, 25] as [Int64] {
      let drawn = try screen(Self.blocks(&display, tenths), .trueColor)
      let block = try #require(display.blocks.first)
      #expect(drawn.text(row: block.rect.y).contains("Title"))
      let style = drawn.style(column: block.rect.x + 1, row: block.rect.y)
      let (letters, ground) = (Self.red(style.foreground), Self.red(style.background))
      grounds.append(ground)
      contrasts.append(letters - ground)
    }
    #expect(zip(grounds, grounds.dropFirst()).allSatisfy { $0 > $1 }, "\(grounds)")
    #expect(zip(contrasts, contrasts.dropFirst()).allSatisfy { $0 < $1 } && contrasts[0] > 0, "\(contrasts)")
    #expect(grounds[3] + contrasts[3] == 238)
    // Nothing is seen at its very beginning.
    #expect(!(try screen(Self.blocks(&display, 10), .trueColor)).contains("Title"))
  }

  @Test(arguments: [ColorDepth.ansi16, .ansi8, .mono]) func withFewColorsItIsThereOnceItIsHalfThere(depth: ColorDepth) throws {
    var display = SubtitleDisplay()
    for (tenths, isSeen) in [(12, false), (14, false), (15, true), (30, true), (39, true), (42, false)] as [(Int64, Bool)] {
      #expect(try screen(Self.blocks(&display, tenths), depth).contains("Title") == isSeen, "\(tenths)")
    }
  }

  private static func red(_ color: CellColor) -> Int { Int(color.rawValue >> 16 & 255) }

  private func screen(_ blocks: [SubtitleBlock], _ depth: ColorDepth) throws -> DrawnScreen {
    var pane = PaneModel(number: 1, clip: .init(title: "movie", path: "movie.yaml"))
    pane.view.geometry = PaneGeometry(rect: Self.all, chrome: .none)
    pane.subtitles = blocks
    var model = ScreenModel()
    model.panes = [pane]
    model.paneCount = 1
    return try DrawnScreen(model, columns: 40, rows: 13, depth: depth)
  }
}
