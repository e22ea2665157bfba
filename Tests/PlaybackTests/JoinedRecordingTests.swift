import DecodePool
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// MPEG streams that were joined: their time stamps go back where the second begins, by less than ten seconds, too.
@Suite(.timeLimit(.minutes(10))) struct JoinedRecordingTests {
  /// A hundred frames in four seconds, with an image over those of 1 s to 3 s.
  private static func part() throws -> Data {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20)
    pgs.clear(at: 3)
    let images = try pgs.file(named: "pages.sup")
    let path = try SampleMedia.clip(
      name: "part.ts",
      arguments: SampleMedia.numbered(rate: "25", seconds: 4) + [
        "-itsoffset", "1", "-i", images, "-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25",
        "-pix_fmt", "yuv420p", "-c:s", "dvbsub",
      ])
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func joined(_ count: Int, in folder: TemporaryFolder) throws -> Asset {
    let path = folder.path("joined.ts"), part = try part()
    try Data((0..<count).map { _ in part }.joined()).write(to: URL(fileURLWithPath: path))
    return Asset(path: path)
  }

  /// A player whose clock the test moves, on a pool without threads.
  private final class Theatre {
    let clock = ManualClock()
    let pool: DecodePool
    let bus: TimeObserverBus
    let player: Player
    let output: VideoOutput
    let events = Recorder<PlayerEvent>()
    private var observer: TimeObserver?
    /// When each frame came, in seconds since playing began, and which it was.
    private(set) var frames: [(host: Double, timing: FrameTiming, number: Int?)] = []

    init(_ asset: Asset, index: FrameIndex?) async throws {
      let facts = try await asset.load(.facts), track = try #require(facts.preferredVideoTrack), input = asset.input
      pool = DecodePool(threads: 0, now: clock.unsignedNow)
      bus = TimeObserverBus(clock: clock) {}
      player = Player(context: PlaybackContext(pool: pool, bus: bus))
      output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 64, height: 36)))
      observer = player.addEventObserver(on: InlineExecutor()) { [events] in events.append($0) }
      let item = PlayerItem {
        let session = InputSession(input)
        return try MovieSource(session.open(), session: session, facts: facts, track: track, index: index, threads: 1)
      }
      player.replaceCurrentItem(with: item)
    }

    func run(seconds: Double) {
      let start = clock.now
      while Double(clock.now - start) < seconds * 1e9 {
        repeat { bus.deliver() } while pool.runNextStep()
        while let (frame, due) = output.take(at: clock.now) {
          frames.append((Double(clock.now - start) / 1e9, frame.timing, FrameNumber.read(frame.image)))
          output.didShow(due: due, at: clock.now)
        }
        clock.advance(by: 5_000_000)
      }
    }
  }

  /// Whether the index of its frames is known from the start, or nothing is.
  @Test(arguments: [false, true]) func playingGoesOn(isIndexed: Bool) async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(2, in: folder)
    let index = isIndexed ? try await asset.scannedIndex() : nil
    let theatre = try await Theatre(asset, index: index)
    theatre.run(seconds: 0.1)
    theatre.player.play()
    theatre.run(seconds: 12)
    #expect(theatre.frames.compactMap(\.number) == Array(0..<100) + Array(0..<100))
    for (i, frame) in theatre.frames.enumerated() {
      #expect(abs(frame.timing.pts.seconds - Double(i) / 25) < 0.001, "frame \(i) at \(frame.timing.pts)")
      #expect(i == 0 || abs(frame.host - Double(i) / 25) < 0.03, "frame \(i) came at \(frame.host)")
    }
    #expect(theatre.player.statistics.dropped == 0)
    #expect(theatre.events.all.filter { $0 == .playedToEnd }.count == 1)
    #expect(abs(theatre.player.duration.seconds - 8) < 0.001 && theatre.player.currentTime() == theatre.player.duration)
  }

  @Test func goingThereIsExact() async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(3, in: folder)
    let theatre = try await Theatre(asset, index: asset.scannedIndex())
    theatre.run(seconds: 0.1)
    for frame in [150, 99, 100, 299, 0, 201] {
      theatre.player.seek(to: MediaTime(value: Int64(2 * frame + 1), timescale: 50), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
      theatre.run(seconds: 0.1)
      #expect(theatre.frames.last?.number == frame % 100 && theatre.player.displayedTiming?.number == frame)
    }
  }

  @Test func whatIsShownBesideGoesOn() async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(3, in: folder)
    let facts = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map { ($0.timeRange.start.seconds * 10).rounded() / 10 } == [1, 5, 9], "\(facts.startTime)")
    for (i, cue) in cues.enumerated() { #expect(abs(cue.timeRange.end.seconds - Double(3 + 4 * i)) < 0.2, "\(cue.timeRange)") }
  }

  @Test func theLengthIsThatOfAll() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.joined(3, in: folder).path
    let precise = Asset(path: path, options: Asset.Options(prefersPreciseDurationAndTiming: true))
    #expect(try await abs(precise.load(.duration).seconds - 12) < 0.001)
  }
}
