import CellGraphics
import Playback
import TestSupport
import Terminal
import Testing

@testable import QuadrilleApp

/// A workspace without a terminal.
@Suite struct WorkspaceTests {
  private func workspace(_ clips: [String] = [], columns: Int = 120, rows: Int = 36) throws -> Workspace {
    var options = PlayOptions()
    options.clips = clips.map { ClipList($0) }
    options.isPaused = true
    let theme = ChromeTheme(depth: .trueColor, glyphSet: .unicode)
    let metrics = ScreenMetrics(
      columns: columns, rows: rows, cellAspect: 0.5, blitter: theme.blitter, colorDepth: theme.depth,
      help: HelpText(.standard, theme: theme))
    let resources = try PlaybackResources(threads: 1, paneCount: clips.count, indexFolder: nil)
    let workspace = Workspace(
      options, resources, try RunRecord(options, at: resources.clock.now), historyFile: nil, metrics: metrics)
    workspace.openClips()
    return workspace
  }

  private func press(_ names: String..., in workspace: Workspace) throws -> [ProgramEffect?] {
    try names.map { name in
      let stroke = try #require(KeyStroke(name))
      return workspace.handle(.key(stroke.key, stroke.modifiers))
    }
  }

  @Test func withoutClipsEveryCommandIsHarmless() throws {
    let workspace = try workspace()
    workspace.updateLayout()
    #expect(workspace.model(link: LinkFigures()).placeholder == "No clip. o opens one, q quits.")
    for name in Command.Name.allCases {
      let command = try #require(Command(name.rawValue) ?? Command("\(name.rawValue) 1"))
      let effects: [Command.Name: ProgramEffect] = [.quit: .quit, .redraw: .redraw, .suspend: .suspend]
      #expect(workspace.perform(command) == effects[name], "\(name)")
    }
    #expect(workspace.model(link: LinkFigures()).panes.isEmpty)
  }

  @Test func panesComeAndGo() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip, clip, clip])
    #expect(workspace.panes.panes.count == 3 && workspace.panes.focusIndex == 0)
    #expect(workspace.panes.panes.allSatisfy { $0.asset === workspace.panes.panes[0].asset }, "one clip is read once")
    #expect(try press("tab", "shift-tab", "shift-tab", in: workspace) == [nil, nil, nil])
    #expect(workspace.panes.focusIndex == 2)
    _ = try press("z", in: workspace)
    var model = workspace.model(link: LinkFigures())
    #expect(model.panes.map(\.number) == [3] && model.paneCount == 3 && model.panes[0].view.isFocused)
    _ = try press("c", in: workspace)
    #expect(workspace.panes.panes.count == 2 && workspace.panes.focusIndex == 1)
    _ = try press("c", in: workspace)
    model = workspace.model(link: LinkFigures())
    #expect(model.panes.count == 1 && model.status == nil && !workspace.layout.isZoomed)
    _ = try press("c", in: workspace)
    #expect(workspace.model(link: LinkFigures()).placeholder != nil)
  }

  @Test func steeringIsSaid() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip, clip])
    #expect(workspace.model(link: LinkFigures()).status?.description.hasPrefix("all panes") == true)
    #expect(workspace.panes.targets.count == 2)
    _ = try press("a", in: workspace)
    let model = workspace.model(link: LinkFigures())
    #expect(model.message == "keys steer the focused pane only")
    #expect(model.status?.description.hasPrefix("this pane only") == true && workspace.panes.targets.count == 1)
    // Aligned panes are steered together.
    _ = try press("=", in: workspace)
    #expect(workspace.panes.steering == .all)
    #expect(workspace.model(link: LinkFigures()).panes.map(\.playback.offset) == [.zero, .zero])
    // The next command takes the words away.
    _ = try press("i", in: workspace)
    let next = workspace.model(link: LinkFigures())
    #expect(next.message == nil && next.panels.showsFigures && next.panes.allSatisfy { $0.figures != nil })
  }

  @Test func aPromptTakesAllKeys() throws {
    let workspace = try workspace([SampleClip.h264BFrames.path()])
    #expect(try press("t", "q", "c", in: workspace) == [nil, nil, nil])
    #expect(workspace.prompts.prompt?.text == "qc" && workspace.panes.panes.count == 1)
    _ = try press("enter", in: workspace)
    #expect(workspace.prompts.prompt?.objection != nil, "it is no place, and comes back to be corrected")
    #expect(try press("escape", "q", in: workspace) == [nil, .quit])
  }
}
