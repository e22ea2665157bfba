import CellGraphics
import Foundation
import Playback
import TestSupport
import Terminal
import Testing

@testable import QuadrilleApp

/// A workspace without a terminal.
@Suite(.timeLimit(.minutes(20))) struct WorkspaceTests {
  private func workspace(_ clips: [String] = [], columns: Int = 120, rows: Int = 36) throws -> Workspace {
    var options = PlayOptions()
    options.clips = clips.map { ClipList([.init(path: $0, kind: $0.hasSuffix(".yaml") ? .storyboard : .clip)]) }
    options.beginning.isPaused = true
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
      let effects: [Command.Name: ProgramEffect] = [.quit: .quit, .redraw: .redraw, .suspend: .suspend, .cells: .nextCells]
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
    #expect(model.panes.count == 1 && model.status == nil && !workspace.screen.layout.isZoomed)
    _ = try press("c", in: workspace)
    #expect(workspace.model(link: LinkFigures()).placeholder != nil)
  }

  /// Lets the workspace take in what happens on other threads until something is so.
  private func update(_ workspace: Workspace, until isDone: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !isDone() {
      if ContinuousClock.now > deadline { return false }
      workspace.update(at: workspace.resources.clock.now)
    }
    return true
  }

  @Test func theMovieComesAndGoesAndTheFocusStays() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip])
    #expect(update(workspace) { workspace.panes.panes[0].clip.facts != nil })
    _ = try press("A", in: workspace)
    // Taken away before it was there, it is not shown.
    _ = try press("u", in: workspace)
    #expect(workspace.movies.pieceCount == 0 && !workspace.movies.isBuilding)
    _ = try press("A", "A", in: workspace)
    #expect(update(workspace) { workspace.movies.pane != nil && !workspace.movies.isBuilding })
    #expect(workspace.panes.panes.count == 2 && workspace.panes.focusIndex == 0 && workspace.movies.pieceCount == 2)
    // A pane behind it keeps the focus when it goes, and when it comes back.
    let third = workspace.makePane(ClipList(clip))
    workspace.addPane(third)
    #expect(workspace.panes.focused === third)
    _ = try press("*", in: workspace)
    #expect(workspace.panes.panes.count == 2 && workspace.panes.focused === third && workspace.movies.pane == nil)
    _ = try press("*", in: workspace)
    #expect(update(workspace) { workspace.movies.pane != nil })
    #expect(workspace.panes.panes.count == 3 && workspace.panes.focused === third)
    _ = try press("u", "u", in: workspace)
    #expect(workspace.panes.panes.count == 2 && workspace.panes.focused === third && workspace.movies.pane == nil)
  }

  @Test func amongFourPanesTheMovieTakesTheFocusedOnesPlace() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip, clip, clip, clip])
    let panes = workspace.panes.panes
    #expect(update(workspace) { panes.allSatisfy { $0.clip.facts != nil } })
    workspace.focus(.index(2))
    _ = try press("A", in: workspace)
    #expect(update(workspace) { workspace.movies.pane != nil })
    #expect(workspace.panes.panes[2] === workspace.movies.pane && workspace.panes.focusIndex == 2)
    #expect(workspace.movies.displaced?.pane === panes[2] && !panes[2].wantsFrames && panes[2].player.rate == 0)
    // When another one goes there is room for both.
    workspace.focus(.index(3))
    _ = try press("c", in: workspace)
    #expect(workspace.panes.panes.count == 4 && workspace.panes.panes[2] === panes[2] && workspace.panes.panes[3] === workspace.movies.pane)
    #expect(workspace.panes.focused === workspace.movies.pane && workspace.movies.displaced == nil)
    _ = try press("c", in: workspace)
    #expect(workspace.panes.panes.count == 3 && workspace.movies.pane == nil && workspace.movies.pieceCount == 1)
    #expect(workspace.model(link: LinkFigures()).message == "the edit is kept: * shows it")
  }

  /// Writes a story of one track. Returns its file.
  private func story(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("story.yaml")
    let clip = try SampleClip.h264BFrames.path()
    try "quadrille: storyboard 1\nscenes:\n  - scene: One\n    tracks: [{track: only, clip: \(clip), then: end}]\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// The result of saving is shown, whatever has become of the pane.
  @Test func aStoryIsSavedAlsoWhenItsPaneGoes() throws {
    let folder = try TemporaryFolder()
    let workspace = try workspace([story(in: folder), SampleClip.h264BFrames.path()])
    #expect(update(workspace) { workspace.panes.panes[0].story != nil })
    _ = try press("W", in: workspace)
    workspace.accept(folder.path("story.run"), for: .save)
    _ = try press("escape", "c", in: workspace)
    #expect(workspace.panes.panes.count == 1)
    #expect(update(workspace) { workspace.model(link: LinkFigures()).message?.description.hasPrefix("saved ") == true })
    #expect(FolderListing.Entry(path: folder.path("story.run")) != nil)
    #expect(workspace.saves.stories.finish(until: 0) == nil)
  }

  /// It is not lost that something was not saved, until somebody gives it up.
  @Test func whatWasNotSavedIsKnownUntilItIsGivenUp() throws {
    let folder = try TemporaryFolder()
    let saved = folder.path("story.run")
    try "".write(toFile: saved, atomically: true, encoding: .utf8)
    let workspace = try workspace([story(in: folder)])
    #expect(update(workspace) { workspace.panes.panes[0].story != nil })
    /// A sentence about what would not be saved at the end.
    func unsaved() -> String? { workspace.saves.stories.finish(until: 0) }
    workspace.accept(saved, for: .save)
    #expect(update(workspace) { workspace.prompts.prompt?.objection != nil })
    #expect(unsaved() == "\(saved): the story was not saved")
    _ = try press("escape", in: workspace)
    #expect(unsaved() == nil)
    // Given up, it is asked for anew.
    workspace.accept(saved, for: .save)
    #expect(update(workspace) { workspace.prompts.prompt?.objection != nil })
    _ = try press("enter", in: workspace)
    #expect(update(workspace) { workspace.model(link: LinkFigures()).message?.description.hasPrefix("saved ") == true })
    #expect(unsaved() == nil)
    // What a file stands in the way of, too.
    workspace.accept(folder.path("none/story.run"), for: .save)
    #expect(update(workspace) { workspace.prompts.prompt?.objection != nil })
    #expect(unsaved()?.contains("none/story.run") == true)
  }

  /// The tracks of a clip are not known before it is open.
  @Test(arguments: ["_", "#", "v", "x", "X", "T", "C"]) func beforeAClipIsOpenNothingIsSaidOfItsTracks(key: String) throws {
    let workspace = try workspace([SampleClip.h264BFrames.path()])
    _ = try press(key, in: workspace)
    #expect(workspace.model(link: LinkFigures()).message == "this clip is not open yet")
  }

  @Test(arguments: ["_", "#", "v"]) func ofAClipThatCannotBePlayedThatIsSaid(key: String) throws {
    let workspace = try workspace(["/none/at-all.mp4"])
    #expect(update(workspace) { workspace.panes.panes[0].error != nil })
    _ = try press(key, in: workspace)
    #expect(workspace.model(link: LinkFigures()).message == "this clip cannot be played")
  }

  /// A search shows what it searches, and leaves all as it was.
  @Test func aSearchChoosesNothing() throws {
    var pgs = PGSFile(width: 64, height: 36)
    pgs.show(at: 0.5, x: 20, y: 20, width: 20, height: 10)
    let images = try pgs.file(named: "images.sup")
    let clip = try SampleMedia.clip(
      name: "both.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=s=64x36:r=10:d=4", "-i", images, "-i", SampleMedia.words(), "-map", "0", "-map", "1", "-map", "2", "-c:v",
        "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:s", "copy", "-disposition:s:0", "default", "-disposition:s:1", "0",
      ])
    let workspace = try workspace([clip])
    let subtitles = workspace.panes.panes[0].subtitles
    #expect(update(workspace) { !subtitles.isLooking && subtitles.selected != nil })
    let chosen = subtitles.selected
    #expect(chosen?.track.subtitleForm == .bitmap)
    _ = try press("/", "escape", in: workspace)
    #expect(subtitles.selected == chosen)
    _ = try press("/", "w", "o", "r", "enter", in: workspace)
    #expect(update(workspace) { subtitles.selected?.track.subtitleForm == .text })
    _ = try press("escape", in: workspace)
    #expect(subtitles.selected == chosen && workspace.search == nil)
    // Also where none were chosen; what is chosen meanwhile stays.
    _ = subtitles.choose(nil)
    _ = try press("/", "escape", "/", "w", "enter", in: workspace)
    #expect(update(workspace) { subtitles.selected != nil })
    _ = try press("escape", in: workspace)
    #expect(subtitles.selected == nil)
    _ = try press("/", "w", "enter", in: workspace)
    #expect(update(workspace) { subtitles.selected != nil })
    _ = subtitles.choose(chosen)
    _ = try press("escape", in: workspace)
    #expect(subtitles.selected == chosen)
  }

  @Test func steeringIsSaid() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip, clip])
    #expect(workspace.model(link: LinkFigures()).status?.description.hasPrefix("all panes") == true)
    #expect(workspace.panes.targets.count == 2)
    _ = try press("a", in: workspace)
    let model = workspace.model(link: LinkFigures())
    #expect(model.message == "keys control only the focused pane")
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

  private func message(_ workspace: Workspace) -> String? { workspace.model(link: LinkFigures()).message?.description }

  /// A message about several panes describes the focused one.
  @Test func linkedPanesSetALoopAsTheFocusedOneDoes() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip, clip])
    let panes = workspace.panes.panes
    #expect(update(workspace) { panes.allSatisfy { $0.clip.facts != nil } })
    panes[1].player.seek(to: MediaTime(value: 1, timescale: 2), toleranceBefore: .zero, toleranceAfter: .zero)
    _ = try press("b", in: workspace)
    #expect(message(workspace)?.contains("starts at 0:00.000") == true)
    // The second one alone has an end, too.
    panes[1].player.seek(to: MediaTime(value: 1, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    _ = panes[1].setLoop(.end)
    #expect(panes[0].nextLoopStep == .end && panes[1].nextLoopStep == .off)
    panes[0].player.seek(to: MediaTime(value: 1, timescale: 2), toleranceBefore: .zero, toleranceAfter: .zero)
    _ = try press("b", "b", in: workspace)
    #expect(message(workspace) == "A-B loop off" && panes.allSatisfy { $0.nextLoopStep == .start })
  }

  @Test func backwardsFromTheFirstFrame() throws {
    let workspace = try workspace([SampleClip.h264BFrames.path()])
    #expect(update(workspace) { workspace.panes.panes[0].player.displayedTiming != nil })
    _ = try press("j", in: workspace)
    #expect(message(workspace) == "already at the first frame")
  }

  /// Playback from the last frame starts again, as at the end.
  @Test func spaceAtTheLastFrameRestarts() throws {
    let workspace = try workspace([SampleClip.h264BFrames.path()])
    let pane = workspace.panes.panes[0]
    #expect(update(workspace) { pane.clip.facts != nil && pane.player.frameIndex?.timeline?.isComplete == true })
    _ = try press("end", in: workspace)
    #expect(pane.player.currentTime() >= pane.frameTimes.upperBound && !pane.clip.hasEnded)
    _ = try press("space", in: workspace)
    #expect(pane.player.rate == 1 && pane.player.currentTime() < MediaTime(value: 1, timescale: 2))
    // A list goes on to its next clip.
    _ = try press("space", "home", "L", "end", "space", in: workspace)
    #expect(pane.player.rate == 1 && pane.player.currentTime() >= pane.frameTimes.upperBound)
  }

  /// In a list, j and k move the selection, and do not play.
  @Test func listsScrollWithLetters() throws {
    let clip = try SampleClip.h264BFrames.path()
    let workspace = try workspace([clip])
    #expect(update(workspace) { workspace.panes.panes[0].clip.facts != nil })
    _ = try press("T", in: workspace)
    _ = try press("j", "k", "j", in: workspace)
    #expect(workspace.panels.list?.kind == .tracks && workspace.panes.panes[0].player.rate == 0)
  }
}
