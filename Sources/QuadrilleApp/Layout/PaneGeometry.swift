import CellGraphics

/// Rows of a pane besides its frame.
public enum PaneChrome: Sendable {
  /// A title above and a bar below.
  case full
  /// A bar below, for a single pane.
  case bar
  case none

  var titleRows: Int { self == .full ? 1 : 0 }
  var barRows: Int { self == .none ? 0 : 1 }
  var rows: Int { titleRows + barRows }
}

/// The parts of a pane, in screen cells.
public struct PaneGeometry: Equatable, Sendable {
  /// The whole pane.
  public let rect: CellRect
  public let title: CellRect
  /// The area between title and bar.
  public let body: CellRect
  public let bar: CellRect
  /// The part of `body` that frames are fitted into.
  public let box: CellRect
  /// True if the box has the frame's shape as nearly as cells can, so that the frame fills it.
  let isFilled: Bool
  /// Reference width for the time field: equal for panes of about equal width, so that their bars start at the same column.
  let fieldRoom: Int

  /// A pane whose box fills the space between title and bar; a pane that is too low has neither.
  public init(rect: CellRect, chrome: PaneChrome = .full) {
    let titleRows = rect.height >= 3 ? chrome.titleRows : 0
    let barRows = rect.height >= 2 ? chrome.barRows : 0
    let title = CellRect(x: rect.x, y: rect.y, width: rect.width, height: titleRows)
    let bar = CellRect(x: rect.x, y: rect.maxY - barRows, width: rect.width, height: barRows)
    let body = CellRect(
      x: rect.x, y: title.maxY, width: rect.width, height: max(0, bar.y - title.maxY))
    self.init(rect: rect, title: title, body: body, bar: bar, box: body, isFilled: false, fieldRoom: bar.width)
  }

  private init(rect: CellRect, title: CellRect, body: CellRect, bar: CellRect, box: CellRect, isFilled: Bool, fieldRoom: Int) {
    (self.rect, self.title, self.body, self.bar, self.box) = (rect, title, body, bar, box)
    (self.isFilled, self.fieldRoom) = (isFilled, fieldRoom)
  }

  /// The same pane with a centred box of at most `size`.
  func withBox(_ size: CellSize, fieldRoom: Int, isFilled: Bool = false) -> PaneGeometry {
    let width = min(size.width, body.width), height = min(size.height, body.height)
    let box = CellRect(
      x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width: width,
      height: height)
    return PaneGeometry(rect: rect, title: title, body: body, bar: bar, box: box, isFilled: isFilled, fieldRoom: fieldRoom)
  }
}
