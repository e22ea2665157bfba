import Foundation
import TestSupport
import Testing

/// `quadrille compare`: what it finds, measures and refuses.
@Suite(.timeLimit(.minutes(10))) struct MeasureTests {
  /// Moving pictures without any two frames alike, as FFmpeg draws them.
  private static let source = ["-f", "lavfi", "-i", "mandelbrot=size=320x180:rate=25:maxiter=400:start_scale=1:end_scale=0.3,trim=end_frame=80,setpts=N/25/TB"]
  private static let coding = ["-c:v", "libx264", "-preset", "veryfast", "-qp", "18", "-pix_fmt", "yuv420p"]

  private func reference() throws -> String { try SampleMedia.clip(name: "measured.mp4", arguments: Self.source + Self.coding) }

  /// Encodes the reference again.
  private func candidate(_ name: String, filter: String, _ coding: [String] = Self.coding) throws -> String {
    try SampleMedia.clip(name: name, arguments: ["-i", reference(), "-vf", filter + ",setpts=N/25/TB"] + coding)
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func equalClipsAreEqual() throws {
    let run = try CommandRun(["compare", reference(), reference(), "--metrics", "psnr,ssim,xpsnr", "--fail-below", "ssim=0.9999"])
    #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
    #expect(run.output.contains("80 of 80 frames matched") && run.output.contains("psnr       mean inf") && run.output.contains("ssim       mean 1 "))
  }

  /// The figures of FFmpeg's filters, over the frames that belong together.
  @Test func framesThatAreMissingAreNamedAndNotMeasured() throws {
    let candidate = try candidate("dropped.mkv", filter: "select='gte(n,6)*not(eq(n,40))'")
    let run = try CommandRun(["compare", reference(), candidate, "--fail-on", "dropped,offset", "--json", "-"])
    #expect(run.status == .exited(1))
    #expect(run.errors.contains("frames were dropped in 1 place") && run.errors.contains("candidate frame 0 is reference frame 6"), "\(run.errors)")
    let document = try json(run.output)
    #expect(document["matched"] as? Int == 73)
    let frames = try #require(document["frames"] as? [[String: Any]])
    #expect(frames.map { $0["reference"] as? Int } == Array(6..<40) + Array(41..<80))
    // What the encoder did to the frames, and no more.
    #expect(frames.allSatisfy { ($0["psnr"] as? Double ?? 0) > 30 })
  }

  @Test func anotherSizeIsScaled() throws {
    let run = try CommandRun(["compare", reference(), candidate("small.mp4", filter: "scale=160:90"), "--fail-below", "p1:psnr=60"])
    #expect(run.status == .exited(1) && run.errors.contains("p1 psnr is") && run.errors.contains("below 60"))
    // Some versions of ffmpeg leave out the last frame.
    #expect(run.output.contains("brought to 320×180"))
    #expect(run.output.contains("80 of 80 frames matched") || run.output.contains("79 of 79 frames matched"), "\(run.output)")
  }

  @Test func whatCannotBeComparedIsSaid() throws {
    let missing = try CommandRun(["compare", reference(), "/nowhere.mp4"])
    #expect(missing.status == .exited(2) && missing.errors == "quadrille: /nowhere.mp4: no such file\n", "\(missing.errors)")
    #expect(try CommandRun(["compare", reference()]).status != .exited(0))
    #expect(try CommandRun(["compare", reference(), reference(), "--metrics", "beauty"]).status == .exited(64))
    #expect(try CommandRun(["compare", reference(), reference(), "--fail-below", "ssim"]).status == .exited(64))
    // An input is not written over.
    let folder = try TemporaryFolder()
    let copy = folder.path("copy.mp4")
    try FileManager.default.copyItem(atPath: reference(), toPath: copy)
    let size = try Data(contentsOf: URL(fileURLWithPath: copy)).count
    #expect(try CommandRun(["compare", reference(), copy, "--csv", copy]).status == .exited(2))
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count == size)
  }
}
