import Playback

/// A story in Twee 3, the text format of Twine: passages, and links between them.
///
/// For a storyboard, a passage names its clip with a line `clip: NAME` or in its metadata; see docs/storyboards.md.
public struct TweeFile: Sendable {
  /// The text of the passage `StoryTitle`; nil if there is none.
  public let title: String?
  /// The name of the first passage: the one given by `StoryData`, else `Start`.
  public let start: String
  /// The passages, in order, without `StoryTitle`, `StoryData`, scripts and style sheets.
  public let passages: [TweePassage]
  /// Warnings about what was ignored, in line order.
  public let warnings: [FileError]
  /// The problems behind the warnings.
  let problems: [StoryboardProblem]
  /// The file name for errors.
  let name: String

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: the whole text, at most a megabyte.
  ///   - name: the file name for errors.
  /// - Throws: `StoryboardFailure` with all problems.
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
    self.problems = problems
    warnings = FileError.list(problems, file: name)
  }

  private typealias Report = (Int?, String, StoryboardProblem.Severity) -> Void

  private static func passages(_ text: String, _ report: Report) -> [TweePassage] {
    var passages: [TweePassage] = []
    var hasText = false
    // Text after an invalid header belongs to no passage.
    var isLost = false
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

  /// The first passage according to `StoryData`.
  private static func start(_ data: TweePassage, _ report: Report) -> String? {
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(Array(data.lines.joined(separator: "\n").utf8))
      if case .object = value { return (value["start"]?.text).map { TweePassage.trimmed($0[...]) } }
      report(data.line, "StoryData is not a JSON object", .warning)
    } catch {
      report(data.line + error.line, "StoryData: \(error.problem)", .warning)
    }
    return nil
  }
}
