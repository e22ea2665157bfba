import Foundation
import Pixels
import TerminalHarness
import TestSupport
import Testing

/// The reports of `quadrille compare`, and many pairs.
@Suite(.timeLimit(.minutes(20))) struct CompareReportTests {
  private static let coding = ["-c:v", "libx264", "-preset", "veryfast", "-qp", "24", "-pix_fmt", "yuv420p"]

  private func reference() throws -> String {
    try SampleMedia.clip(
      name: "reported.mp4",
      arguments: [
        "-f", "lavfi", "-i", "mandelbrot=size=320x180:rate=25:maxiter=400:start_scale=1:end_scale=0.3,trim=end_frame=60,setpts=N/25/TB",
      ] + Self.coding)
  }

  private func candidate(_ name: String, filter: String) throws -> String {
    try SampleMedia.clip(name: name, arguments: ["-i", reference(), "-vf", filter + ",setpts=N/25/TB"] + Self.coding)
  }

  private func dropped() throws -> String { try candidate("reported-dropped.mkv", filter: "select='not(eq(n,30))'") }
  private func softened() throws -> String { try candidate("reported-soft.mkv", filter: "gblur=sigma=2") }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func reportsOfSeveralCandidates() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun([
      "compare", reference(), dropped(), softened(), "/nowhere<&>.mkv", "--metrics", "psnr,ssim,ms-ssim", "--json", folder.path("a.json"), "--csv",
      folder.path("a.csv"), "--html", folder.path("a.html"), "--junit", folder.path("a.xml"), "--map-out", folder.path("a.jsonl"),
      "--fail-below", "ssim=0.97,p1:psnr=20", "--fail-on", "dropped",
    ])
    // Worse than a limit that is not met is a clip that cannot be compared.
    #expect(run.status == .exited(2))
    #expect(run.errors.contains("reported-dropped.mkv: frames were dropped in 1 place"), "\(run.errors)")
    #expect(run.errors.contains("reported-soft.mkv: mean ssim is") && run.errors.contains("/nowhere<&>.mkv: no such file"), "\(run.errors)")
    let documents = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder.path("a.json")))) as? [[String: Any]])
    #expect(documents.map { $0["matched"] as? Int } == [59, 60])
    #expect(try text(folder.path("a.csv")).split(separator: "\n").count == 1 + 59 + 60)
    #expect(try text(folder.path("a.jsonl")).split(separator: "\n").count == 2)
    let junit = try text(folder.path("a.xml"))
    #expect(junit.contains("tests=\"3\" failures=\"2\" errors=\"1\"") && junit.contains("/nowhere&lt;&amp;&gt;.mkv"), "\(junit)")
    #expect(XMLCheck.isWellFormed(junit))
    let page = try text(folder.path("a.html"))
    // Self-contained, with pictures, and no text taken for markup.
    #expect(page.contains("data:image/jpeg;base64,") && page.contains("<polyline") && page.contains("frames were dropped"))
    #expect(!page.contains("://") && !page.contains("<&>"))
  }

  @Test func matchingFramesAreWritten() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun([
      "compare", reference(), dropped(), "--frames", "29,30,31", "--save", folder.path("frames"), "--map", folder.path("map.png"),
    ])
    #expect(run.status == .exited(0), "\(run.errors)")
    // Frame 30 has no partner.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("frames")).sorted() == [
        "000029-candidate-reported-dropped.png", "000029-reference-reported.png", "000031-candidate-reported-dropped.png",
        "000031-reference-reported.png",
      ])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("map.png"))).count > 100)
    let printed = try CommandRun(["compare", reference(), dropped(), "--frames", "worst:2"])
    #expect(printed.status == .exited(0) && printed.output.contains("▀") && printed.output.contains("#"), "\(printed.errors)")
  }

  /// As from a phone: the report and its pictures show the clip upright.
  @Test func aTurnedCandidateIsReportedUpright() throws {
    let folder = try TemporaryFolder()
    let stored = try candidate("reported-stored.mp4", filter: "transpose=cclock")
    let turned = try DisplayMatrix(Orientation(quarterTurns: 1)).clip(of: stored, size: PixelSize(width: 180, height: 320))
    let run = try CommandRun([
      "compare", reference(), turned, "--metrics", "psnr,ssim,ms-ssim,xpsnr", "--fail-below", "p1:psnr=35,ssim=0.97", "--frames", "10",
      "--save", folder.path("frames"),
    ])
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(run.output.contains("60 of 60 frames matched, 60 for sure"), "\(run.output)")
    #expect(run.output.contains("turned to the reference's orientation"), "\(run.output)")
    func sides(_ name: String) throws -> [String] {
      try MediaTool.probe(folder.path("frames/\(name).png"), entries: "stream=width,height")
    }
    #expect(try sides("000010-candidate-turned") == ["320,180"] && sides("000010-reference-reported") == ["320,180"])
  }

  @Test func exitCodesTellFailureFromTrouble() throws {
    let folder = try TemporaryFolder()
    func status(_ arguments: [String]) throws -> TerminalHarness.ExitStatus? { try CommandRun(["compare"] + arguments).status }
    #expect(try status([reference(), dropped(), "--metrics", "none", "--fail-on", "dropped"]) == .exited(1))
    #expect(try status([reference(), dropped(), "--metrics", "none", "--json", "/nowhere/a.json"]) == .exited(2))
    #expect(try status(["--merge", "/nowhere.jsonl"]) == .exited(2))
    try "\(reference())\n".write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    #expect(try status(["--pairs", folder.path("pairs")]) == .exited(2))
    try "\(reference()),\(dropped())\n".write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    #expect(try status(["--pairs", folder.path("pairs"), "--metrics", "none", "--fail-on", "dropped"]) == .exited(1))
  }

  @Test func theBestReferenceCounts() throws {
    let run = try CommandRun(["compare", softened(), reference(), "--ref", dropped(), "--fail-below", "ssim=0.98"])
    #expect(run.status == .exited(0) && run.output.contains("reported-dropped.mkv") && !run.output.contains("reported-soft"), "\(run.output)")
  }

  @Test func manyPairsAreComparedInPartsAndResumed() throws {
    let folder = try TemporaryFolder()
    let list = try """
      # what to compare
      {"id": "one", "reference": "\(reference())", "candidate": "\(dropped())"}
      "\(reference())",\(softened())
      three,\(reference()),/nowhere.mkv
      """
    try list.write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    func run(_ arguments: [String], environment: [String: String?] = [:]) throws -> CommandRun {
      try CommandRun(["compare", "--pairs", folder.path("pairs")] + arguments, environment: environment)
    }
    let first = try run(["--shard", "1/3", "-o", folder.path("a.jsonl")])
    #expect(first.status == .exited(0), "\(first.errors)")
    #expect(try text(folder.path("a.jsonl")).split(separator: "\n").count == 1)
    // As after a crash.
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("a.jsonl")))
    handle.seekToEndOfFile()
    handle.write(Data("{\"id\": \"thr".utf8))
    handle.closeFile()
    let all = try run(["-o", folder.path("a.jsonl"), "--jobs", "2"])
    #expect(all.status == .exited(2) && all.errors.contains("1 of 3 pairs are done already") && all.errors.contains("/nowhere.mkv: no such file"))
    let merged = try CommandRun(["compare", "--merge", folder.path("a.jsonl")])
    let ids = try merged.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"] as? String ?? ""
    }
    #expect(try ids == ["three", "\(reference())\t\(softened())", "one"], "\(merged.output)")
    // Names never contain credentials.
    try "http://user:secret@127.0.0.1:9/a,/nowhere.mkv\n".write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    let refused = try run([])
    #expect(refused.output.contains("127.0.0.1:9/a") && !(refused.output + refused.errors).contains("secret"), "\(refused.output)")
    try list.write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    // A task of an array knows its part.
    let task = try run([], environment: ["SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "3"])
    #expect(task.status == .exited(2) && task.output.contains("\"id\":\"three\"") && task.output.split(separator: "\n").count == 1)
    let indexed = try run(["--shard", "/3"], environment: ["JOB_COMPLETION_INDEX": "0"])
    #expect(indexed.status == .exited(0) && indexed.output.contains("\"id\":\"one\""), "\(indexed.errors)")
    #expect(try run(["--shard", "/3"]).status == .exited(64))
    #expect(try run(["--shard", "4/3"]).status == .exited(64))
    #expect(try run(["--shard", "/3"], environment: ["JOB_COMPLETION_INDEX": "3"]).status == .exited(64))
    // Tasks 3 and 9 alone: nobody would do what lies between.
    let gaps = ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_COUNT": "2"]
    let gap = try run([], environment: gaps)
    #expect(gap.status == .exited(64) && gap.output.isEmpty && gap.errors.contains("has gaps"), "\(gap.errors)")
  }

  @Test func resultsAreUsedAgainOnlyIfTheyTellEnough() throws {
    let folder = try TemporaryFolder()
    try "one,\(reference()),\(dropped())\n".write(toFile: folder.path("pairs"), atomically: true, encoding: .utf8)
    func run(_ arguments: [String]) throws -> CommandRun {
      try CommandRun(["compare", "--pairs", folder.path("pairs"), "-o", folder.path("a.jsonl")] + arguments)
    }
    func lineCount() throws -> Int { try text(folder.path("a.jsonl")).split(separator: "\n").count }
    // A line of a version that did not note its options.
    let former = """
      {"candidate":"a","events":{},"failures":[],"frames":1,"id":"one","matched":1,"metrics":{},"rate":1,"reference":"b",\
      "seconds":1,"sure":1,"verdict":"related"}

      """
    try former.write(toFile: folder.path("a.jsonl"), atomically: true, encoding: .utf8)
    #expect(try CommandRun(["compare", "--merge", folder.path("a.jsonl")]).output.contains("\"id\":\"one\""))
    #expect(try run(["--metrics", "psnr"]).status == .exited(0) && lineCount() == 2)
    // Other limits: the figures at hand are judged.
    let judged = try run(["--metrics", "none", "--fail-below", "p5:psnr=99", "--fail-on", "dropped"])
    #expect(judged.status == .exited(1) && judged.errors.contains("1 of 1 pairs are done already"), "\(judged.errors)")
    #expect(judged.errors.contains("p5 psnr is") && judged.errors.contains("frames were dropped in 1 place"), "\(judged.errors)")
    #expect(try lineCount() == 3)
    // The same again: nothing is written, and the pair still fails.
    #expect(try run(["--metrics", "none", "--fail-below", "p5:psnr=99", "--fail-on", "dropped"]).status == .exited(1) && lineCount() == 3)
    // Another metric, or another way to align: the pair is compared again.
    let more = try run(["--metrics", "none", "--fail-below", "ssim=0.5"])
    #expect(try more.status == .exited(0) && !more.errors.contains("done already") && lineCount() == 4, "\(more.errors)")
    let numbers = try run(["--metrics", "ssim", "--no-align"])
    #expect(try !numbers.errors.contains("done already") && lineCount() == 5, "\(numbers.errors)")
  }
}

private enum XMLCheck {
  /// Returns true if elements are closed in order.
  static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    for tag in text.matches(of: #/<(/?)([a-z-]+)[^>]*?(/?)>/#) {
      if tag.output.1 == "/" {
        guard open.popLast() == tag.output.2 else { return false }
      } else if tag.output.3.isEmpty {
        open.append(tag.output.2)
      }
    }
    return open.isEmpty
  }
}
