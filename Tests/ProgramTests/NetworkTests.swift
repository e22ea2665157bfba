import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Files on servers and web pages, by the commands.
@Suite(.timeLimit(.minutes(20))) struct NetworkTests {
  @Test(.enabled(if: TLSTestServer.isAvailable, "openssl is not installed"))
  func commandsTrustTheUsersAuthority() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: SampleClip.h264BFrames.path(), toPath: folder.path("clip.mp4"))
    let server = try TLSTestServer(.valid, serving: folder)
    defer { withExtendedLifetime(server) {} }
    let address = "https://127.0.0.1:\(server.port)/clip.mp4"
    for command in [["info"], ["frames"], ["frame", "--at", "0", "-o", "still.png"], ["thumbnails", "-o", "sheet.png"], ["render", "-o", "out.mkv"]] {
      let file = command.last?.contains(".") == true ? command.last : nil
      var arguments = command
      if let file { arguments[arguments.count - 1] = folder.path(file) }
      let refused = try CommandRun(arguments + [address])
      #expect(refused.status == .exited(1), "\(command): \(refused.errors)")
      #expect((refused.output + refused.errors).contains("certificate"), "\(command): \(refused.errors)")
      let trusted = try CommandRun(arguments + [address, "--ca", server.authority])
      #expect(trusted.status == .exited(0), "\(command): \(trusted.errors)")
      #expect(file.map { FileManager.default.fileExists(atPath: folder.path($0)) } ?? !trusted.output.isEmpty, "\(command)")
    }
  }

  /// A listing without some of the frames must not pass for a whole one.
  @Test func missingSegmentsAreNamed() throws {
    let folder = try TemporaryFolder(), server = try TestServer()
    _ = try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", PlayerClips.timeline(), "-t", "15", "-c", "copy", "-f", "hls", "-hls_time", "5", folder.path("clip.m3u8")])
    for name in ["clip.m3u8", "clip0.ts", "clip2.ts"] {
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
      server.on("/\(name)") { $1.respond(to: $0, file: bytes) }
    }
    let run = try CommandRun(["frames", server.url("/clip.m3u8")])
    #expect(run.status == .exited(1) && run.output.split(separator: "\n").count == 101)
    #expect(run.errors.contains("1 segment is missing: segment clip1.ts: 404 Not Found"), "\(run.errors)")
  }

  /// A program named yt-dlp that answers with these lines.
  private func resolver(_ script: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("yt-dlp")
    try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
  }

  @Test func webPagesArePlayed() throws {
    let folder = try TemporaryFolder(), server = try TestServer()
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: PlayerClips.short())))
    server.on("/clip.mp4") { $1.respond(to: $0, file: bytes) }
    let path = try resolver("echo 'A film'\necho http://\(server.place)/clip.mp4", in: folder)
    let run = try PlayerRun(["--ytdl", "--paused", "http://pages.example/watch/1"]) { $0.environment["PATH"] = path }
    try run.waitUntilPaused()
    #expect(run.screen.contains("A film"))
    run.quit()
  }

  @Test(arguments: [
    ("echo 'ERROR: Unsupported URL' >&2; exit 1", "yt-dlp: ERROR: Unsupported URL"),
    ("echo title; echo file:///etc/passwd", "found no video"), ("echo title", "found no video"), ("exit 1", "without a message"),
  ]) func pagesWithoutVideosAreNamed(script: String, reason: String) throws {
    let folder = try TemporaryFolder(), path = try resolver(script, in: folder)
    let run = try PlayerRun(["--ytdl", "http://pages.example/"], columns: 120) { $0.environment["PATH"] = path }
    try run.wait(for: reason)
    run.process.send("q")
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
  }
}

/// Files and pipes that change while they are played.
@Suite(.timeLimit(.minutes(20))) struct ChangingInputTests {
  /// 20 s with a keyframe each second.
  private func stream() throws -> String {
    try SampleMedia.clip(
      name: "growing.ts",
      arguments: ["-f", "lavfi", "-i", "testsrc=s=160x90:r=25:d=20", "-c:v", "libx264", "-g", "25", "-bf", "0", "-pix_fmt", "yuv420p"])
  }

  /// The end of a file that has grown is where it ends now.
  @Test func theEndMovesWithAGrowingFile() throws {
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: stream())))
    let folder = try TemporaryFolder()
    try Data(bytes[..<(bytes.count / 2 / 188 * 188)]).write(to: URL(fileURLWithPath: folder.path("grow.ts")))
    let run = try PlayerRun(["--paused", folder.path("grow.ts")])
    try run.waitUntilPaused()
    run.process.send("\u{1B}[F")
    try run.wait(for: "0:09.960")
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("grow.ts")))
    handle.seekToEndOfFile()
    handle.write(Data(bytes[(bytes.count / 2 / 188 * 188)...]))
    handle.closeFile()
    // The file is looked at every second.
    var isThere = false
    for _ in 0..<30 where !isThere {
      run.process.send("\u{1B}[F")
      isThere = run.process.run(timeout: 2) { $0.contains("0:19.9") }
    }
    #expect(isThere, "\(run.screen)")
    run.quit()
  }

  /// A program before a pipe may restore the line settings that it found at its start.
  @Test func theTerminalIsKeptFromAPipesWriter() throws {
    let clip = try stream()
    let folder = try TemporaryFolder(), program = try #require(ProgramUnderTest.path)
    var options = TerminalProcess.Options()
    options.environment = ["HOME": folder.path, "XDG_CONFIG_HOME": nil]
    let process = try TerminalProcess(
      "sh", ["-c", "(cat \"$1\"; stty sane < /dev/tty) | \"$0\" --paused -", program, clip], options: options)
    #expect(process.run(timeout: PlayerRun.patience) { $0.contains("0:00.000") }, "\(process.screen)")
    process.send("q")
    #expect(process.runUntilExit(timeout: PlayerRun.patience) == .exited(0), "\(process.screen)")
  }

  /// A refusal is final.
  @Test func whatIsMissingIsAskedForOnce() throws {
    let server = try TestServer()
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: PlayerClips.short())))
    server.on("/clip.mp4") { $1.respond(to: $0, file: bytes) }
    server.on("/missing.mp4") { $1.respond(404, body: []) }
    let run = try PlayerRun([server.url("/missing.mp4"), server.url("/clip.mp4")])
    try run.wait("both are settled") { $0.contains("404 Not Found") && $0.contains("■") }
    #expect(server.requests(for: "/missing.mp4").count == 1)
    run.process.send("q")
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
  }
}
