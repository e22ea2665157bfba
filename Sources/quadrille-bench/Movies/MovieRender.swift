import Foundation
import Playback
import TerminalHarness

/// The frames of a rendered movie of 500 cuts, compared with those of ffmpeg's own filters.
enum MovieRender {
  static func measure(_ bench: Workbench, _ cuts: CutList) throws -> [TableRow] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quadrille-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let movie = folder.appendingPathComponent("cut.yaml").path, out = folder.appendingPathComponent("out.nut").path
    let filters = folder.appendingPathComponent("filters").path, reference = folder.appendingPathComponent("reference").path
    try Data(cuts.yaml.utf8).write(to: URL(fileURLWithPath: movie))
    try Data(cuts.filters.utf8).write(to: URL(fileURLWithPath: filters))
    progress("render")
    let own = try bench.run(bench.program, ["render", movie, "-o", out])
    progress("ffmpeg")
    let theirs = try bench.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + cuts.clips.flatMap { ["-i", $0] }
        + ["-filter_complex_script", filters, "-fps_mode", "passthrough", "-f", "framemd5", reference])
    let expected = try md5s(String(contentsOfFile: reference, encoding: .utf8))
    let found = try FrameListing(path: out).lines(order: .linear).map(\.md5)
    let wrong = zip(found, expected).count { $0 != $1 } + abs(found.count - expected.count)
    return [
      TableRow(
        "frames of a rendered movie of \(CutList.count) cuts that are not those of ffmpeg's trim and concat", [Double(wrong)], atMost: 0,
        digits: 0, note: "of \(expected.count); \(text(own.wall, 1)) s, ffmpeg, which writes hashes only, \(text(theirs.wall, 1)) s")
    ]
  }

  private static func md5s(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) }
  }
}
