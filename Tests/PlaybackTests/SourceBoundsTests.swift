import Foundation
import TestSupport
import Testing

/// Rules for the sources, so that they can be read and their tests end.
@Suite(.timeLimit(.minutes(20))) struct SourceBoundsTests {
  private func sources(in folder: String) throws -> [(name: String, text: String)] {
    let root = PackageFolder.root.appendingPathComponent(folder)
    let names = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
    return try names.filter { $0.pathExtension == "swift" }.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
  }

  /// A folder of tests that no target has is never built, and nobody notices.
  @Test func allTestsAreRun() throws {
    let package = try PackageFolder.text(of: "Package.swift")
    let folders = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.root.appendingPathComponent("Tests").path)
    for folder in folders where folder.hasSuffix("Tests") { #expect(package.contains("tests(\"\(folder)\""), "\(folder)") }
  }

  @Test func noFileOfThePlayerIsLong() throws {
    let files = try sources(in: "Sources/Playback/Player")
    #expect(files.count > 20)
    for (name, text) in files { #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(name)") }
  }

  /// Types and the number of their stored properties, as the layout of the sources shows them.
  private func storedProperties(_ text: String) -> [(type: String, count: Int, isMutable: Bool)] {
    var open: [(indent: Int, type: String, count: Int, isMutable: Bool)] = [], result: [(type: String, count: Int, isMutable: Bool)] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (i, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split { $0 == " " || $0 == ":" || $0 == "<" }
      if line.hasSuffix("{"), let kind = words.firstIndex(where: { ["struct", "class", "actor", "enum"].contains($0) }), kind + 1 < words.count,
        words[..<kind].allSatisfy({ $0 != "//" && $0 != "///" && $0 != "func" }) {
        open.append((indent, String(words[kind + 1]), 0, words[kind] == "class" || words[kind] == "actor"))
      } else if let type = open.last, line.dropFirst(indent).first == "}", indent == type.indent {
        result.append((type.type, type.count, type.isMutable))
        open.removeLast()
      } else if let type = open.last, indent == type.indent + 2,
        let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }), !words[..<keyword].contains("static"),
        words[..<keyword].allSatisfy({ $0.first?.isLetter == true || $0.first == "@" }), !words.contains("func") {
        let isObserved = i + 1 < lines.count && ["willSet", "didSet"].contains { lines[i + 1].contains($0) }
        let declaration = line.prefix { $0 != "{" }
        guard !line.contains("{") || declaration.contains("=") || isObserved else { continue }
        open[open.count - 1].count += 1
        if words[keyword] == "var" { open[open.count - 1].isMutable = true }
      }
    }
    return result
  }

  /// Few enough to keep in mind.
  @Test func noMutableTypeHasManyProperties() throws {
    var counts: [String: Int] = [:]
    for (name, text) in try sources(in: "Sources/Playback/Player") + sources(in: "Sources/QuadrilleApp") {
      for (type, count, isMutable) in storedProperties(text) where isMutable {
        counts[type] = max(count, counts[type] ?? 0)
        #expect(count <= 15, "\(name): \(type) has \(count)")
      }
    }
    #expect(counts["PlayerCore"] ?? 0 >= 8 && counts["Pane"] ?? 0 >= 10, "they are counted: \(counts)")
  }

  /// Panes are drawn and reported from values, so that others may look at one session, too.
  @Test func chromeReportsAndTheScreenReadNoLivePane() throws {
    let app = "Sources/QuadrilleApp"
    let files = try sources(in: app + "/Chrome") + sources(in: app + "/Reports") + sources(in: app + "/Screen")
      + sources(in: app).filter { $0.name.hasPrefix("ChromePainter") }
    #expect(files.count > 15)
    for (name, text) in files {
      for line in text.split(separator: "\n") where !line.contains("//") {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        #expect(!words.contains { ["Pane", "Player", "PaneSet", "Workspace"].contains($0) }, "\(name): \(line)")
      }
    }
  }

  @Test func everySuiteHasATimeLimit() throws {
    var suites = 0
    for (name, text) in try sources(in: "Tests") {
      #expect(text.contains("\n@Suite") || !text.contains("  @Test"), "\(name) has tests outside of a suite")
      for line in text.split(separator: "\n") where line.hasPrefix("@Suite") {
        suites += 1
        #expect(line.contains(".timeLimit("), "\(name): \(line)")
      }
    }
    #expect(suites > 100)
  }

  /// A function that reads like a question does not change what it asks about.
  @Test func questionsChangeNothing() throws {
    var count = 0
    for (name, text) in try sources(in: "Sources") {
      for match in text.matches(of: /mutating func (\w+)/) {
        count += 1
        let isQuestion = match.1.firstMatch(of: /^(is|are|can|has|have|may|must|wants|needs|keeps|rests|should)([A-Z]|$)/) != nil
        #expect(!isQuestion, "\(name): \(match.1)")
      }
    }
    #expect(count > 300)
  }

  /// Others ask the parts what they know, and let the core change them.
  @Test func onlyTheCoreChangesItsParts() throws {
    let files = try sources(in: "Sources/Playback")
    let folders = ["Clock", "Seeking", "Decoding", "Presentation", "Item"]
    let parts = try folders.flatMap { try sources(in: "Sources/Playback/Player/" + $0) }
    let transitions = Set(parts.flatMap { $0.text.matches(of: /mutating func (\w+)/).map { String($0.1) } })
    #expect(transitions.count > 100)
    for (name, text) in files where !name.hasPrefix("PlayerCore") {
      for match in text.matches(of: #/core(?:\.\w+)+ [-+]?= /#) { Issue.record("\(name): \(match.0)") }
      for match in text.matches(of: /core(?:\.\w+)+\.(\w+)\(/) {
        #expect(!transitions.contains(String(match.1)), "\(name): \(match.0)")
      }
    }
  }
}
