import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ScreenLayoutTests {
  private func space(_ count: Int, focus: Int = 0, columns: Int = 120, rows: Int = 36) -> ScreenLayout.Space {
    .init(columns: columns, rows: rows, cellAspect: 0.5, aspects: Array(repeating: 16.0 / 9, count: count), focus: focus)
  }

  @Test func severalPanesLeaveARowForTheStatus() throws {
    let result = ScreenLayout(style: .auto).result(in: space(3))
    #expect(result.hasStatusRow && result.placeholder == nil)
    for geometry in result.geometries {
      let geometry = try #require(geometry)
      #expect(geometry.rect.maxY <= 35 && geometry.title.height == 1 && geometry.bar.height == 1)
    }
  }

  @Test func oneClipHasTheScreenAndOneRowOfChrome() {
    let result = ScreenLayout(style: .auto).result(in: space(1))
    #expect(!result.hasStatusRow)
    #expect(result.geometries[0]?.rect.height == 36 && result.geometries[0]?.title.height == 0)
    #expect(result.geometries[0]?.bar.height == 1)
  }

  @Test func zoomShowsTheFocusedPaneAlone() {
    var layout = ScreenLayout(style: .row)
    layout.isZoomed = true
    let result = layout.result(in: space(3, focus: 1))
    #expect(result.geometries.map { $0 != nil } == [false, true, false])
    // It is one of several, and says which.
    #expect(!result.hasStatusRow && result.geometries[1]?.title.height == 1)
  }

  @Test func whereThereIsRoomForOneOnlyItIsTheFocusedOne() {
    let result = ScreenLayout(style: .auto).result(in: space(4, focus: 2, columns: 12, rows: 6))
    #expect(result.geometries.map { $0 != nil } == [false, false, true, false])
    #expect(result.placeholder == nil)
  }

  @Test func nothingToShowIsSaid() {
    let layout = ScreenLayout(style: .auto)
    #expect(layout.result(in: space(0)).placeholder == "No clip. o opens one, q quits.")
    let small = layout.result(in: space(2, columns: 7, rows: 4))
    #expect(small.placeholder == "window too small" && small.geometries == [nil, nil])
  }

  @Test func withoutChromeFramesHaveAllOfIt() {
    var layout = ScreenLayout(style: .row)
    layout.showsChrome = false
    let result = layout.result(in: space(2))
    #expect(!result.hasStatusRow)
    for geometry in result.geometries { #expect(geometry?.rect.height == 36 && geometry?.body == geometry?.rect) }
  }
}
