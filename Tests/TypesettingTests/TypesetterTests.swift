import Foundation
import Pixels
import TestSupport
import Testing

@testable import Typesetting

@Suite(.timeLimit(.minutes(20)), .enabled(if: Stage.library != nil, "libass is not installed")) struct TypesetterTests {
  private func typesetter() throws -> Typesetter { try Typesetter(#require(Stage.library)) }

  @Test func plainTextIsWhiteWithAnOutlineAtTheBottom() throws {
    let image = try typesetter().draw(Stage.scene(["Some words"])).drawn(over: Stage.ground())
    let letters = try #require(Stage.area(image) { $0 == 255 && $1 == 255 && $2 == 255 })
    let outline = try #require(Stage.area(image) { $0 == 0 && $1 == 0 && $2 == 0 })
    #expect(letters.y > 140 && letters.maxY < 180 && letters.height > 8)
    #expect(abs(letters.x + letters.maxX - 320) < 16)
    #expect(outline.x < letters.x && outline.y < letters.y && outline.maxX > letters.maxX && outline.maxY > letters.maxY)
    #expect(image[0, 0] == (100, 100, 100))
  }

  @Test func textHasItsPlaceAndColour() throws {
    let typesetter = try typesetter()
    // The middle of its top is there.
    let scene = Stage.scene(["{\\an8\\pos(80,30)\\c&H0000FF&\\bord0}Sign"])
    for factor in [1, 3] {
      var scene = scene
      scene.size = PixelSize(width: 320 * factor, height: 180 * factor)
      let image = try typesetter.draw(scene).drawn(over: Stage.ground(scene.size))
      let red = try #require(Stage.area(image) { $0 > 240 && $1 < 20 && $2 < 20 })
      #expect(abs(red.x + red.maxX - 160 * factor) < 8 * factor)
      #expect((30 * factor...46 * factor).contains(red.y) && (12 * factor...28 * factor).contains(red.height))
    }
  }

  /// Of a picture whose left quarter is cut off, the rest stays where it is, and words stay within it.
  @Test func aCroppedPicture() throws {
    var scene = Stage.scene(["{\\an7\\pos(160,30)\\c&H0000FF&\\bord0}Sign", "Words that need most of the width"], size: PixelSize(width: 240, height: 180))
    scene.crop.left = 80
    let image = try typesetter().draw(scene).drawn(over: Stage.ground(scene.size))
    let red = try #require(Stage.area(image) { $0 > 240 && $1 < 20 && $2 < 20 })
    #expect((80...84).contains(red.x))
    let letters = try #require(Stage.area(image) { $0 == 255 && $1 == 255 && $2 == 255 })
    #expect(letters.x >= 3 && letters.maxX <= 237 && abs(letters.x + letters.maxX - 240) < 16)
  }

  @Test func wordsStayOutOfWhatIsCovered() throws {
    var scene = Stage.scene(["Some words"])
    scene.lift = 0.5
    let image = try typesetter().draw(scene).drawn(over: Stage.ground())
    let letters = try #require(Stage.area(image) { $0 == 255 && $1 == 255 && $2 == 255 })
    #expect(letters.maxY < 100 && letters.y > 60)
  }

  @Test func whatIsTransparentIsMixed() throws {
    let image = try typesetter().draw(Stage.scene(["{\\an7\\pos(0,0)\\bord0\\alpha&H80&\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}"])).drawn(over: Stage.ground())
    let mixed = image[50, 50]
    #expect((176...178).contains(mixed.red) && mixed.red == mixed.green && mixed.red == mixed.blue)
    #expect(image[150, 50] == (100, 100, 100))
  }

  @Test func whatDoesNotChangeIsNotDrawnAgain() throws {
    let typesetter = try typesetter(), still = Stage.scene(["Words"], time: 100)
    let first = try typesetter.draw(still)
    var later = still
    later.time = 900
    #expect(try typesetter.draw(later) === first)
    let moving = Stage.scene(["{\\move(0,0,100,100)}Words"], time: 100)
    var moved = moving
    moved.time = 900
    #expect(try typesetter.draw(moving) !== typesetter.draw(moved))
    // Nothing to see costs no copy.
    let none = try typesetter.draw(Stage.scene([]))
    let ground = Stage.ground()
    #expect(none.isEmpty && none.drawn(over: ground).isCopy(of: ground))
    #expect(first.drawn(over: Stage.ground(PixelSize(width: 100, height: 100))) == Stage.ground(PixelSize(width: 100, height: 100)))
  }

  /// A fade, and a syllable that has not been sung.
  @Test func linesFollowTheTime() throws {
    let typesetter = try typesetter()
    func brightness(_ text: String, _ time: Int) throws -> Int {
      let image = try typesetter.draw(Stage.scene([text], time: time)).drawn(over: Stage.ground(level))
      return image.withBytes { $0.reduce(0) { $0 + Int($1) } }
    }
    let level = PixelSize(width: 320, height: 180)
    let fading = try [50, 200, 500].map { try brightness("{\\fad(400,0)\\bord0}Words", $0) }
    #expect(fading[0] < fading[1] && fading[1] < fading[2])
    // Unsung syllables are red.
    let sung = try [50, 950].map { try brightness("{\\k50\\bord0}Some{\\k40}words", $0) }
    #expect(sung[0] < sung[1])
  }

  @Test func anOverlayTakesMemoryOnlyWhereThereIsText() throws {
    let size = PixelSize(width: 1280, height: 720)
    let text = try typesetter().draw(Stage.scene(["{\\an8}Above", "Below"], size: size))
    #expect(text.bands.count == 2 && text.byteCount < 4 * size.area / 6)
  }

  @Test func aFontInTheScriptIsRead() throws {
    let typesetter = try typesetter()
    // One that is none is left out.
    typesetter.add(TypesettingFont(name: "none.ttf", bytes: Array("no font".utf8)))
    typesetter.add(TypesettingFont(name: "empty.ttf", bytes: []))
    #expect(try !typesetter.draw(Stage.scene(["{\\fnnone}Words"])).isEmpty)
  }

  private static let fixedWidth = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

  /// A font of a name that the system does not know, in which all letters are equally wide.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: fixedWidth), "DejaVu Sans Mono is not installed"))
  func aFontThatCameWithTheClipIsUsed() throws {
    let names: [[UInt8]] = [Array("DejaVu".utf8), "DejaVu".utf8.flatMap { [0, $0] }]
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.fixedWidth)))
    for name in names {
      let first = try #require(name.firstIndex(of: UInt8(ascii: "D")))
      for place in bytes.indices.dropLast(name.count) where bytes[place] == name[0] && bytes[place..<place + name.count].elementsEqual(name) {
        bytes[place + first] = UInt8(ascii: "Q")
      }
    }
    for hasFont in [false, true] {
      let typesetter = try typesetter()
      if hasFont { typesetter.add(TypesettingFont(name: "font.ttf", bytes: bytes)) }
      let widths = try ["i", "W"].map { letter in
        let text = "{\\fnQejaVu Sans Mono\\bord0\\fs60}|\(letter)|"
        let image = try typesetter.draw(Stage.scene([text])).drawn(over: Stage.ground())
        return try #require(Stage.area(image) { $0 > 200 && $1 > 200 && $2 > 200 }).width
      }
      #expect((widths[0] == widths[1]) == hasFont)
    }
  }

  @Test func aMissingLibrary() { #expect(TypesettingLibrary.find(path: "libass.so.none") == nil) }
}
