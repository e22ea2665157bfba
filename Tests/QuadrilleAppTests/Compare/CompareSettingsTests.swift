@testable import QuadrilleApp
import Testing

@Suite(.timeLimit(.minutes(20))) struct CompareSettingsTests {
  @Test func everyChoiceChangesItsSetting() {
    for mode in CompareSettings.Mode.allCases {
      var settings = CompareSettings()
      settings.change(.mode(mode))
      #expect(settings.mode == mode)
      for choice in settings.choices where choice.action != .nextClip && choice.action != .centerEdge {
        var changed = settings
        changed.change(choice.action)
        #expect(changed != settings, "\(mode): \(choice.words)")
        // It goes around.
        var count = 1
        while changed != settings, count < 20 {
          changed.change(choice.action)
          count += 1
        }
        #expect(changed == settings, "\(mode): \(choice.words)")
      }
    }
  }

  @Test func theEdgeStaysInTheFrame() {
    var settings = CompareSettings()
    settings.moveEdge(by: -3)
    #expect(settings.edge == 0)
    settings.moveEdge(by: 0.25)
    #expect(settings.edge == 0.25)
    settings.moveEdge(by: 3)
    #expect(settings.edge == 1)
    settings.change(.centerEdge)
    #expect(settings.edge == 0.5)
  }

  @Test func theTitleSaysHow() {
    var settings = CompareSettings()
    #expect(settings.words == "wipe")
    settings.change(.mode(.difference))
    #expect(settings.words == "difference ×8 max")
    settings.change(.planes)
    settings.change(.reduction)
    settings.change(.gain)
    #expect(settings.words == "difference ×16 mean, all planes")
    settings.change(.mode(.flicker))
    #expect(settings.words == "flicker")
    settings.change(.alternations)
    #expect(settings.words == "flicker 1/s")
  }
}
