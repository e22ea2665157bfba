import DecodePool
import Foundation
import Glibc
import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Assets and items of real and impossible files.
@Suite(.timeLimit(.minutes(20))) struct AssetTests {
  private static func temporary(_ name: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("asset-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent(name).path
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  private static func reason(_ path: String) async -> PlaybackError.Reason? {
    do {
      _ = try await Asset(path: path).load(.facts)
      return nil
    } catch {
      return (error as? PlaybackError)?.reason
    }
  }

  @Test func nothingIsReadBeforeItIsAskedFor() async throws {
    let asset = Asset(path: try SampleClip.tracksAndChapters.path())
    #expect(asset.status(of: .duration) == .unknown && asset.loadedValue(of: .tracks) == nil)
    let tracks = try await asset.load(.tracks)
    #expect(asset.status(of: .duration) == .loaded && asset.status(of: .metadata) == .loaded)
    #expect(tracks.map(\.mediaType) == [.video, .video, .audio, .audio, .text, .text])
    #expect(tracks.compactMap(\.language) == ["eng", "deu", "eng", "fra"])
    #expect(try await asset.load(.characteristics) == [.visual, .audible, .legible])
    #expect(try await asset.load(.isPlayable))
    #expect(try await asset.load(.metadata)["title"] == "A titled clip")
    let chapters = try await asset.load(.chapters)
    #expect(chapters.map(\.title) == ["Opening", "Middle", "End"])
    // The coded sound begins some milliseconds before the first frame, and the file moves both on by that.
    let start = try await asset.load(.facts).startTime
    #expect(chapters.map(\.timeRange.start) == [0, 1, 2.5].map { max(.zero, seconds($0) - start) })
    #expect(chapters.map(\.timeRange.end) == [1, 2.5, 3].map { seconds($0) - start })
    let duration = try await asset.load(.duration)
    #expect(abs(duration.seconds - 3) < 0.05)
  }

  @Test func manyAskersShareOneLoad() async throws {
    let path = try Self.temporary("pipe")
    defer { Self.remove(path) }
    mkfifo(path, 0o600)
    let asset = Asset(path: path)
    let results = Recorder<Bool>()
    for _ in 0..<5 {
      asset.load(.tracks) { if case .success = $0 { results.append(true) } else { results.append(false) } }
    }
    #expect(asset.status(of: .tracks) == .loading)
    // A pipe gives its bytes once: a second load would find nothing.
    let clip = try Data(contentsOf: URL(fileURLWithPath: SampleClip.transportStreamOffset.path()))
    PipeWriter.write(clip, to: path)
    _ = try? await asset.load(.tracks)
    #expect(results.all.count == 5)
  }

  @Test func cancellingAnswersAtOnceWhileASourceHangs() async throws {
    let path = try Self.temporary("pipe")
    defer { Self.remove(path) }
    mkfifo(path, 0o600)
    let asset = Asset(path: path)
    let errors = Recorder<PlaybackError.Reason?>()
    for _ in 0..<3 {
      asset.load(.duration) {
        if case .failure(let error) = $0 { errors.append((error as? PlaybackError)?.reason) }
      }
    }
    asset.cancelLoading()
    #expect(errors.all == [.cancelled, .cancelled, .cancelled])
    #expect(asset.status(of: .duration) == .cancelled)
    // It can be asked again, and cancelled again.
    asset.load(.tracks) {
      if case .failure(let error) = $0 { errors.append((error as? PlaybackError)?.reason) }
    }
    #expect(asset.status(of: .tracks) == .loading)
    asset.cancelLoading()
    asset.cancelLoading()
    #expect(errors.all.count == 4)
  }

  /// A task that is cancelled waits no longer, and ends the load unless somebody else waits for it too.
  @Test(arguments: [false, true]) func cancellingATaskEndsItsWait(isShared: Bool) async throws {
    let path = try Self.temporary("pipe")
    defer { Self.remove(path) }
    mkfifo(path, 0o600)
    // A writer that says nothing.
    let writer = open(path, O_RDWR)
    defer { close(writer) }
    let asset = Asset(path: path)
    if isShared { asset.load(.tracks) { _ in } }
    let task = Task { try await asset.load(.duration) }
    task.cancel()
    let error = await #expect(throws: PlaybackError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    #expect(asset.status(of: .tracks) == (isShared ? .loading : .cancelled))
    asset.cancelLoading()
  }

  @Test func cancellingWhatIsLoadedChangesNothing() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    _ = try await asset.load(.tracks)
    asset.cancelLoading()
    #expect(asset.status(of: .tracks) == .loaded && asset.loadedValue(of: .tracks)?.count == 2)
    #expect(try await asset.load(.isPlayable))
  }

  @Test func refusalsInWords() async throws {
    #expect(await Self.reason("/no/such/file") == .notFound)
    #expect(await Self.reason(NSTemporaryDirectory()) == .notAFile)
    #expect(await Self.reason("/dev/null") == .notAFile)
    #expect(await Self.reason("/dev/zero") == .notAFile)
    #expect(await Self.reason(try SampleClip.empty.path()) == .emptyFile)
    // Its name makes libav believe a little in it.
    let letter = await Self.reason(try SampleClip.notMedia.path())
    #expect(letter == .unknownFormat || letter == .damaged)
    for name in ["https://example.org/a.mp4", "rtsp://host/x", "file://host/x"] {
      #expect(await Self.reason(name) == .network)
    }
    // Only names that are no files are taken for networks' names.
    for name in ["concat:a|b", "a:b.mov", "%03d.png", "pipe:0", "-x", "", "://", "a b://c"] {
      #expect(await Self.reason(name) == .notFound, "\(name)")
    }
    #expect(
      await Self.reason(Asset(url: try #require(URL(string: "https://example.org/a.mp4"))).path)
        == .network)
  }

  @Test func aFailureIsTheStatusOfWhatWasAskedFor() async throws {
    let asset = Asset(path: "/no/such/file")
    #expect(asset.status(of: .duration) == .unknown)
    await #expect(throws: PlaybackError.self) { try await asset.load(.duration) }
    guard case .failed(let error) = asset.status(of: .duration) else {
      Issue.record("the status is \(asset.status(of: .duration))")
      return
    }
    #expect(error.reason == .notFound && asset.loadedValue(of: .duration) == nil)
  }

  @Test(arguments: [
    "a:b.mov", "%03d.mp4", "concat:x", "-x", "file:y.mp4", "data:,x", "sp ace\u{301}.mp4", "pipe:0",
  ])
  func namesAreTakenLiterally(name: String) async throws {
    let path = try Self.temporary(name)
    defer { Self.remove(path) }
    try FileManager.default.copyItem(atPath: try SampleClip.h264BFrames.path(), toPath: path)
    #expect(try await Asset(path: path).load(.isPlayable))
  }

  @Test(arguments: [TimingClip.discontinuityForward, .discontinuityBack, .repeated])
  func preciseDurationOfJoinedClipsIsThatOfTheirFrames(clip: TimingClip) async throws {
    let asset = Asset(path: try clip.path(), options: .init(prefersPreciseDurationAndTiming: true))
    let length = try await asset.load(.duration).seconds
    let frames = try await #require(asset.scannedIndex().timeline?.duration?.seconds)
    #expect(abs(length - frames) < 0.1)
    #expect(try await asset.load(.facts).durationIsEstimate)
  }

  @Test func preciseDurationIsThatOfThePackets() async throws {
    // A stream without a container has no duration but a guess.
    let raw = Asset(
      path: try SampleClip.rawH264.path(), options: .init(prefersPreciseDurationAndTiming: true))
    let duration = try await raw.load(.duration)
    // 90 frames at 30 a second.
    #expect(raw.status(of: .tracks) == .loaded)
    #expect(duration == seconds(3))
    let cut = Asset(
      path: try SampleClip.truncated.path(), options: .init(prefersPreciseDurationAndTiming: true))
    let rough = try await Asset(path: try SampleClip.truncated.path()).load(.duration)
    let precise = try await cut.load(.duration)
    #expect(precise < rough && precise > seconds(1) && precise < seconds(2.5))
    for (clip, end) in [
      (.h264BFrames, 3), (.transportStreamOffset, 3), (.variableFrameRate, 88.0 / 30),
    ] as [(SampleClip, Double)] {
      let asset = Asset(path: try clip.path(), options: .init(prefersPreciseDurationAndTiming: true))
      let found = try await asset.load(.duration).seconds
      #expect(abs(found - end) < 0.04, "\(clip): \(found)")
    }
  }

  /// Their headers tell nothing of the length, so that it is guessed from the bit rate of the beginning.
  @Test(arguments: [
    ("varying.mp3", ["-c:a", "libmp3lame", "-q:a", "7", "-write_xing", "0"], 1152.0),
    ("varying.aac", ["-c:a", "aac", "-b:a", "48k"], 1024),
  ])
  func preciseDurationOfSoundAlone(name: String, arguments: [String], samplesPerPacket: Double) async throws {
    let path = try SoundSourceTests.clip(name, arguments)
    let rough = try await Asset(path: path).load(.duration)
    let precise = try await Asset(path: path, options: .init(prefersPreciseDurationAndTiming: true)).load(.duration)
    func isWhole(_ time: MediaTime) -> Bool {
      let count = time.seconds * 44100 / samplesPerPacket
      return abs(count - count.rounded()) < 1e-6
    }
    // Some packets of padding are added to 8 s.
    #expect(precise.seconds >= 8 && precise.seconds < 8.1, "\(precise)")
    #expect(isWhole(precise) && !isWhole(rough), "\(rough) \(precise)")
  }

  @Test func soundAloneIsPlayable() async throws {
    let asset = Asset(path: try SampleClip.audioOnly.path())
    #expect(try await asset.load(.isPlayable))
    #expect(try await asset.load(.characteristics) == [.audible])
  }

  @Test func shapes() async throws {
    func size(_ clip: SampleClip) async throws -> String {
      let facts = try await Asset(path: try clip.path()).load(.facts)
      return facts.preferredVideoTrack?.presentationSize.description ?? ""
    }
    for (clip, expected) in [
      (.h264BFrames, "320×180"), (.anamorphic, "320×180"), (.rotated90, "180×320"), (.rotated180, "320×180"),
      (.rotated270, "180×320"), (.oddSize, "317×239"),
    ] as [(SampleClip, String)] {
      #expect(try await size(clip) == expected)
    }
  }

  @Test func oneAssetBacksManyItems() throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    let pool = DecodePool(threads: 2)
    let bus = TimeObserverBus()
    try bus.startDelivering()
    defer { bus.stopDelivering() }
    let items = (0..<4).map { _ in PlayerItem(asset: asset) }
    let opened = Monitor(0)
    let players = items.map { _ in Player(context: PlaybackContext(pool: pool, bus: bus)) }
    let observers = players.map { player in
      player.addEventObserver(on: InlineExecutor()) { event in
        switch event {
        case .itemReady, .itemFailed: opened.withLock { $0 += 1 }
        default: return
        }
        opened.broadcast()
      }
    }
    for (player, item) in zip(players, items) { player.replaceCurrentItem(with: item) }
    #expect(items.allSatisfy { $0.asset === asset })
    opened.wait { $0 == items.count ? () : nil }
    #expect(items.allSatisfy { $0.status == .readyToPlay && $0.presentationSize?.width == 320 })
    withExtendedLifetime((players, observers)) {}
  }

  /// A frame number typed while another track is being opened is not lost.
  @Test func framesHaveTimesBeforeTheItemIsReady() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    let track = try #require(try await asset.load(.facts).preferredVideoTrack)
    let player = Player(context: PlaybackContext(pool: DecodePool(threads: 1), bus: TimeObserverBus(clock: ManualClock())))
    let output = VideoOutput(player, request: StagePane.request)
    for item in [PlayerItem(asset: asset), PlayerItem(asset: asset, videoTrack: track)] {
      player.replaceCurrentItem(with: item)
      let time = try #require(player.time(ofFrame: 3))
      #expect(await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) == .finished)
      #expect(player.displayedTiming.map { $0.pts <= time && time < $0.end && abs($0.pts.seconds - 3 / track.nominalFrameRate) < 0.001 } == true)
    }
    withExtendedLifetime(output) {}
  }

  @Test(.enabled(if: SharedClips.has("tracks/sample_with_chapters.mkv"), Comment(rawValue: SharedClips.missing)))
  func realChapters() async throws {
    let chapters = try await Asset(path: #require(SharedClips.path("tracks/sample_with_chapters.mkv"))).load(.chapters)
    #expect(chapters.map(\.title) == ["Chapter 1", "Chapter 2"] && chapters.map(\.timeRange.start.seconds) == [0, 2])
    #expect(chapters.map(\.timeRange.end.seconds) == [1.999, 4.999])
  }

  /// Sound that comes first in the file, and begins half a second late: time 0 is the first frame.
  @Test(.enabled(if: SharedClips.has("tracks/sample_MKV_delayed.mkv"), Comment(rawValue: SharedClips.missing)))
  func realSoundThatBeginsLate() async throws {
    let asset = Asset(path: try #require(SharedClips.path("tracks/sample_MKV_delayed.mkv")))
    let facts = try await asset.load(.facts)
    #expect(facts.startTime == .zero && facts.preferredVideoTrack?.index == 1 && facts.tracks.first?.mediaType == .audio)
    let timeline = try #require(try await asset.scannedIndex().content.timeline)
    #expect((0..<3).map { timeline.time(ofFrame: $0)?.seconds } == [0, 0.033, 0.067])
  }

  /// Position, length and chapters all count from the first frame.
  @Test func soundBeforeTheFirstFrameMovesNothing() async throws {
    let marks = try SampleMedia.file(name: "marks.txt", key: ["early sound"]) {
      let chapter = "[CHAPTER]\nTIMEBASE=1/1000\n"
      try ";FFMETADATA1\n\(chapter)START=0\nEND=400\n\(chapter)START=400\nEND=1500\n\(chapter)START=1500\nEND=3000\n"
        .write(toFile: $0, atomically: true, encoding: .utf8)
    }
    for name in ["early.mkv", "early.mov"] {
      let clip = try SampleMedia.clip(
        name: name,
        arguments: [
          "-f", "lavfi", "-i", "sine=duration=3", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=2",
          "-i", marks, "-filter_complex", "[1]setpts=PTS+0.5/TB[late]", "-map", "0", "-map", "[late]",
          "-map_chapters", "2", "-fps_mode", "passthrough", "-c:v", "mpeg4", "-c:a", "pcm_s16le",
        ])
      let asset = Asset(path: clip, options: .init(prefersPreciseDurationAndTiming: true))
      let facts = try await asset.load(.facts)
      #expect(facts.startTime.seconds == 0.5)
      #expect(facts.chapters.map(\.timeRange.start.seconds) == [0, 1])
      #expect(facts.chapters.map(\.timeRange.end.seconds) == [1, 2.5])
      #expect(abs(facts.duration.seconds - 2.5) < 0.05)
      #expect(abs(try await asset.load(.duration).seconds - 2) < 0.05)
    }
  }

  /// Threads that are waited for, so that all is done in order.
  private static func threadsInOrder(_ starts: Recorder<Int> = Recorder()) -> ThreadStarter {
    { body throws(ThreadError) in
      starts.append(1)
      let end = DispatchSemaphore(value: 0)
      try detachThread {
        body()
        end.signal()
      }
      #expect(end.wait(timeout: .now() + 120) == .success)
    }
  }

  /// The way to the first frame is not delayed by that.
  @Test func itIsOpenedAheadBehindTheFirstFrame() throws {
    let clock = ManualClock(), pool = DecodePool(threads: 0, now: clock.unsignedNow)
    let player = Player(context: PlaybackContext(pool: pool, bus: TimeObserverBus(clock: clock) {}))
    let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 16, height: 9)))
    let asset = Asset(path: try SampleClip.tracksAndChapters.path(), startThread: Self.threadsInOrder())
    player.replaceCurrentItem(with: PlayerItem(asset: asset))
    #expect(player.currentItem?.status == .readyToPlay)
    while output.copyFrame(at: clock.now) == nil {
      #expect(asset.takeInput() == nil)
      try #require(pool.runNextStep())
    }
    #expect(asset.takeInput() != nil)
  }

  /// Another track need not wait for its file to be opened.
  @Test func aFileWithSeveralVideoTracksIsOpenedAhead() throws {
    func item(_ asset: Asset, _ track: AssetTrack? = nil) throws -> PlayerItem {
      let item = PlayerItem(asset: asset, videoTrack: track)
      let answer = Recorder<PlayerItem.Opening>()
      item.open(threads: 1) { answer.append($0) }
      _ = try #require(answer.all.first).get()
      // Not before the first frame has come.
      #expect(asset.takeInput() == nil)
      item.openAhead()
      return item
    }
    let starts = Recorder<Int>(), start = Self.threadsInOrder(starts)
    let asset = Asset(path: try SampleClip.tracksAndChapters.path(), startThread: start)
    let first = try item(asset)
    // The facts, the item, and the file once more.
    #expect(starts.all.count == 3 && first.status == .readyToPlay)
    let opened = try #require(asset.takeInput())
    #expect(asset.takeInput() == nil && opened.canSeek)
    let other = try #require(asset.loadedValue(of: .facts)?.tracks.last { $0.mediaType == .video })
    _ = try item(asset, other)
    #expect(asset.takeInput() != nil)
    let single = Asset(path: try SampleClip.h264BFrames.path(), startThread: start)
    _ = try item(single)
    #expect(single.takeInput() == nil)
  }

  @Test func anItemOnAHangingAssetLetsGo() throws {
    let path = try Self.temporary("pipe")
    defer { Self.remove(path) }
    mkfifo(path, 0o600)
    let stage = RealStage(players: 1, threads: 1)
    weak var asset: Asset?
    weak var item: PlayerItem?
    var writer: Int32 = -1
    defer { close(writer) }
    do {
      let hanging = Asset(path: path)
      let waiting = PlayerItem(asset: hanging)
      (asset, item) = (hanging, waiting)
      #expect(stage.players[0].replaceCurrentItem(with: waiting))
      // Waits until the loading thread has opened it to read.
      writer = open(path, O_WRONLY)
      #expect(writer >= 0 && waiting.status == .unknown && stage.players[0].currentItem === waiting)
      stage.players[0].replaceCurrentItem(with: nil)
    }
    // The writing end tells when nobody reads any more.
    var end = pollfd(fd: writer, events: 0, revents: 0)
    #expect(poll(&end, 1, 60_000) == 1, "a hanging source keeps its thread for ever")
    #expect(asset == nil && item == nil)
  }

  /// Whoever takes over what loading has opened goes on with it, whatever is loaded or ended later.
  @Test func whatWasOpenedOutlivesLoading() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path(), options: .init(prefersPreciseDurationAndTiming: true))
    _ = try await asset.load(.facts)
    let opened = try #require(asset.takeInput())
    _ = try await asset.load(.duration)
    asset.cancelLoading()
    let packet = try Packet()
    #expect(try opened.demuxer.read(into: packet) == .packet)
  }

  /// It is another file by then.
  @Test func aFileThatWasReplacedIsNotTakenForTheFormerOne() async throws {
    let path = try Self.temporary("clip.mkv")
    defer { Self.remove(path) }
    let former = try SampleMedia.clip(
      name: "two.mkv", arguments: ["-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-map", "0", "-map", "1"])
    let others = [
      try SampleMedia.clip(name: "one.mkv", arguments: ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]),
      try SampleMedia.clip(
        name: "other.mkv", arguments: ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1"]),
    ]
    for other in others {
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: former, toPath: path)
      let asset = Asset(path: path)
      let facts = try await asset.load(.facts)
      let track = try #require(facts.preferredVideoTrack)
      _ = asset.takeInput()
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: other, toPath: path)
      let session = InputSession(asset.input)
      #expect(throws: DecoderError.noStream) {
        try MovieSource(session.open(), session: session, facts: facts, track: track, index: nil, threads: 1)
      }
    }
    #expect(PlaybackError(DecoderError.noStream).message == "has changed since it was opened")
  }
}
