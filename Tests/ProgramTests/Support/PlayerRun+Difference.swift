import TerminalHarness
import TestSupport
import Testing

/// The difference of equal frames, on a screen of 64×24 cells.
extension PlayerRun {
  /// Returns the brightness of the brightest place between title and bar, without the message.
  static func brightness(of screen: EmulatorScreen) -> UInt8 {
    ScreenPixels(screen).part(x: 8, y: 10, width: 48, height: 26).bytes.max() ?? 0
  }

  /// Lets the program run until a screen is as wanted, and expects every screen on the way to be black.
  func watchBlack(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isDone: (EmulatorScreen) -> Bool
  ) throws {
    var brightest: UInt8 = 0
    try wait(what, sourceLocation: sourceLocation) { screen in
      brightest = max(brightest, Self.brightness(of: screen))
      return isDone(screen)
    }
    #expect(brightest < 16, "\(what): \(brightest)\n\(screen)", sourceLocation: sourceLocation)
  }
}
