import CellGraphics
import Playback
import Terminal

/// What the mouse does.
extension PlayerProgram {
  func handle(_ mouse: MouseEvent) {
    if case .release = mouse.kind {
      barDrag = nil
      return
    }
    if case .drag = mouse.kind, let pane = barDrag {
      scrub(pane, isDrag: true)
      return seekBar(of: pane, column: mouse.column)
    }
    guard let pane = visiblePanes.first(where: { $0.geometry?.rect.contains(x: mouse.column, y: mouse.row) ?? false }),
      let index = panes.firstIndex(where: { $0 === pane })
    else { return }
    switch mouse.kind {
    case .press(.left):
      focusPane(index)
      if let bar = pane.barRow?.track, bar.contains(x: mouse.column, y: mouse.row) {
        barDrag = pane
        scrub(pane, isDrag: false)
        seekBar(of: pane, column: mouse.column)
      }
    case .wheelUp, .wheelDown:
      focusPane(index)
      perform(.seek(mouse.kind == .wheelUp ? 1 : -1))
    default:
      break
    }
  }

  private func seekBar(of pane: Pane, column: Int) {
    guard let bar = pane.barRow?.track, pane.length.isNumeric else { return }
    let fraction = ProgressBar(width: bar.width, played: 0).position(ofColumn: column - bar.x)
    let target = pane.length * fraction
    let before = pane.player.currentTime()
    chromeChanged()
    // Linked panes move by as much as the dragged one.
    let linked = isLinked ? panes.filter { $0.error == nil } : [pane]
    willMove(linked)
    if areAligned(linked) { return seek(alignedTargets(leader: pane, time: target)) }
    seek(linked.map { other in
      (other, other === pane ? target : other.player.currentTime() + (target - before))
    })
  }
}
