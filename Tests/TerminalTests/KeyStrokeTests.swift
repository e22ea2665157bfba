import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct KeyStrokeTests {
  @Test(arguments: [
    ("space", KeyStroke(.character(" "))), ("left", KeyStroke(.left)),
    ("shift-left", KeyStroke(.left, .shift)), ("ctrl-c", KeyStroke(.character("c"), .ctrl)),
    ("f1", KeyStroke(.function(1))), ("alt-1", KeyStroke(.character("1"), .alt)),
    ("a", KeyStroke(.character("a"))), ("L", KeyStroke(.character("L"))), ("=", KeyStroke(.character("="))),
    ("-", KeyStroke(.character("-"))), ("ctrl--", KeyStroke(.character("-"), .ctrl)),
    ("ctrl-alt-shift-f12", KeyStroke(.function(12), [.ctrl, .alt, .shift])),
    ("shift-tab", KeyStroke(.tab, .shift)), ("esc", KeyStroke(.escape)), ("ü", KeyStroke(.character("ü"))),
    ("pageup", KeyStroke(.pageUp)), ("ctrl-space", KeyStroke(.character(" "), .ctrl)),
  ])
  func namesAreReadAndWritten(name: String, stroke: KeyStroke) {
    #expect(KeyStroke(name) == stroke)
    #expect(stroke.description == name)
  }

  @Test(arguments: [
    ("Shift-Left", "shift-left"), ("SPACE", "space"), ("Return", "enter"), ("PgUp", "pageup"),
    ("shift-a", "A"), ("ctrl-A", "ctrl-a"), ("alt-ctrl-x", "ctrl-alt-x"), ("F5", "f5"), (" ", "space"),
    ("meta-x", "alt-x"),
  ])
  func otherSpellings(written: String, canonical: String) {
    #expect(KeyStroke(written)?.description == canonical)
  }

  @Test(arguments: ["", "foo", "f0", "f13", "shift-1", "ctrl-", "ctrl-ctrl-a", "\u{1B}", "hyper-a", "shift-"])
  func nonsenseIsRefused(name: String) {
    #expect(KeyStroke(name) == nil)
  }

  @Test func everyNamedKeyRoundTrips() {
    for entry in Key.named {
      for bits in UInt8(0)..<8 {
        let stroke = KeyStroke(entry.key, Modifiers(rawValue: bits))
        #expect(KeyStroke(stroke.description) == stroke)
      }
      for alias in entry.aliases { #expect(KeyStroke(alias)?.key == entry.key) }
    }
  }
}
