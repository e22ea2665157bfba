import Pixels
import TerminalHarness
import TestSupport
import Testing
import Typesetting

/// Text drawn by a process of its own.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TypesettingLibrary.find() != nil, "libass is not installed"))
struct TextDrawingTests {
  private func process() throws -> TypesettingProcess { try TypesettingProcess(program: #require(ProgramUnderTest.path)) }

  private func scene(_ text: String, header: String = "[Script Info]\nPlayResX: 320\nPlayResY: 180\n") -> TypesettingScene {
    TypesettingScene(
      header: header, lines: [.init(text: "0,0,Default,,0,0,0,,\(text)", start: 0, end: 1000)], time: 500,
      size: PixelSize(width: 320, height: 180))
  }

  private let ground = PixelImage(size: PixelSize(width: 320, height: 180)) { $0.update(repeating: 100) }

  @Test func itDrawsTheSame() throws {
    let process = try process(), here = try Typesetter(#require(TypesettingLibrary.find()))
    process.add(TypesettingFont(name: "none.ttf", bytes: Array("no font".utf8)))
    for text in ["Words", "{\\an7\\pos(9,9)\\c&H0000FF&}Sign", "", "{\\k20}Wo{\\k40}rds"] {
      let drawn = try process.draw(scene(text))
      #expect(drawn.drawn(over: ground) == (try here.draw(scene(text)).drawn(over: ground)))
      #expect(try process.draw(scene(text)) === drawn)
    }
    #expect(throws: TypesettingError.tooLarge) { try process.draw(scene(String(repeating: "x", count: 2 << 20))) }
    #expect(process.isUsable)
  }

  /// What needs gigabytes or a minute in libass ends, and with it at most the process.
  @Test(arguments: [
    "{\\fs100000}Words", "{\\fs16000}Words", "{\\fs20\\fs+1000\\fs+100}Words", "{\\fs100\\fscx40000\\fscy40000}Words",
    "{\\p1}m 0 0 l 16000 0 16000 16000 0 16000", "{\\fs2000\\fscx800\\fscy800}Words",
  ])
  func enormousLetters(text: String) throws {
    var process = try process()
    do throws(TypesettingError) {
      _ = try process.draw(scene(text))
    } catch {
      #expect([.failed, .tooLarge, .tooSlow].contains(error))
    }
    if !process.isUsable { process = try self.process() }
    #expect(try !process.draw(scene("Words")).isEmpty)
  }

  @Test func aProgramThatDoesNotDraw() {
    for program in ["/bin/true", "/nowhere/program"] {
      #expect(throws: TypesettingError.failed) { try TypesettingProcess(program: program) }
    }
  }
}
