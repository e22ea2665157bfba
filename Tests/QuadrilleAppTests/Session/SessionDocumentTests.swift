import Movies
import Pixels
import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct SessionDocumentTests {
  private func read(_ text: String, file: String = "/s/eval.yaml") throws(FileError) -> SessionDocument {
    try SessionDocument(text: text, file: file)
  }

  private let small = "quadrille: session 1\npanes:\n  - clips: [{clip: a.mp4}]\n"

  /// All that can be saved, with values other than the usual.
  private var document: SessionDocument {
    let images = SessionDocument.Pane.Clip(path: "/s/a.mp4", imageRate: Ratio(24000, 1001))
    var first = SessionDocument.Pane(clips: [images, .init(path: "/else/b: \"c\".mkv", title: "- a\u{1B}[2J title #1")])
    first.lists = ["/s/list.m3u"]
    first.current = 1
    first.repetition = .list
    first.time = MediaTime(value: 1001 * 77, timescale: 30000)
    first.isPaused = true
    first.offset = .zero
    first.gravity = .resize
    first.magnification.scale = .pixels(2, grid: PixelSize(width: 1280, height: 720))
    first.magnification.center = .init(x: 0.1 + 0.2, y: 1)
    first.magnification.filter = .nearest
    first.look = FrameLook(plane: .cb, fields: .weave)
    var settings = CompareSettings()
    for action in [.mode(.difference), .swap, .axis, .gain, .style, .planes, .reduction, .alternations, .share, .squares] as [CompareAction] {
      settings.change(action)
    }
    settings.moveEdge(by: 0.123)
    var second = SessionDocument.Pane(clips: [.init(path: "http://host/c.mp4")])
    second.offset = MediaTime(value: -1, timescale: 24)
    second.repetition = .clip
    second.magnification.scale = .crop(PixelRect(x: 1, y: 2, width: 30, height: 40))
    second.comparison = .init(reference: 0, settings: settings)
    var document = SessionDocument(panes: [first, second])
    (document.focus, document.reference, document.isAlone, document.showsChrome) = (1, 0, true, false)
    (document.layout, document.isLinked, document.speed) = (.grid, false, 1.1)
    return document
  }

  @Test func everythingIsReadBack() throws {
    let text = document.text(inFileAt: "/s/eval.yaml")
    #expect(text.hasPrefix("quadrille: session 1\n"))
    #expect(text.contains("- clip: a.mp4\n") && text.contains("- file: list.m3u\n"), "relative to the file")
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(try read(text) == document)
    // The folder as a whole has been moved.
    let moved = try read(text, file: "t/eval.yaml")
    #expect(moved.panes[0].clips.map(\.path) == ["t/a.mp4", "/else/b: \"c\".mkv"] && moved.panes[1].clips == document.panes[1].clips)
  }

  @Test func whatIsMissingIsAsUsual() throws {
    #expect(try read(small, file: "eval.yaml") == SessionDocument(panes: [.init(clips: [.init(path: "a.mp4")])]))
  }

  @Test func aRunBeginsAsSaved() {
    var options = PlayOptions()
    options.beginning.isShuffled = true
    document.apply(to: &options)
    #expect(options.clips.map(\.count) == [2, 1] && options.clips[0].place == 1 && options.clips[0].files == ["/s/list.m3u"])
    #expect(options.start(ofClip: 0) == .time(MediaTime(value: 1001 * 77, timescale: 30000)) && options.start(ofClip: 1) == .time(.zero))
    #expect(options.beginning.offsets.map(\.pane) == [1, 2])
    #expect(options.beginning.offsets[1].amount == .time(MediaTime(value: -1, timescale: 24)))
    #expect(!options.isLinked && options.view.layout == .grid && options.beginning.speed == 1.1 && !options.beginning.isShuffled)
    #expect(!options.beginning.isPaused, "one of both plays")
  }

  @Test(arguments: [
    ("", nil, "not a session"), ("text", 1, "not a session"), ("quadrille: movie 1\n", 1, "not a session"),
    ("panes: []\nquadrille: session 1\n", 1, "not a session"), ("a: [", 2, "invalid YAML"),
    ("quadrille: session 2\npanes: []\n", 1, "\"session 2\" is not \"session 1\""),
    ("quadrille: session 1\n", 1, "one to four panes"), ("quadrille: session 1\npanes: 5\n", 2, "expected a list"),
    ("quadrille: session 1\npanes:\n  - 3\n", 3, "for a pane"),
    ("quadrille: session 1\npanes:\n  - clips: []\n", 3, "expected 1 to 10000 clips"),
    ("quadrille: session 1\npanes:\n  - clips:\n    - clip:\n", 4, "no value"),
    ("quadrille: session 1\npanes:\n  - clips:\n    - clip: \"a\\0b\"\n", 4, "a file name"),
    ("quadrille: session 1\nfocus: 2\npanes:\n  - clips: [{clip: a}]\n", 2, "from 1 to 1"),
    ("quadrille: session 1\nspeed: nan\npanes:\n  - clips: [{clip: a}]\n", 2, "from 0.05 to 16"),
    ("quadrille: session 1\nvolume: 2\n", 2, "unknown key \"volume\""),
  ])
  func errorsNameTheLine(text: String, line: Int?, message: String) {
    let error = #expect(throws: FileError.self) { try read(text) }
    #expect(error?.file == "/s/eval.yaml" && error?.message.contains(message) == true, "\(error?.description ?? "")")
    if let line { #expect(error?.line == line) }
  }

  @Test(arguments: [
    "current: 2", "current: 0", "at: -1", "at: x", "at: 1/0", "at: 9999999999999999", "offset: [1]", "paused: maybe", "gravity: left",
    "zoom: 0", "zoom: 33", "grid: 0x5", "grid: 5x5+1+1", "crop: 1x", "center: 2,0", "center: nan,0", "filter: blur", "plane: u", "fields: both", "repeat: 3",
    "compare: {with: 1}", "compare: {with: 3}", "compare: {mode: wipe}", "compare: {with: 2, mode: x}", "compare: {with: 2, edge: 2}",
    "compare: {with: 2, squares: 0}", "compare: {with: 2, gain: 65}", "compare: {with: 2, alternations: -1}", "compare: 3",
  ])
  func valuesAreChecked(line: String) {
    let error = #expect(throws: FileError.self) { try read(small + "    \(line)\n  - clips: [{clip: b.mp4}]\n") }
    #expect(error?.line == 4, "\(error?.description ?? "")")
  }
}
