import Foundation
import Glibc
import TestSupport
import Testing

@testable import Libav

/// Names of files that need not be UTF-8.
@Suite(.timeLimit(.minutes(20))) struct FileNameTests {
  private func bytes(_ name: String) -> [UInt8] {
    FileName.withBytes(name) { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  @Test func plainNamesStayAsTheyAre() {
    for name in ["", "a.mp4", "Ä ö/ü.mkv", "名前.ts", "👩‍👩‍👧.mov", "\u{FFFD}\u{E000}.gif"] {
      #expect(FileName.text(name.utf8) == name && bytes(name) == Array(name.utf8))
    }
  }

  /// A slash and a mark that follows it are one character; the system parts names at bytes.
  @Test func partsAreThoseOfTheSystem() {
    let name = "a.b/\u{301}c.D.MKV"
    #expect(FileName.folder(of: name).utf8.elementsEqual("a.b/".utf8))
    #expect(FileName.base(of: name).utf8.elementsEqual("\u{301}c.D.MKV".utf8))
    #expect(FileName.ending(of: name) == "mkv")
    #expect(FileName.folder(of: "a.mp4").isEmpty && FileName.base(of: "a.mp4") == "a.mp4")
    #expect(FileName.ending(of: "a.b/c").isEmpty && FileName.ending(of: "c.").isEmpty)
  }

  @Test func everyNameComesBack() {
    var dice = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let pieces: [[UInt8]] = (0..<Int.random(in: 0..<12, using: &dice)).map { _ in
        Bool.random(using: &dice)
          ? (0..<3).map { _ in UInt8.random(in: 1...255, using: &dice) }
          : Array(["é", "\u{10FE80}", "\u{10FEFF}", "a", "😀"].randomElement(using: &dice)?.utf8 ?? "".utf8)
      }
      let name = pieces.flatMap { $0 }
      #expect(bytes(FileName.text(name)) == name)
    }
  }

  @Test func filesOfSuchNamesAreOpened() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("name-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = Array("\(folder.path)/b".utf8) + [0xFF, 0xC3] + Array(".mp4".utf8)
    #expect(symlink(try SampleClip.h264BFrames.path(), name.map(CChar.init(bitPattern:)) + [0]) == 0)
    let demuxer = try Demuxer(path: FileName.text(name), interrupter: Interrupter())
    #expect(demuxer.streams.first?.codecName == "h264")
    // As other programs write down what they cannot read.
    #expect(throws: FileInputError.notFound) {
      try Demuxer(path: String(decoding: name, as: UTF8.self), interrupter: Interrupter())
    }
  }
}
