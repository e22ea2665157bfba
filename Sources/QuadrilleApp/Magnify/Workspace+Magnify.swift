import Playback
import Terminal

/// Magnification of panes. Linked panes show the same part of the frame.
extension Workspace {
  /// The share of the visible part by which keys move it.
  private static let panStep = 1.0 / 8

  /// Shows the focused pane's frame larger or smaller by steps, after the largest the whole again.
  func magnify(by steps: Int) {
    guard let pane = panes.focused else { return }
    magnify(pane.view.magnification.factor(steps: steps, wraps: true), of: pane)
    sayMagnification(of: pane)
  }

  /// Shows the whole frame.
  func magnifyToFit() {
    guard let pane = panes.focused else { return }
    magnify(nil, of: pane)
    say("whole frame")
  }

  /// - Parameter factor: nil for the whole frame.
  private func magnify(_ factor: Int?, of pane: Pane) {
    // A crop stays in the middle.
    var magnification = pane.view.stage?.centered(pane.view.magnification) ?? pane.view.magnification
    magnification.scale = factor.map { .pixels($0, grid: pane.frameSize) } ?? .fit
    if factor == nil { magnification.center = .init() }
    show(magnification, of: pane)
  }

  private func sayMagnification(of pane: Pane) {
    guard let label = pane.magnificationLabel else { return say("whole frame") }
    let canPan = pane.view.stage?.canPan(pane.view.magnification) ?? false
    say(canPan ? "\(label), shift-arrows move the part shown" : "\(label)")
  }

  /// Shows a part of a pane's frame, and the same of linked ones.
  private func show(_ magnification: Magnification, of pane: Pane) {
    let now = resources.clock.now
    let blitter = screen.metrics.blitter
    pane.magnify(magnification, blitter: blitter, at: now)
    for other in panes.linked(to: pane) where other !== pane { other.magnify(pane.view.magnification, blitter: blitter, at: now) }
    chrome.invalidateAtOnce()
  }

  /// Moves the visible part with shift and an arrow. Returns true if the key was for that.
  func steerMagnified(_ stroke: KeyStroke) -> Bool {
    guard stroke.modifiers == .shift, let pane = panes.focused, let stage = pane.view.stage, !pane.view.magnification.isFit else { return false }
    let (x, y): (Double, Double)
    switch stroke.key {
    case .left: (x, y) = (-Self.panStep, 0)
    case .right: (x, y) = (Self.panStep, 0)
    case .up: (x, y) = (0, -Self.panStep)
    case .down: (x, y) = (0, Self.panStep)
    default: return false
    }
    show(stage.panned(pane.view.magnification, x: x, y: y), of: pane)
    return true
  }

  // MARK: - Mouse

  /// Magnifies around the cell under the pointer by steps.
  func magnify(_ pane: Pane, by steps: Int, column: Int, row: Int) {
    let blitter = screen.metrics.blitter
    guard let point = pane.point(column: column, row: row, blitter: blitter) else { return }
    let factor = pane.view.magnification.factor(steps: steps, wraps: false)
    guard let factor else { return magnify(nil, of: pane) }
    var magnification = pane.view.magnification
    magnification.scale = .pixels(factor, grid: pane.frameSize)
    guard let stage = pane.stage(for: magnification, blitter: blitter) else { return }
    show(stage.moved(magnification, point: point.frame, to: point.part), of: pane)
  }

  /// Centres the part shown on a cell. Returns true if there is more to see.
  func center(_ pane: Pane, column: Int, row: Int) -> Bool {
    guard let stage = pane.view.stage, stage.canPan(pane.view.magnification),
      let point = pane.point(column: column, row: row, blitter: screen.metrics.blitter)
    else { return false }
    show(stage.moved(pane.view.magnification, point: point.frame, to: .init()), of: pane)
    return true
  }

  /// Moves the part shown with the pointer, which holds a point of the frame.
  func drag(_ grip: Grip, column: Int, row: Int) {
    guard let stage = grip.pane.view.stage,
      let point = grip.pane.point(column: column, row: row, blitter: screen.metrics.blitter)
    else { return }
    show(stage.moved(grip.pane.view.magnification, point: grip.point, to: point.part), of: grip.pane)
  }

  /// A point of a frame that the pointer holds.
  struct Grip {
    let pane: Pane
    let point: Magnification.Point
  }
}
