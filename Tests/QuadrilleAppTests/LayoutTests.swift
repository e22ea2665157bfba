import CellGraphics
import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct LayoutTests {
  private static let shapes: [Double] = [16.0 / 9, 4.0 / 3, 9.0 / 16, 1, 2.39, 0.3, 12]

  private func frames(
    _ aspects: [Double], _ width: Int, _ height: Int, _ style: LayoutStyle = .auto, cell: Double = 0.5
  ) -> [CellRect] {
    Layout.panes(
      aspects: aspects, area: CellRect(x: 0, y: 0, width: width, height: height), cellAspect: cell,
      style: style
    ).map(\.rect)
  }

  /// Cells that each frame covers, worked out from what a pane is: a title above, a bar below.
  private func covered(_ frames: [CellRect], _ aspects: [Double], cell: Double = 0.5) -> [Double] {
    zip(frames, aspects).map { frame, aspect in
      let width = Double(frame.width)
      let height = Double(frame.height - 2)
      let shape = aspect / cell
      return min(width * width / shape, height * height * shape)
    }
  }

  /// Returns true if no frame is tiny beside the others.
  private func isFair(_ areas: [Double]) -> Bool {
    guard let least = areas.min(), let most = areas.max() else { return false }
    return least >= 0.4 * most
  }

  @Test(arguments: 1...4) func panesLieInsideAndApart(count: Int) {
    var state: UInt64 = 7
    func random(_ range: ClosedRange<Int>) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + Int((state >> 33) % UInt64(range.count))
    }
    for _ in 0..<400 {
      let (width, height) = (random(1...250), random(1...80))
      let aspects = (0..<count).map { _ in Self.shapes[random(0...Self.shapes.count - 1)] }
      for style in LayoutStyle.allCases {
        let area = CellRect(x: 3, y: 2, width: width, height: height)
        let result = Layout.panes(aspects: aspects, area: area, cellAspect: 0.5, style: style).map(\.rect)
        guard !result.isEmpty else { continue }
        #expect(result.count == count)
        for (i, frame) in result.enumerated() {
          #expect(frame.intersection(area) == frame)
          #expect(frame.width >= Layout.minPaneSize.width && frame.height >= Layout.minPaneSize.height)
          for other in result[(i + 1)...] { #expect(frame.intersection(other).isEmpty) }
        }
        // Nothing is left over but the columns between panes.
        let cells = result.reduce(0) { $0 + $1.width * $1.height }
        #expect(cells <= width * height && cells >= (width - (count - 1)) * height)
      }
    }
  }

  @Test func onePaneTakesAll() {
    #expect(frames([1.5], 80, 23) == [CellRect(x: 0, y: 0, width: 80, height: 23)])
  }

  @Test func fourEqualPanesStandTwoByTwo() {
    let result = frames(Array(repeating: 16.0 / 9, count: 4), 201, 56)
    #expect(result.map(\.x) == [0, 101, 0, 101] && result.map(\.y) == [0, 0, 28, 28])
    #expect(result.allSatisfy { $0.width == 100 && $0.height == 28 })
  }

  @Test func clipsOfOneShapeGetBoxesOfOneSize() {
    let cases: [(aspects: [Double], alike: [Int])] = [
      ([16.0 / 9, 16.0 / 9], [0, 1]), ([16.0 / 9, 854.0 / 480], [0, 1]), ([1.78, 1.78, 1.78], [0, 1, 2]),
      ([1.78, 0.56, 1.78], [0, 2]), ([1.78, 1.78, 1.78, 1.78], [0, 1, 2, 3]), ([2.39, 1.78, 1.78, 0.56], [1, 2]),
    ]
    for (aspects, alike) in cases {
      for (width, height) in [(80, 23), (120, 35), (200, 55), (201, 56), (133, 41)] {
        for style in LayoutStyle.allCases {
          let panes = Layout.panes(
            aspects: aspects, area: CellRect(x: 0, y: 0, width: width, height: height), cellAspect: 0.5, style: style)
          guard !panes.isEmpty else { continue }
          #expect(Set(alike.map { panes[$0].box.size }).count == 1, "\(aspects) in \(width)×\(height), \(style)")
          for pane in panes { #expect(pane.box.intersection(pane.body) == pane.box) }
          // Side by side they stand at one height.
          for i in alike {
            for j in alike where panes[i].rect.y == panes[j].rect.y && panes[i].rect.height == panes[j].rect.height {
              #expect(panes[i].box.y == panes[j].box.y)
            }
          }
        }
      }
    }
  }

  /// Cameras of one kind may differ by some lines.
  @Test func framesOfNearlyOneShapeAreAlikeToThePixel() {
    let aspects = [1080.0 / 1920, 1088.0 / 1920, 1080.0 / 1920, 1088.0 / 1920]
    for (width, height) in [(80, 23), (120, 35), (200, 55), (133, 41)] {
      for style in LayoutStyle.allCases {
        let panes = Layout.panes(
          aspects: aspects, area: CellRect(x: 0, y: 0, width: width, height: height), cellAspect: 0.5, style: style)
        guard let box = panes.first?.box.size else { continue }
        #expect(panes.allSatisfy { $0.box.size == box && $0.isFilled }, "\(width)×\(height), \(style)")
        // Half a cell is a pixel.
        let body = panes[0].body
        let fitted: Double = min(Double(body.width), Double(2 * body.height) * aspects[0])
        #expect(abs(Double(box.width) - fitted) <= 2)
        #expect(abs(Double(2 * box.height) - fitted / aspects[0]) <= 4)
      }
    }
    // Equal shapes need no stretching.
    let equal = Layout.panes(aspects: [0.5625, 0.5625], area: CellRect(x: 0, y: 0, width: 80, height: 23), cellAspect: 0.5, style: .auto)
    #expect(equal.count == 2 && !equal.contains(where: \.isFilled))
  }

  @Test func noFrameIsLostInItsPane() {
    let (wide, upright): (Double, Double) = (16 / 9, 9 / 16)
    for aspects in [[wide, upright], [wide, upright, upright], [upright, upright, upright, wide]] {
      for (width, height) in [(80, 23), (120, 35), (200, 55)] {
        let rects = frames(aspects, width, height)
        for (rect, area) in zip(rects, covered(rects, aspects)) {
          #expect(area > 0.4 * Double(rect.width * (rect.height - 2)), "\(aspects) in \(width)×\(height)")
        }
      }
    }
  }

  @Test func framesThatFillLeaveNothingBlack() {
    let aspects = Array(repeating: 16.0 / 9, count: 4)
    let area = CellRect(x: 0, y: 0, width: 200, height: 55)
    let fitted = Layout.panes(aspects: aspects, area: area, cellAspect: 0.5, style: .grid)
    #expect(fitted.contains { $0.box != $0.body } && Set(fitted.map(\.box.size)).count == 1)
    let filled = Layout.panes(aspects: aspects, area: area, cellAspect: 0.5, style: .grid, filling: [0, 1, 2, 3])
    #expect(filled.count == 4 && filled.allSatisfy { $0.box == $0.body })
  }

  /// Whatever a division leaves over.
  @Test func barsOfPanesSideBySideBeginAlike() {
    for width in 60..<130 {
      let panes = Layout.panes(
        aspects: [16.0 / 9, 16.0 / 9], area: CellRect(x: 0, y: 0, width: width, height: 27), cellAspect: 0.5, style: .row)
      let bars = panes.compactMap { PaneBar($0, length: MediaTime(value: 20, timescale: 1), frameCount: 600) }
      #expect(bars.count == 2 && Set(bars.map(\.field.columns)).count == 1, "\(width) columns")
    }
  }

  @Test func framesWithoutChromeDoNotTouch() {
    for (width, height) in [(80, 24), (61, 33), (200, 56)] {
      let panes = Layout.panes(
        aspects: [16.0 / 9, 16.0 / 9, 2.4], area: CellRect(x: 0, y: 0, width: width, height: height), cellAspect: 0.5,
        style: .column, chrome: .none)
      #expect(panes.count == 3 && panes[1].rect.y == panes[0].rect.maxY + 1 && panes[2].rect.y == panes[1].rect.maxY + 1)
      #expect(panes[2].rect.maxY <= height)
    }
  }

  @Test func placesAreChosenByArea() {
    // Two wide ones above each other beside the upright one, though that changes their order.
    let aspects = [16.0 / 9, 9.0 / 16, 16.0 / 9]
    let panes = frames(aspects, 120, 35)
    #expect(panes[0].x == panes[2].x && panes[1].x != panes[0].x)
    let areas = covered(panes, aspects)
    let inOrder = covered(frames(aspects, 120, 35, .row), aspects)
    #expect(areas[0] > 1.8 * inOrder[0])
  }

  @Test func shapesDecide() {
    // Upright frames stand side by side, wide ones one below the other.
    let upright = frames([0.5, 0.5], 100, 40)
    #expect(Set(upright.map(\.y)) == [0])
    let wide = frames([4, 4], 100, 40)
    #expect(Set(wide.map(\.x)) == [0])
    // Where the cells are square, the same screen is another shape.
    #expect(Set(frames([1, 1], 40, 60, cell: 1).map(\.x)) == [0])
  }

  @Test func stylesAreKept() {
    let aspects = Array(repeating: 16.0 / 9, count: 4)
    #expect(Set(frames(aspects, 120, 40, .row).map(\.y)) == [0])
    #expect(Set(frames(aspects, 120, 40, .column).map(\.x)) == [0])
    #expect(Set(frames(aspects, 120, 40, .grid).map(\.y)).count == 2)
    #expect(frames(Array(aspects.prefix(3)), 120, 40, .grid).map(\.y).filter { $0 > 0 }.count == 1)
    #expect(Set(frames(Array(aspects.prefix(2)), 120, 40, .grid).map(\.y)) == [0])
  }

  @Test func autoIsAsGoodAsAnyOtherThatIsFair() {
    for aspects in [[1.78, 0.56], [1.78, 1.33, 2.39], [0.56, 0.56, 0.56, 1.78], [1, 1, 1]] {
      for (width, height) in [(80, 24), (200, 56), (60, 60), (120, 20)] {
        let best = covered(frames(aspects, width, height), aspects)
        for style in [LayoutStyle.row, .column, .grid] {
          let other = covered(frames(aspects, width, height, style), aspects)
          guard isFair(other) else { continue }
          // Even panes and rows are preferred to ones that win by a hair.
          let sums = (best.reduce(0, +), other.reduce(0, +))
          #expect(sums.0 * 1.09 >= sums.1, "\(aspects) in \(width)×\(height): \(sums) for \(style)")
        }
      }
    }
  }

  @Test func leastSizes() {
    #expect(frames([1.78], 8, 4).count == 1)
    #expect(frames([1.78], 7, 4).isEmpty && frames([1.78], 8, 3).isEmpty && frames([1.78], 1, 1).isEmpty)
    #expect(frames([1.78, 1.78], 17, 4).count == 2)
    #expect(frames([1.78, 1.78], 16, 7).isEmpty)
    #expect(frames([1.78, 1.78], 8, 8).count == 2)
    #expect(frames([], 80, 24).isEmpty && frames([1], 0, 0).isEmpty)
  }

  @Test func absurdShapesDoNoHarm() {
    for aspect in [0, -1, .nan, .infinity, 1e-300, 1e300] {
      #expect(frames([aspect, 1.78], 100, 30).count == 2)
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct PaneGeometryTests {
  @Test func partsAddUp() {
    for height in 0...8 {
      let frame = CellRect(x: 5, y: 7, width: 20, height: height)
      let geometry = PaneGeometry(rect: frame)
      #expect(geometry.title.height + geometry.body.height + geometry.bar.height == height)
      #expect(geometry.title.y == 7 && geometry.body.y == geometry.title.maxY)
      #expect(geometry.bar.maxY == frame.maxY)
    }
    let usual = PaneGeometry(rect: CellRect(x: 0, y: 0, width: 64, height: 20))
    #expect(usual.title == CellRect(x: 0, y: 0, width: 64, height: 1))
    #expect(usual.body == CellRect(x: 0, y: 1, width: 64, height: 18))
    #expect(usual.bar == CellRect(x: 0, y: 19, width: 64, height: 1))
  }
}
