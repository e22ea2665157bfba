import CellGraphics
import Foundation
import Pixels
import Playback
import Terminal
import Testing

@testable import QuadrilleApp

/// Chrome drawn from models that were made by hand, read as cells.
@Suite(.timeLimit(.minutes(20))) struct ChromePainterTests {
  private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

  /// A paused pane at 12.3 s of 150, with its frame.
  private func pane(number: Int = 1, x: Int = 0, width: Int = 80, chrome: PaneChrome = .full) -> PaneModel {
    var pane = PaneModel(number: number, clip: .init(title: "film.mp4", path: "/a/film.mp4"))
    pane.view.geometry = PaneGeometry(rect: CellRect(x: x, y: 0, width: width, height: chrome == .bar ? 24 : 23), chrome: chrome)
    pane.time = time(12_300)
    pane.clip.length = time(150_000)
    pane.clip.frameCount = 1500
    pane.frame = .init(timing: FrameTiming(pts: time(12_300), duration: time(100), number: 123))
    return pane
  }

  private func screen(_ panes: PaneModel..., status: TerminalText? = "all panes  ? keys") -> ScreenModel {
    var model = ScreenModel(panes: panes, paneCount: panes.count)
    model.status = status
    return model
  }

  @Test func aPaneHasItsTitleFrameAndBar() throws {
    var pane = pane()
    pane.view.isFocused = true
    let drawn = try DrawnScreen(screen(pane))
    #expect(drawn.text(row: 0).hasPrefix(" 1 film.mp4 "))
    #expect(drawn.style(column: 3, row: 0) == drawn.theme.focusedTitle)
    #expect(drawn.showsFrame(column: 0, row: 1) && drawn.showsFrame(column: 79, row: 21))
    #expect(drawn.text(row: 22).hasPrefix("‖ 0:12.300/2:30 #123 "))
    #expect(drawn.text(row: 23).hasPrefix(" all panes  ? keys "))
  }

  @Test func soundAloneHasItsLoudness() throws {
    var pane = pane()
    pane.meter.loudness = Loudness(momentary: -18.34, shortTerm: -.infinity)
    #expect(try DrawnScreen(screen(pane)).text(row: 2).hasSuffix(" M −18.3  S  --.- LUFS "))
    pane.meter.loudness = Loudness(momentary: 3.21, shortTerm: -7)
    #expect(try DrawnScreen(screen(pane)).text(row: 2).hasSuffix(" M  +3.2  S  −7.0 LUFS "))
    pane.meter.loudness = nil
    #expect(try !DrawnScreen(screen(pane)).contains("LUFS"))
  }

  /// Nothing of it is covered: a number without its first letters is another one.
  @Test func loudnessIsWholeOrMissing() throws {
    for width in 30...100 {
      var pane = pane(width: width)
      pane.meter.loudness = Loudness(momentary: -29.6, shortTerm: -32.3)
      pane.clip.media = MediaModel(isSoundOnly: true, container: "mp3", codec: "MP3", sampleRate: 44_100, channelCount: 2)
      pane.figures = PaneFigures(sound: ["heard through PulseAudio  44.1 kHz  latency 217 ms  100 ms later  offset 0 ms"])
      var model = screen(pane)
      for showsFigures in [false, true] {
        model.panels.showsFigures = showsFigures
        let drawn = try DrawnScreen(model, columns: width)
        let whole = drawn.contains(" M −29.6  S −32.3 LUFS ")
        #expect(whole == drawn.contains("32.3"), "\(width): \(drawn)")
        guard showsFigures else {
          #expect(whole == (width >= 42), "\(width): \(drawn)")
          continue
        }
        // Values stay with their units.
        for field in ["44.1 kHz 2 channels", "latency 217 ms", "100 ms later", "offset 0 ms"] where width >= 44 {
          #expect(drawn.contains(field), "\(width): \(drawn)")
        }
        #expect(!drawn.contains("mp3 MP3"))
      }
    }
  }

  @Test func wordsOfTheProgramRunToTheRight() throws {
    var model = screen(pane())
    model.message = "\"שלום\": 1/1  n next  N previous  esc closes"
    #expect(try DrawnScreen(model).text(row: 23).hasPrefix(" \"םולש\": 1/1  n next  N previous  esc closes"))
    model.panes[0].notice = Notice(text: "שיר.mp4: no such file")
    #expect(try DrawnScreen(model).text(row: 21).hasPrefix(" ריש.mp4: no such file"))
  }

  @Test func howOftenItIsRepeated() throws {
    var pane = pane()
    pane.playback.repetition = .list
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix(" repeat all "))
    pane.playback.maxRounds = 2
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix(" repeat all 2 times "))
  }

  @Test func whatIsNotFocusedLooksOtherwise() throws {
    let drawn = try DrawnScreen(screen(pane(width: 39), pane(number: 2, x: 40, width: 40)))
    #expect(drawn.style(column: 3, row: 0) == drawn.theme.title)
    #expect(drawn.text(row: 0).contains(" 2 film.mp4"))
    #expect(!drawn.showsFrame(column: 39, row: 5), "the gap between panes is ground")
    // Without colours the focus has a sign.
    var focused = pane()
    focused.view.isFocused = true
    #expect(try DrawnScreen(screen(focused), depth: .mono).text(row: 0).hasPrefix(">1 film"))
  }

  @Test func whereOthersAreHiddenItIsSaidOfHowMany() throws {
    var model = screen(pane(number: 2))
    model.paneCount = 3
    #expect(try DrawnScreen(model).text(row: 0).hasPrefix(" 2/3 film.mp4"))
  }

  @Test(arguments: [
    (PaneModel.State.playing, "►"), (.reversing, "◄"), (.paused, "‖"), (.waiting(.seeking), "…"), (.ended, "■"),
  ])
  func everyStateHasItsSign(state: PaneModel.State, sign: String) throws {
    var pane = pane()
    pane.playback.state = state
    pane.playback.rate = [.paused, .ended].contains(state) ? 0 : state == .reversing ? -1 : 1
    let bar = try DrawnScreen(screen(pane)).text(row: 22)
    #expect(bar.hasPrefix("\(sign) 0:12"))
    #expect(bar.contains("#123") == (pane.playback.rate == 0))
  }

  @Test func whatCannotBePlayedSaysSo() throws {
    var pane = pane()
    pane.playback.state = .failed("no such file")
    pane.notice = Notice(text: "/a/film.mp4: no such file", isError: true)
    let drawn = try DrawnScreen(screen(pane))
    #expect(drawn.text(row: 22).hasPrefix("✗ cannot be played"))
    #expect(!drawn.showsFrame(column: 0, row: 1))
    // In the middle of where the frame would be.
    #expect(drawn.text(row: 11).hasPrefix(" /a/film.mp4: no such file "))
    #expect(drawn.style(column: 1, row: 11) == drawn.theme.error)
  }

  @Test func whatIsNotExactIsMarked() throws {
    func mark(_ change: (inout PaneModel) -> Void) throws -> Bool {
      var pane = pane()
      change(&pane)
      return try DrawnScreen(screen(pane)).text(row: 22).hasPrefix("‖≈")
    }
    #expect(try !mark { _ in })
    #expect(try mark { $0.frame?.isApproximate = true })
    #expect(try mark { $0.frame?.isWhole = false })
    #expect(try mark { $0.frame?.timing.isCertain = false })
    #expect(try mark { $0.frame?.timing.numberIsExact = false })
    // Frames that follow each other do not have to be complete or numbered.
    var playing = pane()
    playing.playback.rate = 1
    playing.playback.state = .playing
    playing.frame?.isWhole = false
    playing.frame?.timing.numberIsExact = false
    #expect(try DrawnScreen(screen(playing)).text(row: 22).hasPrefix("► 0:12"))
    #expect(try DrawnScreen(screen(playing), glyphSet: .ascii).text(row: 22).hasPrefix("> 0:12"))
  }

  @Test func marksTellWhatIsUnusual() throws {
    var pane = pane()
    pane.playback.droppedPerSecond = 7
    pane.view.gravity = .resize
    pane.playback.repetition = .clip
    pane.playback.defaultRate = 0.5
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix("stretch repeat ×0.50 "))
    pane.playback.state = .playing
    pane.playback.rate = 2
    pane.playback.loop = .begun
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix("drops 7/s stretch A… repeat ×2.00 "))
    pane.playback.behind = 0.4
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix("drops 7/s stretch A… repeat ×2.00 "))
    pane.playback.behind = 1.26
    #expect(try DrawnScreen(screen(pane)).text(row: 0).hasSuffix("1.3 s behind stretch A… repeat ×2.00 "))
    pane.playback.loop = .on(TimeRange(start: time(0), end: time(75_000)))
    let drawn = try DrawnScreen(screen(pane))
    #expect(drawn.text(row: 0).contains(" A-B "))
    #expect(drawn.text(row: 22).contains("[") && drawn.text(row: 22).contains("]"))
  }

  /// Also where there is no room for anything else that is unusual.
  @Test(arguments: [PaneChrome.bar, .full]) func whatIsNotHeardIsSaidInEveryWidth(chrome: PaneChrome) throws {
    for width in 20...80 {
      var pane = pane(width: width, chrome: chrome)
      pane.clip.media = MediaModel(isSoundOnly: true)
      pane.playback.sound = .silent
      for isUnusual in [false, true] {
        if isUnusual {
          pane.playback.droppedPerSecond = 12
          pane.playback.state = .playing
          pane.playback.rate = -16
          pane.playback.repetition = .list
          pane.playback.loop = .begun
          pane.view.gravity = .resize
        }
        let drawn = try DrawnScreen(screen(pane, status: chrome == .full ? "keys" : nil), columns: width)
        #expect(drawn.text.components(separatedBy: "silent").count == 2, "\(width): \(drawn)")
        #expect(drawn.text(row: chrome == .full ? 22 : 23).hasPrefix(isUnusual ? "►" : "‖"))
      }
    }
    var video = pane(width: 20, chrome: chrome)
    video.clip.media = MediaModel()
    #expect(try !DrawnScreen(screen(video, status: nil), columns: 20).contains("silent"))
  }

  @Test func theBarShowsChaptersMarkersAndWhatIsCached() throws {
    var pane = pane()
    let plain = try DrawnScreen(screen(pane)).grid
    pane.clip.media = MediaModel(chapters: [time(75_000)])
    let withChapter = try DrawnScreen(screen(pane))
    #expect(withChapter.text(row: 22).filter { $0 == "│" }.count == 1)
    pane.clip.media = MediaModel(markers: [time(75_000)])
    #expect(try DrawnScreen(screen(pane)).text(row: 22).filter { "│◆".contains($0) } == "◆")
    pane.clip.media = nil
    pane.cachedRanges = [TimeRange(start: time(75_000), end: time(150_000))]
    let cached = try DrawnScreen(screen(pane)).grid
    let differing = (0..<80).filter { cached[column: $0, row: 22] != plain[column: $0, row: 22] }
    #expect(differing.count > 20 && differing.allSatisfy { $0 > 40 })
  }

  @Test func aSinglePaneHasARowOfItsOwn() throws {
    var model = screen(pane(chrome: .bar), status: nil)
    model.hint = "? keys"
    #expect(try DrawnScreen(model).text(row: 23).hasSuffix("film.mp4          ? keys "))
    // Words lie over the frame.
    model.message = "keys control all panes"
    let drawn = try DrawnScreen(model)
    #expect(drawn.text(row: 22).hasPrefix(" keys control all panes "))
    #expect(drawn.style(column: 1, row: 22) == drawn.theme.notice)
    #expect(drawn.showsFrame(column: 60, row: 22))
  }

  @Test func aMessageTakesTheStatusRow() throws {
    var model = screen(pane())
    model.message = "repeat on"
    let drawn = try DrawnScreen(model)
    #expect(drawn.text(row: 23).hasPrefix(" repeat on ") && !drawn.contains("all panes"))
  }

  @Test func aPromptIsTypedIntoTheLowestRow() throws {
    var model = screen(pane())
    model.prompt = Prompt(.goTo, text: "soon", objection: "\"soon\" is no time")
    let drawn = try DrawnScreen(model)
    #expect(drawn.text(row: 23).contains(": soon "))
    #expect(drawn.text(row: 22).hasPrefix(" \"soon\" is no time"))
  }

  @Test func aPlaceholderStandsAlone() throws {
    var model = ScreenModel()
    model.placeholder = "window too small"
    model.status = ""
    let drawn = try DrawnScreen(model, columns: 30, rows: 5)
    #expect(drawn.text(row: 2) == "       window too small       ")
    #expect(try DrawnScreen(model, columns: 7, rows: 4).text == "window \n  too  \n small \n       ")
  }

  @Test func thumbnailsAreSeenThroughTheChrome() throws {
    var pane = pane()
    pane.frame = nil
    pane.view.thumbnails = CellRect(x: 20, y: 17, width: 60, height: 5)
    let drawn = try DrawnScreen(screen(pane))
    #expect(drawn.showsFrame(column: 20, row: 17) && !drawn.showsFrame(column: 19, row: 17))
  }

  @Test func figuresAreThoseOfTheModel() throws {
    var pane = pane()
    pane.clip.media = MediaModel(
      container: "mp4", codec: "H.264", codedSize: PixelSize(width: 320, height: 180),
      presentationSize: PixelSize(width: 180, height: 320), frameRate: 29.97, bitRate: 1_234_000,
      pixelFormat: "yuv420p", color: "bt709")
    pane.frame?.timing.originalPTS = 12_300
    pane.frame?.shownSize = PixelSize(width: 80, height: 44)
    pane.figures = PaneFigures(
      decoded: 5, shown: 3, dropped: 2, lateness: .init(count: 3, median: 1_500_000, percentile95: 9_000_000),
      seeks: .init(count: 4, median: 20_000_000), cacheBytes: 2_000_000, cacheBudget: 64_000_000,
      index: .complete(frames: 1500))
    var model = screen(pane)
    model.panels.showsFigures = true
    model.link = LinkFigures(bytesPerSecond: 12_345, updatesPerSecond: 10, psnr: 31.4, roundTrip: 104_000_000)
    let drawn = try DrawnScreen(model)
    for line in [
      "/a/film.mp4", "mp4 H.264", "320×180 shown 180×320 29.97 fps", "1.2 Mbit/s", "yuv420p, bt709",
      "frame #123 pts 12300", "1500 frames indexed", "shown at 80×44 pixels", "decoded 5 shown 3 dropped 2",
      "late p50 1.5 p95 9 ms", "seeks 4 p50 20 ms", "cache 2 MB of 64 MB", "terminal 12 kB/s 1 kB/frame 31.4 dB", "round trip 104 ms",
    ] {
      #expect(drawn.contains(line), "\(line)")
    }
    let link = LinkFigures(bytesPerSecond: 122_000, updatesPerSecond: 30, psnr: 38.78, roundTrip: 102_260_000)
    let text = PaneText(pane: pane, theme: drawn.theme)
    #expect(text.figures(link: link, width: 58).suffix(2) == ["terminal 122 kB/s  4 kB/frame  38.8 dB", "round trip 102.3 ms"])
    #expect(text.figures(link: link, width: 80).last == "terminal 122 kB/s  4 kB/frame  38.8 dB  round trip 102.3 ms")
    pane.figures?.index = .underway(0.41)
    #expect(PaneText(pane: pane, theme: drawn.theme).figures(link: LinkFigures(), width: 60).contains("indexing 41%"))
    pane.figures?.index = .missing
    #expect(PaneText(pane: pane, theme: drawn.theme).figures(link: LinkFigures(), width: 60).contains("no exact seeking"))
  }

  /// The last row of a low pane is worth less than what was dropped, and a long path keeps its name.
  @Test func inALowPaneTheFiguresThatMatterComeFirst() {
    var pane = pane()
    pane.clip.path = "/home/someone/clips/of/last/summer/film.mp4"
    pane.figures = PaneFigures(decoded: 5, shown: 3, dropped: 2)
    let lines = PaneText(pane: pane, theme: ChromeTheme(depth: .trueColor, glyphSet: .unicode)).figures(
      link: LinkFigures(), width: 20)
    #expect(lines[0].columns == 20)
    #expect("\(lines[0])".hasPrefix("…") && "\(lines[0])".hasSuffix("/film.mp4"))
    #expect(lines.firstIndex { "\($0)".hasPrefix("decoded") } ?? 99 < 6)
  }

  @Test func theHelpLiesOverAll() throws {
    var model = screen(pane())
    model.panels.helpPage = 0
    let drawn = try DrawnScreen(model, columns: 150, rows: 60)
    #expect(drawn.contains("┌─ Keys ") && drawn.contains("play, pause"))
    // The pane goes on below.
    #expect(drawn.text(row: 0).hasPrefix(" 1 film.mp4"))
  }

  @Test func aFarPageIsTheLastOne() throws {
    var model = screen(pane())
    model.panels.helpPage = 99
    let pages = HelpPanel(HelpText(.standard, theme: ChromeTheme(depth: .mono, glyphSet: .unicode)), columns: 80, rows: 24).pageCount
    #expect(pages > 1)
    #expect(try DrawnScreen(model).contains("Keys \(pages)/\(pages)"))
  }
}
