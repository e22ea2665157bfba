import Foundation
import TestSupport
import Testing

@testable import Playback

/// Files one after another in a queue.
@Suite(.timeLimit(.minutes(20))) struct QueuedFilesTests {
  /// Two seconds of numbered frames.
  private func clip(_ name: String, rate: Int, _ coding: [String]) throws -> Asset {
    Asset(path: try SampleMedia.clip(name: name, arguments: SampleMedia.numbered(rate: "\(rate)", seconds: 2) + coding))
  }

  /// Frames of one file follow those of another, whatever their containers, codecs and rates, each once and when it is due.
  @Test func noSeamIsSeen() async throws {
    let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-pix_fmt", "yuv420p"]
    let clips = try [
      (25, clip("first.mp4", rate: 25, h264)), (50, clip("second.ts", rate: 50, h264)),
      (20, clip("third.webm", rate: 20, ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"])),
      (25, clip("fourth.mkv", rate: 25, ["-c:v", "mpeg4", "-q:v", "2"])),
    ]
    let stage = FileStage()
    stage.player.actionAtItemEnd = .advance
    for (i, clip) in clips.enumerated() {
      let item = try await FileStage.item(clip.1, index: i % 2 == 0 ? clip.1.scannedIndex() : nil)
      stage.player.insert(item, after: nil)
    }
    stage.run(seconds: 0.1)
    stage.player.play()
    stage.run(seconds: 10)
    #expect(stage.frames.map(\.number) == clips.flatMap { Array(0..<2 * $0.0) })
    let due = clips.enumerated().flatMap { i, clip in (0..<2 * clip.0).map { Double(2 * i) + Double($0) / Double(clip.0) } }
    for (frame, due) in zip(stage.frames, due).dropFirst() {
      // The clock is moved by 5 ms.
      #expect(frame.host > due - 0.001 && frame.host < due + 0.0051, "due at \(due), came at \(frame.host)")
    }
    let (item, total) = (stage.player.statistics, stage.player.totalStatistics)
    #expect(total.decoded > item.decoded && total.playedNanoseconds > item.playedNanoseconds && total.lateness.count >= item.lateness.count)
    #expect(stage.player.statistics.dropped == 0 && stage.events.all.filter { $0 == .playedToEnd }.count == 4)
  }
}
