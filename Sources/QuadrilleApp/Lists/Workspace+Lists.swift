import CellGraphics
import Playback
import Terminal

/// Lists over the focused pane.
extension Workspace {
  /// Opens or closes a list over the focused pane.
  func toggleList(_ list: PaneList) {
    guard panels.list?.kind != list else { return closeList() }
    guard let focused = panes.focused, focused.error == nil || list == .clips else { return }
    let entries = list.entries(of: focused)
    guard !entries.isEmpty else {
      return say(list == .clips || list == .events ? list.absence : focused.unknownTracks ?? list.absence)
    }
    let current = entries.current ?? entries.firstIndex { $0.action != nil } ?? 0
    panels.list = Panels.OpenList(kind: list, selected: current)
  }

  func closeList() { panels.list = nil }

  /// The open list, for drawing; nil if there is none.
  var listPanel: ListPanel? {
    guard let open = panels.list, let focused = panes.focused else { return nil }
    let rows = open.kind.entries(of: focused).converted { $0.row }
    guard !rows.isEmpty else { return nil }
    return ListPanel(title: open.kind.title, rows: rows, selected: min(open.selected, rows.count - 1))
  }

  /// Handles a key while a list is open.
  ///
  /// - Parameter command: The key's command outside the list.
  /// - Returns: True if the key was only for the list; otherwise the list has been closed.
  func steerList(_ stroke: KeyStroke, _ command: Command?) -> Bool {
    guard let panel = listPanel else {
      closeList()
      return false
    }
    let page = max(1, (panel.place(in: listArea)?.rows.count ?? 2) - 1)
    let opener = panels.list?.kind.command
    switch stroke.key {
    case .character("k") where stroke.modifiers.isEmpty && command != opener, .up: select(panel.selection(movedBy: -1))
    case .character("j") where stroke.modifiers.isEmpty && command != opener, .down: select(panel.selection(movedBy: 1))
    case .pageUp: select(panel.selection(movedBy: -page))
    case .pageDown: select(panel.selection(movedBy: page))
    case .home: select(panel.selection(movedBy: -panel.rows.count))
    case .end: select(panel.selection(movedBy: panel.rows.count))
    case .enter, .character(" "): choose(panel.selected)
    case .escape: closeList()
    case .delete where removeSelected(), .backspace where removeSelected(): break
    default:
      closeList()
      // Ctrl-C always quits.
      return command == opener || (command == .quit && stroke.modifiers.isDisjoint(with: .ctrl))
    }
    return true
  }

  /// Removes what the selected row stands for. Returns false if it cannot be removed.
  private func removeSelected() -> Bool {
    guard let open = panels.list, let focused = panes.focused else { return false }
    let entries = open.kind.entries(of: focused)
    guard entries.indices.contains(open.selected), let point = entries[open.selected].syncPoint else { return false }
    remove(point)
    return true
  }

  private func select(_ row: Int) { panels.list?.selected = row }

  /// Performs the action of a row and closes the list.
  private func choose(_ row: Int) {
    guard let open = panels.list, let focused = panes.focused else { return }
    let entries = open.kind.entries(of: focused)
    guard entries.indices.contains(row), let action = entries[row].action else { return }
    // Settings are often changed one after another.
    if case .compare(let change) = action { return self.change(change) }
    closeList()
    switch action {
    case .compare: break
    case .go(let time):
      alignment.willMove(panes.targets)
      transport.seek { _ in time }
    case .clip(let index):
      focused.clips.go(to: index)
      say(focused.clips.list.words)
    case .video(let track): say(focused.choose(video: track))
    case .sound(let track): say(focused.choose(sound: track))
    case .subtitles(let option): say(focused.subtitles.choose(option))
    }
  }

  /// The cells available to a list.
  var listArea: CellRect {
    panes.focused?.geometry?.body ?? CellRect(x: 0, y: 0, width: screen.metrics.columns, height: screen.metrics.rows)
  }

  /// Handles the mouse while a list is open. Returns true if the event was for the list.
  func steerList(_ mouse: MouseEvent) -> Bool {
    guard let panel = listPanel, let place = panel.place(in: listArea) else { return false }
    chrome.invalidateAtOnce()
    switch mouse.kind {
    case .press(.left):
      guard place.rect.contains(x: mouse.column, y: mouse.row) else {
        closeList()
        return false
      }
      if let row = place.row(x: mouse.column, y: mouse.row), panel.rows[row].canBeChosen { choose(row) }
      return true
    case .wheelUp, .wheelDown:
      select(panel.selection(movedBy: mouse.kind == .wheelUp ? -1 : 1))
      return true
    default: return place.rect.contains(x: mouse.column, y: mouse.row)
    }
  }
}
