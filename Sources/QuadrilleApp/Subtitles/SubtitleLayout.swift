import CellGraphics
import Playback
import Terminal

/// The placement of cues in a pane.
struct SubtitleLayout: Equatable {
  /// The cells of the frame.
  let frame: CellRect
  /// Maximum rows of all subtitles together: a third of the pane, if the frame has that many.
  let maxRows: Int
  /// Occupied rows at the bottom.
  let reserved: Int

  /// Minimum number of rows for a free row below the text.
  private static let spacious = 24
  /// Lines of fewer columns have no room for words.
  private static let minColumns = 14

  init(frame: CellRect, pane: CellRect, reserved: Int = 0) {
    self.frame = frame
    self.reserved = min(max(0, reserved), max(0, frame.height - 1))
    maxRows = max(1, min(pane.height / 3, frame.height - self.reserved))
  }

  /// The blocks to draw at a time. Cues without room are left out, signs before speech.
  ///
  /// - Parameter titles: Text that is part of a movie; it may cover the whole frame.
  func blocks(_ cues: [SubtitleCue], titles: [SubtitleCue] = [], at time: MediaTime = .zero) -> [SubtitleBlock] {
    var blocks: [SubtitleBlock] = []
    /// Returns the number of rows used.
    func add(_ cue: SubtitleCue, maxRows: Int) -> Int {
      let width = min(frame.width, max(Self.minColumns, Int((cue.placement.maxWidth * Double(frame.width)).rounded())))
      let rows = SubtitleText(cue).rows(width: width - 2, maxRows: maxRows)
      guard !rows.isEmpty, let rect = place(rows, cue.placement, beside: blocks.map(\.rect)) else { return 0 }
      blocks.append(
        SubtitleBlock(rect: rect, rows: rows, alignment: cue.placement.horizontal, opacity: SubtitleDisplay.opacity(of: cue, at: time)))
      return rows.count
    }
    func ordered(_ cues: [SubtitleCue]) -> [SubtitleCue] {
      cues.filter(\.placement.isUsual) + cues.filter { !$0.placement.isUsual }
    }
    for title in ordered(titles) { _ = add(title, maxRows: frame.height - reserved) }
    var room = maxRows
    for cue in ordered(cues) { room -= add(cue, maxRows: room) }
    return blocks
  }

  private func place(
    _ rows: [[SubtitleBlock.Run]], _ placement: SubtitlePlacement, beside others: [CellRect]
  ) -> CellRect? {
    let width = 2 + (rows.map { $0.reduce(0) { $0 + $1.text.columns } }.max() ?? 0)
    let height = rows.count
    let area = CellRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height - reserved)
    guard width <= area.width, height <= area.height else { return nil }
    let x = min(max(column(width, placement), area.x), area.maxX - width)
    let y = min(max(row(height, placement), area.y), area.maxY - height)
    let wanted = CellRect(x: x, y: y, width: width, height: height)
    return free(wanted, in: area, beside: others, downFirst: placement.vertical == .top)
  }

  private func column(_ width: Int, _ placement: SubtitlePlacement) -> Int {
    let side: Double = placement.horizontal == .left ? 0 : placement.horizontal == .center ? 0.5 : 1
    let at = Double(frame.x) + (placement.x ?? side) * Double(frame.width)
    return Int((at - side * Double(width)).rounded(.down))
  }

  private func row(_ height: Int, _ placement: SubtitlePlacement) -> Int {
    let margin = frame.height >= Self.spacious ? 1 : 0
    let side: Double = placement.vertical == .top ? 0 : placement.vertical == .middle ? 0.5 : 1
    switch placement.height {
    case .edge:
      let free = frame.height - reserved - height - 2 * margin
      return frame.y + margin + Int((side * Double(free)).rounded())
    case .fraction(let part):
      return frame.y + Int((part * Double(frame.height) - side * Double(height)).rounded())
    case .row(let number):
      // A file may have any value.
      let near = min(max(number, -frame.height), frame.height)
      return number >= 0 ? frame.y + near : frame.maxY - reserved + near + 1 - height
    }
  }

  /// The place nearest to the requested one that overlaps no other block.
  private func free(_ wanted: CellRect, in area: CellRect, beside others: [CellRect], downFirst: Bool) -> CellRect? {
    func moved(_ down: Bool) -> CellRect? {
      var rect = wanted
      while let other = others.first(where: { !$0.intersection(rect).isEmpty }) {
        rect = CellRect(
          x: rect.x, y: down ? other.maxY : other.y - rect.height, width: rect.width, height: rect.height)
      }
      return rect.y >= area.y && rect.maxY <= area.maxY ? rect : nil
    }
    return moved(downFirst) ?? moved(!downFirst)
  }
}

extension SubtitlePlacement {
  /// True if the cue is at the position of speech, or was moved to the top from there; signs have their own positions.
  fileprivate var isUsual: Bool {
    if case .fraction = height { return false }
    return x == nil && vertical != .middle
  }
}
