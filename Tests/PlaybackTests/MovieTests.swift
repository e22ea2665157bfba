import DecodePool
import Foundation
import Pixels
import Playback
import TestSupport
import Testing

/// Real clips on a real pool, played without a clock, or stopped where they are looked at.
@Suite(.timeLimit(.minutes(20))) struct MovieTests {
  /// A player of one clip, and everything that came out of it.
  private final class Theatre {
    let clock = ManualClock()
    let player: Player
    let events = Recorder<PlayerEvent>()
    private let news = Monitor(0)
    private let bus: TimeObserverBus
    let output: VideoOutput
    private var observer: TimeObserver?
    private(set) var frames: [RenderedFrame] = []

    init(_ path: String, threads: Int = 2) {
      let news = news
      @Sendable func ring() {
        news.withLock { $0 += 1 }
        news.broadcast()
      }
      bus = TimeObserverBus(clock: clock) { ring() }
      player = Player(context: PlaybackContext(pool: DecodePool(threads: threads), bus: bus))
      output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 64, height: 36)))
      output.setWaker { ring() }
      observer = player.addEventObserver(on: InlineExecutor()) { [events] in events.append($0) }
      player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: path)))
    }

    /// Takes frames until `isDone`, woken by the player.
    func run(until isDone: (Theatre) -> Bool) {
      while true {
        bus.deliver()
        while let (frame, _) = output.take(at: clock.now) { frames.append(frame) }
        if isDone(self) { return }
        let next = output.nextTime(after: clock.now) ?? .max
        if next <= clock.now { continue }
        news.wait { count -> Void? in
          defer { count = 0 }
          return count > 0 ? () : nil
        }
      }
    }

    var hasEnded: Bool {
      events.all.contains { event in
        if case .itemFailed = event { return true }
        return event == .playedToEnd
      }
    }

    /// All of the clip, every frame once.
    func playUntimed() {
      player.isUntimed = true
      player.play()
      run { $0.hasEnded }
    }

    /// Goes somewhere and gives the number that is shown there.
    func number(at time: MediaTime) -> Int? {
      let landed = Recorder<SeekResult>()
      let ring = news
      player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) {
        landed.append($0)
        ring.withLock { $0 += 1 }
        ring.broadcast()
      }
      run { _ in !landed.all.isEmpty }
      return frames.last.flatMap { FrameNumber.read($0.image) }
    }

    var numbers: [Int?] { frames.map { FrameNumber.read($0.image) } }
    var times: [Double] { frames.map(\.timing.pts.seconds) }
  }

  private static let whole: [SampleClip] = [
    .h264BFrames, .longGOP, .openGOP, .ntsc, .transportStreamOffset, .mpeg2ProgramStream, .rawH264, .vp9Alpha,
    .av1,
    .hevc10Bit, .gifTransparent, .png, .jpeg, .paletted, .mjpegAVI, .mpeg4PackedBFrames, .anamorphic,
    .oddSize,
  ]

  @Test func soundAloneIsShown() async throws {
    let path = try SoundSourceTests.clip("tone.flac")
    let theatre = Theatre(path)
    theatre.playUntimed()
    #expect(theatre.frames.map(\.timing.number) == Array(0..<200) && theatre.player.duration == MediaTime(value: 8, timescale: 1))
    theatre.player.isUntimed = false
    for (time, number) in [(3.0, 75), (7.999, 199), (100, 199), (0, 0)] {
      _ = theatre.number(at: MediaTime(seconds: time, preferredTimescale: 1000))
      #expect(theatre.frames.last?.timing.number == number)
    }
    // It is no video.
    await #expect(throws: PlaybackError.self) { try await ImageGenerator(asset: Asset(path: path)).image(at: .zero) }
  }

  @Test(arguments: whole) func everyFrameComesOnceInOrder(clip: SampleClip) throws {
    let theatre = Theatre(try clip.path())
    theatre.playUntimed()
    let count = clip.frameCount ?? -1
    #expect(theatre.numbers == (0..<count).map { $0 }, "\(clip)")
    #expect(theatre.times == theatre.times.sorted())
    // AVI has no time stamps but the decoding order's: packed B-frames come late all together.
    let start = theatre.times.first ?? -1
    #expect(start == 0 || (clip == .mpeg4PackedBFrames && start < 0.2))
    #expect(Set(theatre.times).count == count)
    // Numbers as the player counts them, and times as the rate has them.
    #expect(theatre.frames.map(\.timing.number) == Array(0..<count))
    let rate = clip == .gifTransparent ? 10 : clip == .ntsc ? 30000.0 / 1001 : clip == .rawH264 ? 0 : 30
    if rate > 0 {
      let wrong = theatre.times.enumerated().filter {
        abs($0.element - start - Double($0.offset) / rate) >= 0.002
      }
      #expect(wrong.isEmpty, "\(clip): \(wrong)")
      #expect(abs(theatre.player.duration.seconds - start - Double(count) / rate) < 0.05)
    }
    #expect(theatre.events.all.count { $0 == .playedToEnd } == 1)
  }

  @Test func variableRatesKeepTheirTimes() throws {
    let theatre = Theatre(try SampleClip.variableFrameRate.path())
    theatre.playUntimed()
    let numbers = (0..<90).filter { [0, 1, 3].contains($0 % 7) }
    #expect(theatre.numbers == numbers.map { $0 })
    for (time, number) in zip(theatre.times, numbers) { #expect(abs(time - Double(number) / 30) < 0.0011) }
  }

  @Test(arguments: [
    SampleClip.h264BFrames, .longGOP, .transportStreamOffset, .variableFrameRate, .ntsc, .mjpegAVI,
  ])
  func seeksShowTheFrameThatHoldsTheTime(clip: SampleClip) throws {
    let theatre = Theatre(try clip.path())
    let numbers = clip == .variableFrameRate ? (0..<90).filter { [0, 1, 3].contains($0 % 7) } : Array(0..<90)
    let rate = clip == .ntsc ? 30000.0 / 1001 : 30
    for time in [1.51, 0.01, 2.95, 2.2, 0.77, 0.79, 1, 99] {
      let expected = numbers.last { Double($0) / rate <= time + 0.0005 }
      #expect(theatre.number(at: seconds(time)) == expected, "\(clip) at \(time)")
    }
  }

  @Test func aTruncatedClipPlaysAsFarAsItGoes() throws {
    let theatre = Theatre(try SampleClip.truncated.path())
    theatre.playUntimed()
    let numbers = theatre.numbers.compactMap { $0 }
    #expect(numbers.count > 30 && numbers.count < 80 && numbers == Array(0..<numbers.count))
    #expect(theatre.events.all.contains { if case .endedEarly = $0 { true } else { false } })
    #expect(theatre.events.all.last { if case .itemFailed = $0 { true } else { false } } == nil)
    #expect(theatre.player.duration < seconds(2.7))
  }

  /// A decode in the background does not shorten the clip before playback has come to its end.
  @Test(arguments: cutFiles) func aClipThatIsCutOffKeepsItsLengthAndTellsWhereItEnds(file: CutFile) throws {
    let path = try file.path()
    let theatre = Theatre(path)
    theatre.run { $0.events.all.contains(.framesIndexed) }
    let announced = theatre.player.duration
    if file.tellsLength { #expect(abs(announced.seconds - 4) < 0.5, "\(announced)") }
    theatre.playUntimed()
    let ends = theatre.events.all.compactMap { if case .endedEarly(let at, let length) = $0 { (at, length) } else { nil } }
    #expect(ends.count == 1)
    let (place, length) = try #require(ends.first)
    let end = try #require(theatre.frames.last?.timing.end)
    #expect(abs((place - end).seconds) < 0.001)
    if file.tellsLength, (announced - end).seconds > 0.1 { #expect(length == announced) }
    #expect(theatre.player.duration == place)
  }

  /// The first part of a clip of 4 s.
  struct CutFile: CustomTestStringConvertible, Sendable {
    var clip: TimingClip
    var share: Double
    /// True if the container announces a length at its beginning.
    var tellsLength: Bool
    var testDescription: String { "\(clip) \(share)" }

    func path() throws -> String {
      let whole = try clip.path()
      return try SampleMedia.file(name: "cut-" + (whole as NSString).lastPathComponent, key: [whole, "\(share)"]) { path in
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        // Not between two packets of a transport stream, where nothing tells it.
        let length = Int(Double(bytes.count) * share) / 188 * 188 + 41
        try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
      }
    }
  }

  private static let cutFiles: [CutFile] = [
    (TimingClip.fastStart, true), (.h264InAVI, true), (.strictPyramid, true), (.alternateReferenceVP9, true),
    (.h264InFlash, true), (.theora, false), (.openGOPTransport, false), (.fragmented, false), (.fragmentedWithIndex, true),
  ].flatMap { clip, tells in [0.3, 0.55, 0.8].map { CutFile(clip: clip, share: $0, tellsLength: tells) } }

  @Test func damageInTheMiddleIsPlayedOver() throws {
    let theatre = Theatre(try SampleClip.corrupted.path())
    theatre.playUntimed()
    let numbers = theatre.numbers.compactMap { $0 }
    #expect(numbers.first == 0 && numbers.last == 89 && numbers.count > 60)
    #expect(numbers == numbers.sorted() && theatre.times == theatre.times.sorted())
    #expect(theatre.events.all.count { $0 == .playedToEnd } == 1)
  }

  @Test(arguments: [SampleClip.empty, .notMedia]) func unplayableOnesFailInWords(clip: SampleClip)
    throws
  {
    let theatre = Theatre(try clip.path())
    theatre.playUntimed()
    let errors = theatre.events.all.compactMap { if case .itemFailed(let error) = $0 { error } else { nil } }
    #expect(errors.count == 1 && theatre.player.currentItem?.error == errors.first)
    if clip == .empty { #expect(errors.first?.message == "is empty") }
  }

  @Test func aFileWithoutOneGoodFrameFails() throws {
    // Headers and time stamps are there, but every frame's bytes are noise.
    let source = try SampleClip.h264BFrames.path()
    let path = try SampleMedia.file(name: "noise.mp4", key: [source]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      let data = try #require(bytes.range(of: Data("mdat".utf8)))
      let end = bytes.range(of: Data("moov".utf8)).map { $0.lowerBound - 4 } ?? bytes.count
      for index in data.upperBound..<max(data.upperBound, end) { bytes[index] = 0xFF }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let theatre = Theatre(path)
    theatre.playUntimed()
    #expect(theatre.frames.isEmpty)
    guard case .failed? = theatre.player.currentItem?.status else {
      Issue.record("\(String(describing: theatre.player.currentItem?.status))")
      return
    }
  }

  @Test func aTurnedClipFitsItsPane() throws {
    let theatre = Theatre(try SampleClip.rotated90.path())
    theatre.run { !$0.frames.isEmpty }
    let frame = try #require(theatre.frames.first)
    #expect(frame.image.size == PixelSize(width: 20, height: 36) && frame.rect.x == 22)
  }

  @Test func aLoopOfARealClipHasNoGap() throws {
    let theatre = Theatre(try SampleClip.h264BFrames.path())
    theatre.player.actionAtItemEnd = .loop
    // What is cached would tell nothing of what waits.
    theatre.player.cacheBudget = 0
    theatre.run { !$0.frames.isEmpty }
    theatre.player.play()
    // Each frame is waited for before the clock goes on to it, so none can be late.
    while theatre.frames.count <= 200 {
      let isAtEnd = theatre.player.displayedTiming?.number == 89
      if isAtEnd, let turn = theatre.output.nextTime(after: theatre.clock.now) {
        theatre.clock.advance(to: turn)
      }
      theatre.run { theatre in
        guard let shown = theatre.player.displayedTiming, theatre.player.timeControlStatus == .playing else {
          return false
        }
        let isNextThere = theatre.player.cachedTimeRanges.contains { $0.end > shown.end }
        // Behind the last one comes the turn, once the end is known.
        let hasTurn = theatre.output.nextTime(after: theatre.clock.now) != nil
        return isNextThere || (shown.number == 89 && !isAtEnd && hasTurn)
      }
      guard theatre.player.displayedTiming?.number != 89 else { continue }
      if let next = theatre.output.nextTime(after: theatre.clock.now) {
        theatre.clock.advance(to: next)
      }
    }
    #expect(theatre.numbers.prefix(201) == (0..<201).map { $0 % 90 }[...])
  }

  /// Also where the first thing that is seen is what a seek led to, the index is made.
  @Test func aClipThatBeginsWithASeekIsIndexed() throws {
    let theatre = Theatre(try SampleClip.longGOP.path())
    theatre.player.seek(to: MediaTime(value: 61, timescale: 60), toleranceBefore: .zero, toleranceAfter: .zero)
    theatre.run { $0.events.all.contains(.framesIndexed) }
    theatre.run { $0.player.displayedTiming?.number == 30 }
    #expect(theatre.player.displayedTiming?.numberIsExact == true)
    #expect(theatre.player.frameIndex?.timeline?.isComplete == true)
  }
}
