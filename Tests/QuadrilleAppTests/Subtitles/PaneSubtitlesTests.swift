import Foundation
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Which subtitles a pane has and chooses, while its items change.
@Suite(.timeLimit(.minutes(20))) struct PaneSubtitlesTests {
  /// An asset that is loaded.
  private func loadedAsset() async throws -> Asset {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    _ = try await asset.load(.facts)
    return asset
  }

  private func update(_ subtitles: PaneSubtitles) {
    let deadline = ContinuousClock.now + .seconds(30)
    repeat { _ = subtitles.update(at: 0) } while subtitles.isLooking && ContinuousClock.now < deadline
  }

  /// The shift belongs to the clip whose subtitles are late.
  @Test func anotherClipIsNotShifted() async throws {
    let subtitles = PaneSubtitles(PlayOptions.SubtitleOptions(), files: []) {}
    let asset = try await loadedAsset()
    subtitles.didOpen(PlayerItem(asset: asset), spoken: nil)
    subtitles.add(try SampleMedia.words())
    update(subtitles)
    #expect(subtitles.changeDelay(by: 0.3) == "subtitles 300 ms later" && subtitles.delay != .zero)
    // The same clip once more, as a list of one has it.
    subtitles.clipDidChange()
    subtitles.didOpen(PlayerItem(asset: asset), spoken: nil)
    #expect(subtitles.delay != .zero)
    subtitles.clipDidChange()
    let other = Asset(path: try SampleClip.rotated90.path())
    _ = try await other.load(.facts)
    subtitles.didOpen(PlayerItem(asset: other), spoken: nil)
    #expect(subtitles.delay == .zero)
  }

  /// Files beside the clip that cannot be read are named.
  @Test func unreadableFilesBesideTheClip() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: SampleClip.h264BFrames.path(), toPath: folder.path("clip.mp4"))
    for name in ["clip.srt", "clip.en.srt"] { try Data("words".utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
    let asset = Asset(path: folder.path("clip.mp4"))
    _ = try await asset.load(.facts)
    let subtitles = PaneSubtitles(PlayOptions.SubtitleOptions(), files: []) {}
    subtitles.didOpen(PlayerItem(asset: asset), spoken: nil)
    var notices: [String] = []
    let deadline = ContinuousClock.now + .seconds(30)
    repeat {
      if let notice = subtitles.update(at: 0).notice { notices.append("\(notice.text)") }
    } while subtitles.isLooking && ContinuousClock.now < deadline
    #expect(notices == ["clip.srt: is not a known subtitle format, or is damaged at the start; 1 more file cannot be read"])
  }

  /// The file comes to the item that is there when it is read.
  @Test func aFileThatIsReadWhileTheItemChanges() async throws {
    let asset = try await loadedAsset()
    let subtitles = PaneSubtitles(PlayOptions.SubtitleOptions(), files: []) {}
    subtitles.didOpen(PlayerItem(asset: asset), spoken: nil)
    update(subtitles)
    let file = try SampleMedia.words()
    subtitles.add(file)
    subtitles.didReplace(PlayerItem(asset: asset))
    subtitles.didReplace(PlayerItem(asset: asset))
    update(subtitles)
    #expect(subtitles.options.map(\.file) == [file] && subtitles.selected?.file == file)
  }

  /// Subtitles may be those of a longer clip, say the same at once, and begin before it.
  @Test func placesToSearch() {
    func second(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
    func places(_ starts: [Int64], delay: Int64 = 0, length: MediaTime) -> [MediaTime] {
      SubtitleSearch.places(starts.map(second), delay: second(delay), length: length)
    }
    #expect(places([-3, 5, 5, 2, 60, 90], length: second(60)) == [0, 2, 5].map(second))
    #expect(places([70, 90], length: .indefinite) == [70, 90].map(second))
    // What counts is when they are shown.
    #expect(places([-3, 57, 62], delay: 5, length: second(60)) == [second(2)])
    #expect(places([3, 57, 62], delay: -5, length: second(60)) == [0, 52, 57].map(second))
  }
}
