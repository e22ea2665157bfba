/// The panes whose sound is heard.
public enum SoundPanes: Hashable, Sendable {
  /// The focused one.
  case focused
  /// All of them, mixed.
  case all
  case off
  /// One pane, by its number from 1.
  case pane(Int)

  /// Returns true if a pane is heard.
  func contains(index: Int, focus: Int) -> Bool {
    switch self {
    case .focused: index == focus
    case .all: true
    case .off: false
    case .pane(let number): index == number - 1
    }
  }
}

extension SoundPanes: LosslessStringConvertible {
  public var description: String {
    switch self {
    case .focused: "focused"
    case .all: "all"
    case .off: "off"
    case .pane(let number): "\(number)"
    }
  }

  public init?(_ text: String) {
    switch text {
    case "focused": self = .focused
    case "all": self = .all
    case "off": self = .off
    default:
      guard let number = Int(text), 1...PlayOptions.maxPanes ~= number else { return nil }
      self = .pane(number)
    }
  }

  /// The values on the command line.
  public static let names = ["focused", "all", "off"] + (1...PlayOptions.maxPanes).map(String.init)
}
