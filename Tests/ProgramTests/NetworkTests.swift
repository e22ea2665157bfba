import Foundation
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
      #expect(refused.status == .exited(1), "\(command)")
      #expect((refused.output + refused.errors).contains("certificate"), "\(command): \(refused.errors)")
      let trusted = try CommandRun(arguments + [address, "--ca", server.authority])
      #expect(trusted.status == .exited(0), "\(command): \(trusted.errors)")
      #expect(file.map { FileManager.default.fileExists(atPath: folder.path($0)) } ?? !trusted.output.isEmpty, "\(command)")
    }
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
