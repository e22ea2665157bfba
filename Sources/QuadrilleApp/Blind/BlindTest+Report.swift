import Glibc
import Movies
import Playback

/// The report of `--votes`, written on exit.
extension BlindTest {
  /// Comma-separated values: a row for each clip with its votes, then a row for each vote. Names need not be text.
  var report: [UInt8] {
    var rows = [Self.row(["row", "pane", "clip", "votes", "time", "position"])]
    for contestant in contestants {
      for path in contestant.paths {
        rows.append(Self.row(["clip", contestant.letter, path, "\(count(contestant.letter, path: path))", "", ""]))
      }
    }
    rows += votes.map { Self.row(["vote", $0.letter, $0.path, "", Self.date($0.time), TimeText.text($0.position)]) }
    return Array(rows.joined())
  }

  private static func row(_ fields: [String]) -> [UInt8] {
    Array(fields.map(field).joined(separator: ",".utf8)) + Array("\n".utf8)
  }

  /// A field, in quotes if necessary.
  private static func field(_ text: String) -> [UInt8] {
    let bytes = Asset.bytes(ofPath: text)
    let quote = UInt8(ascii: "\"")
    guard bytes.contains(where: { [quote, UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }) else { return bytes }
    return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }

  /// A date and time of UTC such as `2026-11-28T04:30:12Z`.
  private static func date(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
