import Playback

/// A typed seek target: absolute, or relative to each clip's position.
public enum GoToTarget: Hashable, Sendable {
  case position(StartPosition)
  /// Negative to go back.
  case seconds(MediaTime)
  /// Negative to go back.
  case frames(Int)
  /// Fraction of the clip's length, 0…1.
  case fraction(Double)

  /// Parses "12.5", "1:02.5" or "#250", "+5", "-1:02.5", "+10f", "-2f" or "50%"; ignores surrounding spaces.
  public init?(_ text: String) {
    let text = text.drop { $0 == " " }.trimmingSpaces
    if text.last == "%" {
      guard let percent = Self.decimal(text.dropLast()), percent <= 100 else { return nil }
      self = .fraction(percent / 100)
    } else if text.first == "+" || text.first == "-" {
      switch PaneOffset.Amount(text) {
      case .frames(let count): self = .frames(count)
      case .time(let time): self = .seconds(time)
      case nil: return nil
      }
    } else {
      guard let position = StartPosition(String(text)) else { return nil }
      self = .position(position)
    }
  }

  /// Parses digits with optional decimals.
  private static func decimal(_ text: Substring) -> Double? {
    guard text.utf8.contains(where: isDigit), text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = self
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}

extension Player {
  /// The time of a target in this player; nil if it has none or it is unknown.
  func time(of target: GoToTarget) -> MediaTime? {
    switch target {
    case .position(.time(let time)): return time
    case .position(.frame(let number)): return lacks(frame: number) ? nil : time(ofFrame: number)
    case .seconds(let offset): return currentTime() + offset
    case .frames(let count): return time(steppedBy: count)
    case .fraction(let fraction):
      let length = duration.isNumeric ? duration : currentItem?.asset?.loadedValue(of: .facts)?.duration ?? .indefinite
      return length.isNumeric ? length * fraction : nil
    }
  }
}
