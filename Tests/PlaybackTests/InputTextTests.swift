import Foundation
import TestSupport
import Testing

@testable import Playback

/// Files of text as other systems write them: all readers get the same plain text.
@Suite(.timeLimit(.minutes(20))) struct InputTextTests {
  private static let text = "one\ntwo é\n"

  private static func bytes(_ text: String, _ encoding: String.Encoding) -> [UInt8] { Array(text.data(using: encoding) ?? Data()) }

  @Test(arguments: ["\n", "\r\n", "\r"], [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
  func marksAndLineEnds(end: String, encoding: String.Encoding) {
    let text = Self.text.replacingOccurrences(of: "\n", with: end)
    #expect(InputText.plain(Self.bytes("\u{FEFF}" + text, encoding)) == Array(Self.text.utf8))
    // Without a mark, UTF-32 is not recognised.
    if encoding != .utf32LittleEndian { #expect(InputText.plain(Self.bytes(text, encoding)) == Array(Self.text.utf8)) }
  }

  /// Names need not be UTF-8, and may have a carriage return in them.
  @Test(arguments: [[0xE9, 0xFF, 0x0A], [0x61, 0x0D, 0x62, 0x0A], [0x61, 0, 0, 0], [], [0xFE]] as [[UInt8]])
  func othersAreUnchanged(bytes: [UInt8]) {
    #expect(InputText.plain(bytes) == bytes)
  }

  @Test func filesAreRead() throws {
    let folder = try TemporaryFolder()
    try Data(Self.bytes("\u{FEFF}" + Self.text, .utf16LittleEndian)).write(to: URL(fileURLWithPath: folder.path("a.txt")))
    #expect(try InputText.read(folder.path("a.txt"), limit: 100) == Array(Self.text.utf8))
    #expect(try InputText.read(folder.path("b.txt"), limit: 100) == nil)
    #expect(throws: PlaybackError.self) { try InputText.read(folder.path("a.txt"), limit: 20) }
  }
}
