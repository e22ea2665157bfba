import CellGraphics
import Terminal
import Testing

@testable import QuadrilleApp

/// Choices over a pane.
@Suite(.timeLimit(.minutes(20))) struct StoryPanelTests {
  private func panel(isFocused: Bool = true) -> StoryPanel {
    StoryPanel(
      rows: [
        .init(number: 1, label: "Climb the stairs"), .init(number: 2, label: "Swim out", isChosen: true),
        .init(number: 4, label: "Look for a lamp", isPointed: true),
      ], secondsLeft: 3.2, share: 0.5, isFocused: isFocused)
  }

  private func screen(_ panel: StoryPanel, columns: Int, rows: Int, depth: ColorDepth = .trueColor, glyphSet: GlyphSet = .unicode) throws
    -> DrawnScreen
  {
    let all = CellRect(x: 0, y: 0, width: columns, height: rows)
    var pane = PaneModel(number: 1, clip: .init(title: "story", path: "story.yaml"))
    pane.view.geometry = PaneGeometry(rect: all, chrome: .none)
    pane.story = panel
    var model = ScreenModel()
    model.panes = [pane]
    model.paneCount = 1
    return try DrawnScreen(model, columns: columns, rows: rows, depth: depth, glyphSet: glyphSet)
  }

  @Test func theChoicesTheTimeAndTheKeys() throws {
    let drawn = try screen(panel(), columns: 80, rows: 24)
    #expect(drawn.contains(" 1   Climb the stairs ") && drawn.contains(" 2 • Swim out ") && drawn.contains(" 4   Look for a lamp "))
    #expect(drawn.contains("━─") && drawn.contains(" 4 s") && drawn.contains("1-4 or ↑↓ enter: choose   u: back"))
    let plain = try screen(panel(), columns: 80, rows: 24, depth: .mono, glyphSet: .ascii)
    #expect(plain.contains(">4   Look for a lamp") && plain.contains(" 2 * Swim out") && plain.contains("=-"))
    #expect(!(try screen(panel(isFocused: false), columns: 80, rows: 24)).contains("enter"))
  }

  @Test func itFitsAndItsRowsAreFound() {
    for width in 1...60 {
      for height in 1...12 {
        let area = CellRect(x: 3, y: 2, width: width, height: height)
        guard let place = panel().place(in: area) else {
          #expect(width < 8)
          continue
        }
        #expect(area.intersection(place.rect) == place.rect && place.rowCount == min(3, height))
        #expect(place.row(x: place.rect.x, y: place.rect.y + place.rowCount - 1) == place.rowCount - 1)
        #expect(place.row(x: place.rect.x, y: place.rect.y + place.rowCount) == nil)
      }
    }
  }
}
