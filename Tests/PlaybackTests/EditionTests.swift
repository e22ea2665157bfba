import Foundation
import Playback
import TestSupport
import Testing

/// Editions of Matroska files.
@Suite(.timeLimit(.minutes(20))) struct EditionTests {
  /// An element with a size in eight bytes.
  private func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
    let size = (0..<7).map { (byte: Int) -> UInt8 in UInt8(body.count >> (48 - 8 * byte) & 0xFF) }
    let head: [UInt8] = id + [0x01]
    return head + size + body
  }

  private func editions(_ segment: [UInt8], head: [UInt8]? = nil) throws -> [Edition] {
    let bytes = (head ?? element([0x1A, 0x45, 0xDF, 0xA3], [])) + element([0x18, 0x53, 0x80, 0x67], segment)
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("a.mkv")))
    return Edition.editions(ofFile: folder.path("a.mkv"))
  }

  private func entry(isDefault: Bool, isOrdered: Bool, chapters: Int) -> [UInt8] {
    element(
      [0x45, 0xB9],
      element([0x45, 0xDB], [isDefault ? 1 : 0]) + element([0x45, 0xDD], [isOrdered ? 1 : 0])
        + (0..<chapters).flatMap { _ in element([0xB6], [0xEC, 0x80]) })
  }

  @Test func theyAreFoundBehindOtherParts() throws {
    let void = element([0xEC], [UInt8](repeating: 7, count: 5000))
    let chapters = element(
      [0x10, 0x43, 0xA7, 0x70], entry(isDefault: false, isOrdered: true, chapters: 3) + entry(isDefault: true, isOrdered: false, chapters: 2))
    let found = try editions(void + chapters + void)
    #expect(found.map(\.isOrdered) == [true, false] && found.map(\.isDefault) == [false, true] && found.map(\.chapterCount) == [3, 2])
  }

  @Test func whatIsCutOffOrNoMatroskaHasNone() throws {
    let chapters = element([0x10, 0x43, 0xA7, 0x70], entry(isDefault: true, isOrdered: true, chapters: 1))
    #expect(try editions(Array(chapters.dropLast(4))).isEmpty && editions([]).isEmpty && editions(chapters, head: [1, 2, 3, 4]).isEmpty)
    #expect(Edition.editions(ofFile: "/nowhere.mkv").isEmpty && Edition.editions(ofFile: "/").isEmpty)
    #expect(try Edition.editions(ofFile: SampleClip.h264BFrames.path()).isEmpty)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var bytes = chapters
      for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      _ = try editions(bytes)
    }
  }

  @Test func asFilesHaveThem() throws {
    let clip = try SampleMedia.chapters("chapters.mkv", count: 2)
    #expect(Edition.editions(ofFile: clip).map(\.chapterCount) == [2])
  }
}
