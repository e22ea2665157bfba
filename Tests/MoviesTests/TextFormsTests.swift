import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

/// Movies and storyboards with the line ends, marks and encodings of other systems.
@Suite(.timeLimit(.minutes(20))) struct TextFormsTests {
  private static let texts = [
    "movie.yaml": "quadrille: movie 1\npieces:\n  - clip: \"é.mp4\"\n  - clip: b.mp4\n    for: x\n",
    "movie.edl": "TITLE: é\n001  AX V C 00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00\n* FROM CLIP NAME: a.mp4\n* FRAME RATE: 25\n",
    "movie.otio": """
      {"OTIO_SCHEMA": "Timeline.1", "name": "é", "tracks":
      {"OTIO_SCHEMA": "Stack.1", "children": []}}

      """,
    "story.yaml": "quadrille: storyboard 1\nscenes:\n  - scene: A\n    tracks:\n      - track: a\n        clip: a.mp4\n        length: 8\n        then: end\n",
    "story.twee": ":: Start\nclip: a.mp4\nlength: 3\n",
  ]

  /// Returns what is read of a file, or the error with its line.
  private static func read(_ path: String) -> String {
    do {
      if FileKind(path: path) == .storyboard { return StoryboardWriter(try StoryboardFile.read(path).storyboard).text }
      return "\(try MovieFile.read(path: path).document.title ?? "no title")"
    } catch let error as FileError {
      return "\(error.line ?? 0): \(error.message)"
    } catch let error as StoryboardFailure {
      return "\(error.problems.map { "\($0.line ?? 0): \($0.message)" })"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: TextFormsTests.texts.keys.sorted()) func allAreReadTheSame(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(name)
    let text = try #require(Self.texts[name])
    func written(_ text: String, _ encoding: String.Encoding) throws -> String {
      try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: path))
      return Self.read(path)
    }
    let expected = try written(text, .utf8)
    #expect(name.hasPrefix("story") || name == "movie.yaml" ? expected.contains(name == "movie.yaml" ? "5: " : "a.mp4") : expected == "é")
    for end in ["\n", "\r\n", "\r"] {
      let other = text.replacingOccurrences(of: "\n", with: end)
      for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
        #expect(try written("\u{FEFF}" + other, encoding) == expected, "\(encoding)")
        #expect(try written(other, encoding) == expected, "\(encoding)")
      }
    }
  }
}
