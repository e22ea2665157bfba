import Foundation
import TestSupport

/// Reads the files that the examples are in and are shown by.
enum ExampleText {
  /// All Swift files of a folder, in the order of their names.
  static func swiftFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: PackageFolder.root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { folder + "/" + $0 }
  }

  /// The pieces of Swift code in a text of Markdown, in order.
  static func code(inMarkdown text: String) -> [String] {
    var pieces: [String] = []
    var piece: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        piece = []
      } else if line.hasPrefix("```"), let lines = piece {
        pieces.append(lines.map { $0 + "\n" }.joined())
        piece = nil
      } else {
        piece?.append(line)
      }
    }
    return pieces
  }

  /// The pieces of a source file that stand between `// guide: NAME` and `// end`, without the markers' indentation.
  static func markedPieces(_ source: String) -> [(name: String, code: String)] {
    var pieces: [(name: String, code: String)] = []
    var isInside = false
    var indentation = 0
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// guide: ") {
        pieces.append((String(text.dropFirst("// guide: ".count)), ""))
        (isInside, indentation) = (true, line.count - text.count)
      } else if text == "// end" {
        isInside = false
      } else if isInside {
        pieces[pieces.count - 1].code += line.dropFirst(min(indentation, line.count)) + "\n"
      }
    }
    return pieces
  }
}
