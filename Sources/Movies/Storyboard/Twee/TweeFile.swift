import Playback

/// A story in Twee 3, the text form of Twine: passages, and links between them.
///
/// For a storyboard a passage names its clip with a line `clip: NAME`, or in its metadata. docs/storyboards.md tells more.
public struct TweeFile: Sendable {
  /// The text of the passage `StoryTitle`; nil where there is none.
  public let title: String?
  /// The passage with which the story begins: as `StoryData` says, else `Start`.
  public let start: String
  /// The passages in their order, without `StoryTitle`, `StoryData`, scripts and style sheets.
  public let passages: [TweePassage]
  /// What was left out.
  public let warnings: [FileError]
  /// What errors call the file.
  let name: String

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: all of it, up to a megabyte.
  ///   - name: what errors call it.
  /// - Throws: `StoryboardFailure`, with everything that is wrong.
  public init(text: String, name: String) throws(StoryboardFailure) {
    guard text.utf8.count <= StoryboardLimits.bytes else {
      throw StoryboardFailure("larger than \(StoryboardLimits.bytes) bytes", file: name)
    }
    var problems: [StoryboardProblem] = []
    func report(_ line: Int?, _ message: String, _ severity: StoryboardProblem.Severity) {
      problems.report(line, message, severity)
    }
    var passages = Self.passages(text, report)
    var title: String?
    var start: String?
    for passage in passages {
      if passage.name == "StoryTitle" { title = passage.lines.joined(separator: " ") }
      if passage.name == "StoryData" { start = Self.start(passage, report) }
    }
    let special: Set = ["StoryTitle", "StoryData"]
    passages.removeAll { special.contains($0.name) || $0.tags.contains("script") || $0.tags.contains("stylesheet") }
    var lines: [String: Int] = [:]
    for passage in passages {
      if let first = lines[passage.name] {
        report(passage.line, "passage \"\(passage.name.clipped)\" is defined twice, first on line \(first)", .error)
      }
      lines[passage.name] = lines[passage.name] ?? passage.line
    }
    let first = start ?? "Start"
    if passages.isEmpty {
      report(nil, "no passages; expected lines that start with \"::\"", .error)
    } else if lines[first] == nil {
      report(
        nil, "there is no passage \"\(first.clipped)\" to start with; add it, or set \"start\" in StoryData", .error)
    }
    try problems.throwErrors(file: name)
    self.title = title
    self.start = first
    self.passages = passages
    self.name = name
    warnings = FileError.list(problems, file: name)
  }

  private typealias Report = (Int?, String, StoryboardProblem.Severity) -> Void

  private static func passages(_ text: String, _ report: Report) -> [TweePassage] {
    var passages: [TweePassage] = []
    var hasText = false
    // What follows a header that could not be read belongs to no passage.
    var isLost = false
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    // "\r\n" is one character.
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r\n", "\r"].contains($0) }
    ).enumerated() {
      if line.hasPrefix("::") {
        isLost = true
        do throws(TweePassage.HeaderFailure) {
          passages.append(
            try TweePassage(header: String(line), line: index + 1) { report(index + 1, $0, .warning) })
          isLost = false
        } catch {
          report(index + 1, error.problem, .error)
        }
      } else if !isLost, !passages.isEmpty {
        passages[passages.count - 1].lines.append(String(line))
      } else if !isLost, !hasText, !line.allSatisfy(\.isWhitespace) {
        hasText = true
        report(index + 1, "text before the first passage is ignored", .warning)
      }
    }
    for index in passages.indices {
      while let last = passages[index].lines.last, last.allSatisfy(\.isWhitespace) {
        passages[index].lines.removeLast()
      }
    }
    return passages
  }

  /// The beginning that `StoryData` tells.
  private static func start(_ data: TweePassage, _ report: Report) -> String? {
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(Array(data.lines.joined(separator: "\n").utf8))
      if case .object = value { return value["start"]?.text }
      report(data.line, "StoryData is not a JSON object", .warning)
    } catch {
      report(data.line + error.line, "StoryData: \(error.problem)", .warning)
    }
    return nil
  }
}
