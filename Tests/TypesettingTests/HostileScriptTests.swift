import Pixels
import TestSupport
import Testing

@testable import Typesetting

/// Scripts that nobody wrote for people.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Stage.library != nil, "libass is not installed")) struct HostileScriptTests {
  private func typesetter() throws -> Typesetter { try Typesetter(#require(Stage.library)) }

  /// Draws, or says that it is too much; then draws something else.
  private func expectBounded(_ typesetter: Typesetter, _ scene: TypesettingScene, _ name: String) throws {
    let clock = ContinuousClock(), start = clock.now
    do throws(TypesettingError) {
      let text = try typesetter.draw(scene)
      #expect(text.byteCount <= 4 * scene.size.area, "\(name)")
    } catch {
      #expect(error == .tooLarge || error == .tooSlow, "\(name)")
    }
    #expect(clock.now - start < .seconds(20), "\(name)")
    #expect(try !typesetter.draw(Stage.scene(["Words"])).isEmpty, "\(name)")
  }

  @Test(arguments: [
    "{\\fscx1000000\\fscy1000000}Words", "{\\bord100000\\shad100000\\blur10000}Words", "{\\fs-5\\fsp1e30}Words",
    "{\\p1}m 0 0 l 1000000000 0 1000000000 1000000000 0 1000000000{\\p0}", "{\\p1}m -2147483648 -2147483648 b 2147483647 0 0 2147483647 1 1",
    "{\\p1073741824}m 0 0 l 1 1 0 1", "{\\frx89.9999\\fry89.9999\\fax1000}Words", "{\\pos(1e308,-1e308)}Words", "{\\pos(nan,inf)\\org(1e30,1e30)\\frz45}Words",
    "{\\clip(1,m 0 0 l 100000000 0 0 100000000)}Words", "{\\t(0,1,1e300,\\fs1e300)}Words", "{\\be100000}Words", "{\\k99999999999}Words",
    "{\\fn../../../../etc/passwd}Words", "{\\r}{\\r{\\r}{{{{", "\\N\\N\\N\\N\\n\\h\\", "\u{0}\u{1}\u{202E}\u{FFFF}",
  ])
  func tagsWithEnormousNumbers(text: String) throws { try expectBounded(typesetter(), Stage.scene([text]), text) }

  @Test func muchAtOnce() throws {
    let typesetter = try typesetter()
    try expectBounded(typesetter, Stage.scene((0..<1000).map { "Line \($0)" }), "lines")
    #expect(throws: TypesettingError.tooLarge) { try typesetter.draw(Stage.scene((0..<1001).map { "Line \($0)" })) }
    try expectBounded(typesetter, Stage.scene([String(repeating: "Words ", count: 30_000)]), "a long line")
    try expectBounded(typesetter, Stage.scene([String(repeating: "{\\b1}W{\\b0}", count: 20_000)]), "many tags")
    let drawing = "{\\p1}m 0 0" + (0..<20_000).map { " l \($0 % 320) \($0 * 7 % 180)" }.joined()
    try expectBounded(typesetter, Stage.scene([drawing]), "a long drawing")
    try expectBounded(typesetter, Stage.scene((0..<200).map { _ in "{\\an7\\pos(0,0)\\p1}m 0 0 l 320 0 320 180 0 180" }), "layers")
    #expect(throws: TypesettingError.tooLarge) { try typesetter.draw(Stage.scene([String(repeating: "x", count: 2 << 20)])) }
    #expect(throws: TypesettingError.tooLarge) {
      try typesetter.draw(TypesettingScene(header: String(repeating: "x", count: 9 << 20), lines: [], time: 0, size: PixelSize(width: 1, height: 1)))
    }
    for size in [PixelSize(width: 0, height: 5), PixelSize(width: 9000, height: 5)] {
      #expect(throws: TypesettingError.tooLarge) { try typesetter.draw(Stage.scene(["Words"], size: size)) }
    }
  }

  @Test func strangeHeaders() throws {
    let typesetter = try typesetter(), size = PixelSize(width: 320, height: 180)
    for more in [
      "PlayResX: 0\nPlayResY: 0", "PlayResX: -5\nPlayResY: 2147483647", "LayoutResX: 1\nLayoutResY: 100000000", "Timer: -1e300",
      "[Fonts]\nfontname: ../../x.ttf\n" + String(repeating: "!!!!", count: 2000), "[Graphics]\nfilename: /etc/passwd\n",
    ] {
      let scene = TypesettingScene(header: Stage.header(more: more), lines: [Stage.line("Words")], time: 1, size: size)
      try expectBounded(typesetter, scene, more)
    }
    try expectBounded(typesetter, TypesettingScene(header: "", lines: [Stage.line("Words")], time: 1, size: size), "none")
  }

  @Test func randomScripts() throws {
    var generator = SeededGenerator(seed: 55)
    let typesetter = try typesetter()
    let pieces = ["{", "}", "\\", "(", ")", ",", "&H", "p1", "p0", "fs", "bord", "blur", "clip", "t", "move", "pos", "k", "frz", "N", "1", "-9", "1e9", "m 0 0 l 9 9", "words", ";", "\n", "\u{0}"]
    for number in 0..<150 {
      let text = (0..<Int.random(in: 1..<80, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let noise = String(decoding: bytes, as: UTF8.self)
      let header = number % 3 == 0 ? Stage.header(more: noise) : number % 3 == 1 ? noise + text : Stage.header()
      let lines = [Stage.line(text, start: -5, end: .max), .init(text: noise, start: .min, end: .max)]
      try expectBounded(typesetter, TypesettingScene(header: header, lines: lines, time: number, size: PixelSize(width: 64, height: 36)), "\(number): \(text)")
    }
  }
}
