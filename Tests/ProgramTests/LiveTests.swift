import Foundation
import TestSupport
import Testing

/// Live sources on the screen.
@Suite(.timeLimit(.minutes(20))) struct LiveTests {
  private func sender(port: Int) throws -> LiveSender {
    let sender = LiveSender.ffmpeg("mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316")
    try sender.start()
    return sender
  }

  @Test func aCameraCanBeRewoundAndReturnedTo() throws {
    let port = try UnusedPort().number
    let sender = try sender(port: port)
    let run = try PlayerRun(["--record", "cam.mkv", "udp://user:secret@127.0.0.1:\(port)"])
    try run.wait("is live and recorded") { $0.contains("LIVE") && $0.contains("REC") }
    try run.waitUntilMoving()
    try run.wait("some time has passed") { $0.contains("0:03") }
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.wait("the edge goes on") { $0.contains("LIVE −0:02") }
    run.process.send(" ")
    try run.waitUntilMoving()
    #expect(run.screen.contains("LIVE −"))
    run.process.send("\u{1B}[F")
    try run.wait("is live again") { $0.contains("LIVE") && !$0.contains("LIVE −") }
    sender.stop()
    try run.wait("the silence is told") { $0.contains("no frame for") }
    #expect(!String(decoding: run.process.rawOutput, as: UTF8.self).contains("secret"))
    let asked = ContinuousClock.now
    run.process.send("q")
    try run.wait("it has ended") { _ in run.process.exitStatus != nil }
    #expect(ContinuousClock.now - asked < .seconds(5))
    #expect(run.process.exitStatus == .exited(0))
  }

  /// A frame of a camera is saved as it is shown.
  @Test func framesOfCamerasAreSaved() throws {
    let port = try UnusedPort().number, folder = try TemporaryFolder()
    let sender = try sender(port: port)
    let run = try PlayerRun(["udp://127.0.0.1:\(port)"]) { $0.directory = folder.path }
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.wait("a frame is there") { $0.contains("‖") && run.frameNumber() != nil }
    try run.wait("the edge goes on") { $0.contains("LIVE −0:01") }
    run.process.send("s")
    try run.wait(for: "saved 127.0.0.1-\(port)-")
    let shown = try #require(run.frameNumber())
    let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".png") })
    #expect(try SavedFrame.number(folder.path(file), width: 320, height: 180) == shown)
    run.quit()
    withExtendedLifetime(sender) {}
  }

  /// Of two sources, one that refuses becomes a message, and the other plays.
  @Test func aSourceThatFailsLeavesTheOthers() throws {
    let port = try UnusedPort().number, closed = try UnusedPort().number
    let sender = try sender(port: port)
    let run = try PlayerRun(["udp://127.0.0.1:\(port)", "rtsp://user:secret@127.0.0.1:\(closed)/camera"], columns: 130)
    try run.wait("one plays and one has failed") { $0.contains("connection refused") && $0.contains("LIVE") }
    #expect(!String(decoding: run.process.rawOutput, as: UTF8.self).contains("secret"))
    run.process.send("q")
    try run.wait("it has ended") { _ in run.process.exitStatus != nil }
    withExtendedLifetime(sender) {}
  }
}
