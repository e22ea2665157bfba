import CellGraphics
import Terminal
import Testing

@testable import QuadrilleApp

/// A list over a pane: where it lies, what is seen of it, and what can be chosen.
@Suite(.timeLimit(.minutes(20))) struct ListPanelTests {
  private func panel(_ kinds: [ListPanel.Row.Kind], selected: Int, width: Int = 10) -> ListPanel {
    ListPanel(
      title: "list", rows: kinds.map { .init(text: TerminalText(String(repeating: "x", count: width)), kind: $0) },
      selected: selected)
  }

  private let area = CellRect(x: 40, y: 10, width: 60, height: 20)

  @Test func itIsAsLargeAsItNeedsAndInTheMiddle() throws {
    let place = try #require(panel([.choice, .choice], selected: 0).place(in: area))
    #expect(place.rect == CellRect(x: 62, y: 18, width: 15, height: 4) && place.rows == 0..<2 && place.hasFrame)
    #expect(place.row(x: 62, y: 19) == 0 && place.row(x: 76, y: 20) == 1)
    #expect(place.row(x: 63, y: 18) == nil && place.row(x: 63, y: 21) == nil && place.row(x: 61, y: 19) == nil)
  }

  @Test func whatIsSelectedIsSeen() throws {
    for selected in 0..<100 {
      let place = try #require(panel(Array(repeating: .choice, count: 100), selected: selected).place(in: area))
      #expect(place.rect.height == 20 && place.rows.count == 18 && place.rows.contains(selected))
      #expect(place.rows.lowerBound >= 0 && place.rows.upperBound <= 100)
    }
  }

  /// A key takes the same time in any list.
  @Test func onlyRowsNearTheVisibleOnesAreMade() throws {
    final class Count: @unchecked Sendable { var made = 0 }  // Used on one thread.
    let count = Count()
    let rows = ListRows(count: 1_000_000, current: 500_000) { index in
      count.made += 1
      return ListPanel.Row(text: "\(index)", kind: index == 0 ? .heading : .choice)
    }
    var list = ListPanel(title: "list", rows: rows, selected: 500_000)
    #expect(try #require(list.place(in: area)).rows.contains(500_000))
    for (move, selected) in [(1, 500_001), (-17, 499_984), (1_000_000, 999_999), (-1_000_000, 1)] {
      list.selected = list.selection(movedBy: move)
      #expect(list.selected == selected)
    }
    #expect(count.made < 1000)
  }

  @Test func partsOfAListFollowEachOther() {
    let list = ListRows(["a"]) + ListRows(count: 3, current: 1) { "b\($0)" } + ListRows(["c"], current: 0)
    #expect(Array(list) == ["a", "b0", "b1", "b2", "c"] && list.current == 2)
    #expect(Array(list.converted { $0 + "!" }.suffix(2)) == ["b2!", "c!"])
  }

  @Test func withoutRoomThereIsNoFrameAndAtLastNothing() throws {
    let list = panel([.choice, .choice, .choice], selected: 2)
    let low = try #require(list.place(in: CellRect(x: 0, y: 0, width: 60, height: 2)))
    #expect(!low.hasFrame && low.rows == 1..<3)
    #expect(try #require(list.place(in: CellRect(x: 0, y: 0, width: 4, height: 9))).rect.width == 4)
    #expect(list.place(in: CellRect(x: 0, y: 0, width: 3, height: 9)) == nil)
    #expect(panel([], selected: 0).place(in: area) == nil)
  }

  @Test func headingsArePassedOver() {
    let list = panel([.heading, .current, .choice, .heading, .note, .choice, .heading], selected: 2)
    #expect(list.selection(movedBy: 1) == 5 && list.selection(movedBy: 9) == 5)
    #expect(list.selection(movedBy: -1) == 1 && list.selection(movedBy: -9) == 1)
    #expect(panel([.heading, .note], selected: 0).selection(movedBy: 1) == 0)
  }

  /// A screen of one pane with a list over it.
  private func screen(_ list: ListPanel) -> ScreenModel {
    var pane = PaneModel(number: 1, clip: .init(title: "film.mp4", path: "/a/film.mp4"))
    pane.view.geometry = PaneGeometry(rect: CellRect(x: 0, y: 0, width: 80, height: 24), chrome: .full)
    pane.view.isFocused = true
    var model = ScreenModel(panes: [pane], paneCount: 1)
    model.list = list
    return model
  }

  @Test(arguments: [ColorDepth.trueColor, .palette256, .ansi16, .ansi8, .mono])
  func whatIsSelectedAndWhatIsInForceIsSeen(depth: ColorDepth) throws {
    let list = ListPanel(
      title: "tracks",
      rows: [
        .init(text: "Video", kind: .heading), .init(text: "one", kind: .current), .init(text: "two"),
        .init(text: "three", kind: .note),
      ], selected: 2)
    let drawn = try DrawnScreen(screen(list), depth: depth)
    let place = try #require(list.place(in: CellRect(x: 0, y: 1, width: 80, height: 22)))
    let (x, y) = (place.rect.x + 1, place.rect.y + 1)
    #expect(drawn.contains("tracks") && drawn.contains("•one") && !drawn.contains("•two"))
    #expect(drawn.text(row: y).contains("Video"))
    #expect(drawn.style(column: x + 1, row: y + 2) == drawn.theme.focusedTitle)
    #expect(drawn.style(column: x + 1, row: y + 1) == drawn.theme.panel)
    #expect(drawn.text(row: y + 2).contains(">") == (depth <= .ansi8))
  }
}
