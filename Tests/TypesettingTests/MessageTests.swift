import Pixels
import TestSupport
import Testing

@testable import Typesetting

/// What a process and its child tell each other.
@Suite(.timeLimit(.minutes(20))) struct MessageTests {
  private func scene() -> TypesettingScene {
    var scene = Stage.scene(["Words", "a, b\u{0} \u{1F3AC}"])
    (scene.crop.top, scene.crop.right, scene.storage) = (3, 4, PixelSize(width: 5, height: 6))
    (scene.pixelAspect, scene.lift) = (1.25, 0.5)
    return scene
  }

  @Test func scenesArriveAsTheyWereSent() {
    let scene = scene()
    for (withHeader, former) in [(true, ""), (false, scene.header)] {
      var message = MessageWriter()
      message.put(scene, withHeader: withHeader)
      var reader = MessageReader(message.bytes)
      #expect(reader.scene(formerHeader: former) == scene)
    }
  }

  @Test func textsAndFailuresArrive() throws {
    let size = PixelSize(width: 9, height: 7)
    let bands = [TypesetText.Band(rect: PixelRect(x: 1, y: 2, width: 3, height: 2), pixels: Array(0..<24)[...])]
    let reply = Reply.drawn(TypesetText(bands, size: size))
    #expect(reply.count <= Reply.maxLength(size))
    #expect(try Reply.check(reply) == .drawn && Reply.text(in: reply, size: size)?.bands == bands)
    // Of another size it would not fit.
    #expect(Reply.text(in: reply, size: PixelSize(width: 3, height: 7)) == nil)
    for error in TypesettingError.allCases { #expect(throws: error) { try Reply.check(Reply.failure(error)) } }
    #expect(try Reply.check(Reply.unchanged) == .unchanged)
  }

  @Test func damagedMessagesAreNone() throws {
    var generator = SeededGenerator(seed: 7), message = MessageWriter()
    message.put(scene(), withHeader: true)
    let size = PixelSize(width: 9, height: 7)
    let reply = Reply.drawn(TypesetText([.init(rect: PixelRect(x: 1, y: 2, width: 3, height: 2), pixels: Array(0..<24)[...])], size: size))
    for _ in 0..<2000 {
      for original in [message.bytes, reply] {
        var bytes = Array(original.prefix(Int.random(in: 0...original.count, using: &generator)))
        for _ in 0..<3 where !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator) }
        var reader = MessageReader(bytes)
        _ = reader.scene(formerHeader: "")
        if let text = Reply.text(in: bytes, size: size) { _ = text.drawn(over: Stage.ground(size)) }
      }
    }
  }
}
