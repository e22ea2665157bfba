import FoundationEssentials
import Playback

/// Pairs of clips to compare, listed in a file: JSON lines or comma-separated lines.
public struct PairList: Sendable {
  /// A reference and a candidate.
  public struct Pair: Hashable, Sendable {
    /// The name in the results: that of the list, or else both paths, without credentials.
    public let id: String
    public let reference: String
    public let candidate: String
  }

  /// A line that is no pair.
  public struct Malformed: Error, Hashable {
    /// The number of the line, from 1.
    public let line: Int
    public let reason: String
  }

  public let pairs: [Pair]

  private struct Entry: Decodable {
    var id: String?
    var reference: String
    var candidate: String
  }

  /// Reads a list: on each line an object with `reference`, `candidate` and perhaps `id`, or `reference,candidate` or
  /// `id,reference,candidate`, in quotes where they contain commas. Empty lines, lines that begin with `#` and a header are skipped.
  ///
  /// - Throws: `Malformed`.
  public init(_ bytes: [UInt8]) throws(Malformed) {
    var pairs: [Pair] = [], ids: Set<String> = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let text = String(decoding: line, as: UTF8.self).trimmed
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      let entry: Entry
      if text.hasPrefix("{") {
        guard let decoded = try? JSONDecoder().decode(Entry.self, from: Data(text.utf8)) else {
          throw Malformed(line: index + 1, reason: "needs \"reference\" and \"candidate\"")
        }
        entry = decoded
      } else {
        guard let fields = Self.fields(text), (2...3).contains(fields.count), fields.allSatisfy({ !$0.isEmpty }) else {
          throw Malformed(line: index + 1, reason: "is not \"reference,candidate\" or \"id,reference,candidate\"")
        }
        if pairs.isEmpty, fields.suffix(2) == ["reference", "candidate"] { continue }
        entry = Entry(id: fields.count == 3 ? fields[0] : nil, reference: fields[fields.count - 2], candidate: fields[fields.count - 1])
      }
      let id = entry.id ?? [entry.reference, entry.candidate].map(WebAddress.withoutCredentials).joined(separator: "\t")
      guard ids.insert(id).inserted else { throw Malformed(line: index + 1, reason: "is listed twice") }
      pairs.append(Pair(id: id, reference: entry.reference, candidate: entry.candidate))
    }
    self.pairs = pairs
  }

  /// Splits a line at commas outside quotes; nil if a quote is not closed.
  private static func fields(_ line: String) -> [String]? {
    var fields = [""], isQuoted = false, previous: Character?
    for character in line {
      switch character {
      case "\"":
        // A doubled quote in a quoted field is one.
        if !isQuoted, previous == "\"" { fields[fields.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    return isQuoted ? nil : fields.map(\.trimmed)
  }

  /// Returns the pairs of a part of the work, every n-th one, so that all parts take about as long.
  public func pairs(of shard: Shard) -> [Pair] {
    pairs.enumerated().filter { $0.offset % shard.count == shard.index }.map(\.element)
  }
}

/// A part of a list that one of several machines works on.
public struct Shard: Hashable, Sendable {
  /// From 0.
  public let index: Int
  public let count: Int

  /// The reason for which there is no such part, in words.
  public struct Missing: Error, Hashable {
    public let reason: String
  }

  /// - Throws: `Missing` unless `index` is one of `count`.
  init(index: Int, count: Int) throws(Missing) {
    guard index >= 0, count > 0, index < Int.max else { throw Missing(reason: "parts are counted from 1") }
    guard index < count else { throw Missing(reason: "there is no part \(index + 1) of \(count)") }
    (self.index, self.count) = (index, count)
  }

  /// Parses `2/8`, the second of eight parts, or `/8`, where the index is that of the scheduler's task: `JOB_COMPLETION_INDEX` of
  /// Kubernetes, from 0, or `SLURM_ARRAY_TASK_ID`, counted from the array's first.
  ///
  /// - Throws: `Missing`.
  public init(_ text: String, environment: [String: String]) throws(Missing) {
    let sides = text.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let count = Int(sides[1]) else {
      throw Missing(reason: "give a part such as 2/8, or /8 in a scheduler's task")
    }
    if !sides[0].isEmpty {
      guard let number = Int(sides[0]), number > 0 else { throw Missing(reason: "parts are counted from 1") }
      try self.init(index: number - 1, count: count)
    } else {
      guard let index = Self.taskIndex(environment) else {
        throw Missing(reason: "neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set, which would say which part this is")
      }
      try self.init(index: index, count: count)
    }
  }

  /// Returns the part of a Slurm array's task; nil outside one.
  ///
  /// - Throws: `Missing` if the array has gaps, since no task would do the parts that fall into them.
  public static func ofTask(slurm environment: [String: String]) throws(Missing) -> Shard? {
    guard let index = slurmIndex(environment) else { return nil }
    guard let count = environment["SLURM_ARRAY_TASK_COUNT"].flatMap({ Int($0) }), index < count else {
      throw Missing(reason: "the Slurm array has gaps: submit one without, such as --array=1-8, or give --shard")
    }
    return try Shard(index: index, count: count)
  }

  private static func taskIndex(_ environment: [String: String]) -> Int? {
    environment["JOB_COMPLETION_INDEX"].flatMap { Int($0) } ?? slurmIndex(environment)
  }

  private static func slurmIndex(_ environment: [String: String]) -> Int? {
    func number(_ name: String) -> Int? { environment["SLURM_ARRAY_TASK_" + name].flatMap { Int($0) } }
    guard let task = number("ID") else { return nil }
    return task.saturatingSubtract(number("MIN") ?? 0) / max(1, number("STEP") ?? 1)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
