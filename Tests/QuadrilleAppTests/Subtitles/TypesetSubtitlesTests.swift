import DecodePool
import Pixels
import Playback
import Synchronization
import Testing
import Typesetting

@testable import QuadrilleApp

/// Text subtitles in frames in pixels.
@Suite(.timeLimit(.minutes(20))) struct TypesetSubtitlesTests {
  private static let library = TypesettingLibrary.find()
  private static let size = PixelSize(width: 320, height: 180)

  private static var layout: TypesetLayout {
    TypesetLayout(image: size, visible: .whole, aspect: 16.0 / 9, pixelAspect: 1, coded: size, cellHeight: 18)
  }

  private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

  private static func cue(_ text: String, _ start: Int64 = 0, _ end: Int64 = 2000) -> SubtitleCue {
    SubtitleCue(timeRange: TimeRange(start: time(start), end: time(end)), lines: [SubtitleLine([SubtitleSpan(text)])])
  }

  private static func plain(_ text: String, at milliseconds: Int64 = 0) -> TypesetRequest {
    TypesetRequest(.plain, [cue(text)], layout, at: time(milliseconds))
  }

  private static let header = "[Script Info]\nPlayResX: 320\nPlayResY: 180\n"

  private static func authored(_ texts: [String], at milliseconds: Int64 = 0) -> TypesetRequest {
    let cues = texts.enumerated().map { cue("\($0.offset),0,Default,,0,0,0,,\($0.element)") }
    return TypesetRequest(.authored(header: header), cues, layout, at: time(milliseconds))
  }

  /// What a pane has, and a worker whose news can be waited for.
  private final class Stage {
    var subtitles = TypesetSubtitles()
    private let news = Monitor(0)
    var isInstalled = true
    var workers = 0

    func show(_ wanted: TypesetRequest?, isResting: Bool = true, next: TypesetRequest? = nil) -> Bool {
      subtitles.show(wanted, isResting: isResting, next: { next }) {
        workers += 1
        return TypesettingWorker(
          fonts: nil,
          wake: { [news] in
            news.withLock { $0 += 1 }
            news.signal()
          }
        ) { [isInstalled] () throws(TypesettingError) in
          guard isInstalled, let library = TypesettingLibrary.find() else { throw .noLibrary }
          return try Typesetter(library)
        }
      }
    }

    /// Waits until the worker has answered.
    func wait() {
      news.wait { count -> Void? in
        guard count > 0 else { return nil }
        count -= 1
        return ()
      }
    }
  }

  private static let ground = PixelImage(size: size) { $0.update(repeating: 100) }

  @Test(.enabled(if: library != nil, "libass is not installed")) func textIsInCellsUntilItIsDrawn() {
    let stage = Stage(), request = Self.plain("Words")
    #expect(!stage.show(nil) && stage.workers == 0)
    #expect(!stage.show(request) && stage.subtitles.script == nil)
    #expect(stage.subtitles.image(over: Self.ground).isCopy(of: Self.ground))
    stage.wait()
    #expect(stage.show(request) && stage.subtitles.script == .plain && stage.workers == 1)
    let image = stage.subtitles.image(over: Self.ground)
    #expect(image != Self.ground)
    // The same frame has the same image, so that it is not sent again; later, the words are the same.
    #expect(!stage.show(Self.plain("Words", at: 500)))
    #expect(stage.subtitles.image(over: Self.ground).isCopy(of: image))
    // Nothing to show is nothing to copy.
    #expect(stage.show(TypesetRequest(.plain, [], Self.layout, at: Self.time(900))) && stage.subtitles.script == .plain)
    #expect(stage.subtitles.image(over: Self.ground).isCopy(of: Self.ground))
    // Cells have them again.
    #expect(!stage.show(nil) && stage.subtitles.script == nil)
  }

  @Test(.enabled(if: library != nil, "libass is not installed")) func theNextTextIsDrawnInAdvance() {
    let stage = Stage(), first = Self.plain("One"), second = Self.plain("Two", at: 1000)
    _ = stage.show(first, isResting: false)
    stage.wait()
    #expect(stage.show(first, isResting: false, next: second))
    stage.wait()
    #expect(!stage.show(first, isResting: false, next: second))
    #expect(stage.show(second, isResting: false) && stage.subtitles.image(over: Self.ground) != Self.ground)
  }

  @Test(.enabled(if: library != nil, "libass is not installed")) func movementsFollowFramesAndAreExactAtRest() {
    let stage = Stage()
    func moving(_ time: Int64) -> TypesetRequest { Self.authored(["{\\move(0,90,320,90)}Words"], at: time) }
    _ = stage.show(moving(500), isResting: false)
    stage.wait()
    #expect(stage.show(moving(500), isResting: false))
    // A frame that moves has the nearest, and keeps it.
    #expect(!stage.show(moving(540), isResting: false))
    stage.wait()
    #expect(!stage.show(moving(540), isResting: false))
    let approximate = stage.subtitles.image(over: Self.ground)
    #expect(stage.show(moving(540)))
    let exact = stage.subtitles.image(over: Self.ground)
    #expect(exact != approximate && !stage.show(moving(540)) && stage.subtitles.image(over: Self.ground).isCopy(of: exact))
  }

  @Test(.enabled(if: library != nil, "libass is not installed")) func whatIsTooMuchStaysInCells() {
    let stage = Stage(), much = Self.authored((0..<1100).map { "Line \($0)" })
    _ = stage.show(much)
    stage.wait()
    #expect(!stage.show(much) && stage.subtitles.script == nil)
    // Other scripts are drawn.
    _ = stage.show(Self.plain("Words"))
    stage.wait()
    #expect(stage.show(Self.plain("Words")) && stage.subtitles.script == .plain)
  }

  @Test func withoutTheLibraryTextStaysInCells() {
    let stage = Stage(), request = Self.plain("Words")
    stage.isInstalled = false
    _ = stage.show(request)
    stage.wait()
    #expect(!stage.show(request) && !stage.show(Self.plain("Others")))
    #expect(stage.subtitles.script == nil && stage.workers == 1 && stage.subtitles.image(over: Self.ground).isCopy(of: Self.ground))
  }

  @Test func aThreadThatCannotStart() {
    let worker = TypesettingWorker(
      fonts: nil, wake: {}, startThread: { _ throws(ThreadError) in throw ThreadError(code: 11) },
      makeDrawer: { () throws(TypesettingError) in throw .noLibrary })
    guard case .isUnavailable? = worker.take().first else { return #expect(Bool(false)) }
  }

  @Test(arguments: [
    ("Words, and {\\i1}more{\\i0}", false), ("{\\pos(1,2)\\frz3\\fs20}Words", false), ("{\\t(\\fs20)}", true), ("{\\move(1,2,3,4)}Words", true),
    ("{\\fad(1,2)}Words", true), ("{\\k20}Wo{\\kf20}rds", true), ("{\\K20}Words", true), ("Words \\", false), ("Words\\Nmore", false),
  ])
  func whichLinesChange(text: String, isAnimated: Bool) { #expect(Self.authored([text]).isAnimated == isAnimated) }

  @Test func effectsChange() {
    let cue = Self.cue("0,0,Default,,0,0,0,Banner;20,Words")
    #expect(TypesetRequest(.authored(header: Self.header), [cue], Self.layout, at: .zero).isAnimated)
  }

  /// Lines are visible at the time of the frame, whatever is lost by rounding.
  @Test func linesOfAScene() {
    let range = TimeRange(start: MediaTime(value: 10_006, timescale: 10_000), end: MediaTime(value: 10_007, timescale: 10_000))
    let cue = SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan("0,0,Default,,0,0,0,,Words")])])
    let scene = TypesetRequest(.authored(header: Self.header), [cue], Self.layout, at: range.start).scene
    #expect(scene.lines.allSatisfy { $0.start <= scene.time && scene.time < $0.start + $0.duration })
    var filled = Self.layout
    filled.visible = FrameRegion(x: 0.25, y: 0, width: 0.5, height: 1)
    filled.covered = 18
    let cropped = TypesetRequest(.authored(header: Self.header), [cue], filled, at: range.start).scene
    #expect(cropped.crop.left == 160 && cropped.crop.right == 160 && cropped.crop.top == 0 && abs(cropped.lift - 0.1) < 1e-9)
  }
}
