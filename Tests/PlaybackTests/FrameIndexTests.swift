import DecodePool
import Foundation
import Glibc
import Libav
import TestSupport
import Testing

@testable import Playback

/// The background scan of a clip's packets: its progress, what is known meanwhile, and its end.
@Suite(.timeLimit(.minutes(20))) struct FrameIndexTests {
  /// 9000 frames in a file of about a megabyte.
  private static func manyFrames(_ suffix: String = "mkv") throws -> String {
    try SampleMedia.clip(
      name: "many.\(suffix)",
      arguments: [
        "-f", "lavfi", "-i", "color=size=16x16:rate=25:duration=360", "-c:v", "mpeg4", "-bf", "2", "-g", "50",
      ])
  }

  private static func index(_ asset: Asset) async throws -> FrameIndex {
    let facts = try await asset.load(.facts)
    return asset.frameIndex(of: try #require(facts.preferredVideoTrack), facts, mayJump: false)
  }

  private static func waitUntilEnded(_ index: FrameIndex) async {
    await withCheckedContinuation { continuation in index.whenEnded { continuation.resume() } }
  }

  private static func times(_ map: PresentationTimeline) -> [MediaTime?] { (0..<map.frameCount).map { map.time(ofFrame: $0) } }

  @Test func whatIsKnownMeanwhileStaysTrue() async throws {
    let index = try await Self.index(Asset(path: Self.manyFrames()))
    #expect(index.progress == 0 && index.timeline == nil && !index.hasEnded)
    index.begin()
    index.begin()
    var progress = [0.0]
    var maps: [PresentationTimeline] = []
    while !index.hasEnded {
      progress.append(index.progress)
      if let map = index.timeline, map.frameCount != maps.last?.frameCount ?? 0 { maps.append(map) }
      await Task.yield()
    }
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 } && index.progress == 1)
    let whole = try #require(index.timeline)
    #expect(whole.isComplete && whole.frameCount == 9000)
    // However far the scan was when it was looked at: what it told was so.
    for map in maps where !map.isComplete {
      for number in 0..<map.frameCount {
        guard let time = map.time(ofFrame: number), time < map.end else { break }
        #expect(whole.time(ofFrame: number) == time)
        #expect(whole.frameNumber(at: time) == map.frameNumber(at: time) && whole.randomAccessFrame(for: number) == map.randomAccessFrame(for: number))
      }
    }
  }

  @Test func aBeginningToldByHandStaysTrue() throws {
    // The same without luck: the index of the first packets against that of all.
    let path = try Self.manyFrames()
    let listing = try TimelineParts(path: path)
    let whole = listing.timeline(ofFirst: .max)
    for count in [1, 2, 3, 50, 51, 52, 53, 100, 4097] {
      let part = listing.timeline(ofFirst: count)
      #expect(!part.isComplete && part.frameCount == count)
      for number in 0..<part.frameCount {
        guard let time = part.time(ofFrame: number), time < part.end else { break }
        #expect(whole.time(ofFrame: number) == time && whole.randomAccessFrame(for: number) == part.randomAccessFrame(for: number))
      }
    }
  }

  @Test func itemsOfOneAssetShareIt() async throws {
    let asset = Asset(path: try Self.manyFrames())
    let pool = DecodePool(threads: 2)
    let bus = TimeObserverBus(clock: ManualClock())
    let players = (0..<2).map { _ in Player(context: PlaybackContext(pool: pool, bus: bus)) }
    let outputs = players.map { VideoOutput($0, request: StagePane.request) }
    defer { withExtendedLifetime(outputs) {} }
    for player in players {
      player.replaceCurrentItem(with: PlayerItem(asset: asset))
      #expect(await player.seek(to: seconds(200), toleranceBefore: .zero, toleranceAfter: .zero) == .finished)
    }
    let indexes = players.compactMap(\.frameIndex)
    #expect(indexes.count == 2 && indexes.first === indexes.last)
    let index = try #require(indexes.first)
    index.begin()
    await Self.waitUntilEnded(index)
    #expect(players.allSatisfy { $0.time(ofFrame: 5000) == seconds(200) })
    #expect(players.allSatisfy { $0.displayedTiming?.number == 5000 })
  }

  @Test(arguments: ["mkv", "mp4", "avi"]) func theKeptOneIsTheSame(suffix: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try Self.manyFrames(suffix)
    let options = Asset.Options(indexFolder: folder)
    let first = try await Self.index(Asset(path: path, options: options))
    first.begin()
    await Self.waitUntilEnded(first)
    let packets = try #require(first.content.packets)
    // It is written after everyone has been told.
    let store = IndexStore(folder: folder)
    let key = try #require(store.key(of: MediaInput(path: path), stream: 0))
    while store.load(key) == nil { await Task.yield() }
    #expect(store.load(key)?.entries == packets.entries)
    let second = try await Self.index(Asset(path: path, options: options))
    second.begin()
    await Self.waitUntilEnded(second)
    #expect(second.content.packets?.entries == packets.entries)
    #expect(second.content.packets?.randomAccessPoints == packets.randomAccessPoints)
    #expect(second.timeline.map(Self.times) == first.timeline.map(Self.times))
    #expect(second.progress == 1)
  }

  @Test func isDecodedOnlyForThoseWhoPlay() async throws {
    let index = try await Self.index(Asset(path: TimingClip.rawMPEG2.path()))
    await withCheckedContinuation { continuation in index.readPackets { continuation.resume() } }
    #expect(index.hasPackets && !index.hasEnded && index.timeline == nil)
    index.begin()
    await Self.waitUntilEnded(index)
    let map = try #require(index.timeline)
    #expect(map.origin == .decode && map.isComplete && map.isCountable)
    // 25 frames a second.
    let length = try #require(map.duration?.seconds)
    #expect(abs(length - Double(map.frameCount) / 25) < 0.05)
  }

  @Test func ofAnOrderThatWasLostADecodeTells() async throws {
    let index = try await Self.index(Asset(path: TimingClip.pyramid.path()))
    index.begin()
    await Self.waitUntilEnded(index)
    let before = try #require(index.timeline)
    #expect(before.origin == .packets)
    index.markOrderUnreliable()
    #expect(index.orderIsUnreliable)
    await Self.waitUntilEnded(index)
    let after = try #require(index.timeline)
    #expect(after.origin == .decode && Self.times(after) == Self.times(before))
  }

  @Test func freeingItEndsTheScan() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let track = try #require(try await Asset(path: Self.manyFrames()).load(.facts).preferredVideoTrack)
    var index: FrameIndex? = FrameIndex(
      MovieIndex(
        TimelineScan(
          input: MediaInput(path: path), track: track, startTime: .zero, mayJump: false, interrupter: Interrupter()), store: nil))
    index?.whenEnded { Issue.record("the end of a scan that nobody waits for") }
    index?.begin()
    // Opening waits for the reader, which then waits for bytes that never come.
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    defer { close(writer) }
    #expect(index?.hasEnded == false)
    index = nil
    // A pipe whose reader has gone says so.
    var state = pollfd(fd: writer, events: 0, revents: 0)
    #expect(poll(&state, 1, 60_000) == 1 && state.revents & Int16(POLLERR) != 0)
  }
}
