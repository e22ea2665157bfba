import DecodePool
import Libav
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Image generator", .timeLimit(.minutes(20)))
struct ImageGeneratorTests {
  private static func generator(_ clip: SampleClip, exact: Bool = true) throws -> ImageGenerator {
    let generator = ImageGenerator(asset: Asset(path: try clip.path()))
    if exact {
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
    }
    return generator
  }

  private static func answers(_ generator: ImageGenerator, _ times: [MediaTime]) async -> [GeneratedImage] {
    var answers: [GeneratedImage] = []
    for await answer in generator.images(at: times) { answers.append(answer) }
    return answers
  }

  private static func number(_ answer: GeneratedImage) -> Int? { answer.image.flatMap(FrameNumber.read) }

  private static func frame(_ number: Int, of rate: Int32 = 30) -> MediaTime {
    MediaTime(value: Int64(number), timescale: rate)
  }

  /// Half a frame after the beginning of one, at 30 a second.
  private static func middle(_ number: Int) -> MediaTime {
    MediaTime(value: Int64(2 * number + 1), timescale: 60)
  }

  @Test(
    "exact times give the frames that are on display, in any order",
    arguments: [
      SampleClip.h264BFrames, .longGOP, .openGOP, .transportStreamOffset, .hevc10Bit, .mjpegAVI,
      .mpeg2ProgramStream,
    ])
  func exact(clip: SampleClip) async throws {
    let numbers = [17, 3, 89, 0, 44, 45, 46, 12, 88, 60, 59]
    let middles = numbers.map(Self.middle)
    let answers = await Self.answers(try Self.generator(clip), middles)
    #expect(answers.map(Self.number) == numbers)
    #expect(answers.map(\.requestedTime) == middles)
  }

  @Test("a frame is on display from its PTS to just before the next one's")
  func boundaries() async throws {
    let justBefore = MediaTime(value: 9999, timescale: 30_000)
    let answers = await Self.answers(
      try Self.generator(.h264BFrames), [Self.frame(10), justBefore, Self.frame(9)])
    #expect(answers.map(Self.number) == [10, 9, 9])
    #expect(answers.map(\.actualTime) == [Self.frame(10), Self.frame(9), Self.frame(9)])
  }

  @Test("variable frame rates are exact")
  func variableRate() async throws {
    // Of the numbers that are left out, the one before is still shown.
    let answers = await Self.answers(
      try Self.generator(.variableFrameRate), [5, 6, 7, 8, 9, 10, 13].map { Self.middle($0) })
    #expect(answers.map(Self.number) == [3, 3, 7, 8, 8, 10, 10])
  }

  @Test("times before the start and past the end give the first and the last frame")
  func outside() async throws {
    let times = [
      MediaTime(value: -5, timescale: 1), .negativeInfinity, MediaTime(value: 500, timescale: 1),
      .positiveInfinity,
      .zero,
    ]
    let answers = await Self.answers(try Self.generator(.h264BFrames), times)
    #expect(answers.map(Self.number) == [0, 0, 89, 89, 0])
  }

  @Test("frames can be asked for by number")
  func numbers() async throws {
    let generator = try Self.generator(.variableFrameRate)
    #expect(FrameNumber.read(try await generator.image(ofFrame: 4).image) == 8)
    #expect(FrameNumber.read(try await generator.image(ofFrame: 38).image) == 87)
    let error = await #expect(throws: PlaybackError.self) { try await generator.image(ofFrame: 5000) }
    #expect(error == PlaybackError(.noSuchFrame, "has only 39 frames (#0–#38)"))
    let raw = try Self.generator(.rawH264)
    #expect(FrameNumber.read(try await raw.image(ofFrame: 31).image) == 31)
    #expect(FrameNumber.read(try await raw.image(ofFrame: 30).image) == 30)
  }

  @Test("the frame that a player showed is found by its stamp, wherever its time had come to lie")
  func shown() async throws {
    let generator = try Self.generator(.transportStreamOffset)
    let real = try await generator.image(ofFrame: 40)
    #expect(FrameNumber.read(real.image) == 40)
    for pts in [
      real.timing.pts, .zero, MediaTime(value: 2, timescale: 1), MediaTime(value: 500, timescale: 1),
    ] {
      let timing = FrameTiming(
        pts: pts, duration: real.timing.duration, originalPTS: real.timing.originalPTS,
        timeBase: real.timing.timeBase)
      let found: GeneratedImage = await withCheckedContinuation { continuation in
        generator.generateImage(of: timing) { continuation.resume(returning: $0) }
      }
      #expect(Self.number(found) == 40)
    }
  }

  @Test("with infinite tolerance a keyframe at or before the time will do")
  func cheap() async throws {
    let answers = await Self.answers(
      try Self.generator(.h264BFrames, exact: false), [50, 29, 75].map { Self.frame($0) })
    for (answer, wanted) in zip(answers, [50, 29, 75]) {
      let number = try #require(Self.number(answer))
      #expect(number <= wanted && wanted - number < 31)
      #expect(answer.actualTime == Self.frame(number))
    }
  }

  @Test("finite tolerances are kept")
  func finite() async throws {
    let generator = try Self.generator(.h264BFrames)
    generator.requestedTimeToleranceBefore = MediaTime(value: 1, timescale: 6)
    let answers = await Self.answers(generator, [50, 33, 75].map { Self.frame($0) })
    for (answer, wanted) in zip(answers, [50, 33, 75]) {
      let number = try #require(Self.number(answer))
      #expect((wanted - 5...wanted).contains(number))
    }
  }

  @Test("frames are turned and have square pixels")
  func shapes() async throws {
    let anamorphic = try await Self.generator(.anamorphic).image(at: Self.frame(20))
    #expect(anamorphic.image.size == PixelSize(width: 320, height: 180))
    #expect(FrameNumber.read(anamorphic.image) == 20)
    let turned = try await Self.generator(.rotated90).image(at: Self.frame(20)).image
    #expect(turned.size == PixelSize(width: 180, height: 320))
    // Turned back, it shows its number.
    let number = FrameNumber.read(width: 320, height: 180) { x, y in turned[179 - y, x] }
    #expect(number == 20)
  }

  @Test("frames fit into the maximum size and are never enlarged")
  func sizes() async throws {
    let generator = try Self.generator(.h264BFrames)
    let cases = [
      (PixelSize(width: 100, height: 0), PixelSize(width: 100, height: 56)),
      (PixelSize(width: 0, height: 90), PixelSize(width: 160, height: 90)),
      (PixelSize(width: 100, height: 20), PixelSize(width: 36, height: 20)),
      (PixelSize(width: 4000, height: 4000), PixelSize(width: 320, height: 180)),
    ]
    for (maximum, size) in cases {
      generator.maximumSize = maximum
      #expect(try await generator.image(at: .zero).image.size == size)
    }
  }

  @Test(
    "what cannot be opened fails once for every time", arguments: [SampleClip.audioOnly, .notMedia, .empty])
  func errors(clip: SampleClip) async throws {
    let answers = await Self.answers(try Self.generator(clip), [.zero, Self.frame(1), Self.frame(2)])
    #expect(answers.count == 3)
    for answer in answers {
      guard case .failed = answer.outcome else {
        Issue.record("\(answer.outcome)")
        continue
      }
    }
  }

  @Test(
    "damaged and cut off clips give frames all the same", arguments: [SampleClip.truncated, .corrupted])
  func damage(clip: SampleClip) async throws {
    let answers = await Self.answers(try Self.generator(clip), [5, 50, 85].map { Self.middle($0) })
    #expect(answers.map { $0.image != nil } == [true, true, true])
    #expect(Self.number(answers[0]) == 5)
  }

  @Test("a source that lands late, or nowhere, still gives the exact frame", arguments: [0, 3, 40])
  func lateLanding(behind: Int) async throws {
    let source = ScriptedSource(.constant(count: 250))
    source.faults.landsBehindBy = behind
    source.faults.landsNowhere = behind == 0
    let generator = ImageGenerator { source }
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let time = source.script.frames[120].pts
    #expect(try await generator.image(at: time).timing.number == 120)
  }

  @Test("on the way through one group of pictures decoding is not begun anew")
  func increasingTimes() async throws {
    let moves = Recorder<MediaTime>()
    let path = try SampleClip.longGOP.path()
    let generator = ImageGenerator { CountedSource(try RandomAccessProofTests.open(path), moves) }
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let numbers = [3, 33, 60, 88]
    let answers = await Self.answers(generator, numbers.map { Self.middle($0) })
    #expect(answers.map(Self.number) == numbers)
    #expect(moves.all.count == 1)
  }

  @Test("a clip without any frame says so")
  func nothing() async throws {
    let source = ScriptedSource(.constant(count: 250))
    source.faults.endsBefore = 0
    let generator = ImageGenerator { source }
    await #expect(throws: PlaybackError.self) { try await generator.image(at: .zero) }
  }

  @Test("answers come in order, once, one at a time, also of several askers and when called off")
  func order() async throws {
    let source = ScriptedSource(.constant(count: 250))
    let pool = DecodePool(threads: 2)
    let log = Monitor<[(Int, Bool)]>([])
    let inside = Mutex(0)
    let generator = ImageGenerator(pool: pool) { source }
    for round in 0..<20 {
      let times = (0..<5).map { source.script.frames[(round * 37 + $0 * 11) % 250].pts }
      let counter = Mutex(0)
      generator.generateImages(at: times) { answer in
        let others = inside.withLock {
          $0 += 1
          return $0
        }
        #expect(others == 1)
        let place = counter.withLock {
          $0 += 1
          return $0 - 1
        }
        #expect(answer.requestedTime == times[place])
        inside.withLock { $0 -= 1 }
        log.withLock { $0.append((round * 5 + place, answer.image != nil)) }
        log.signal()
      }
      if round == 10 { generator.cancelAll() }
    }
    let all = log.wait { $0.count == 100 ? $0 : nil }
    #expect(all.map(\.0) == Array(0..<100))
    #expect(all[55...].allSatisfy { $0.1 })
  }

  @Test("cancelAll answers everything that waits, with cancelled")
  func cancelAll() throws {
    let source = ScriptedSource(.constant(count: 250))
    // Its steps run only when told to.
    let pool = DecodePool(threads: 0)
    let generator = ImageGenerator(pool: pool) { source }
    let outcomes = Recorder<Bool>()
    generator.generateImages(at: [.zero, .zero, .zero]) {
      if case .cancelled = $0.outcome { outcomes.append(true) } else { outcomes.append(false) }
    }
    generator.cancelAll()
    while pool.runNextStep() {}
    #expect(outcomes.all == [true, true, true])
  }

  @Test("a generator that goes answers what it owes")
  func freeing() throws {
    let source = ScriptedSource(.constant(count: 250))
    let pool = DecodePool(threads: 0)
    let outcomes = Recorder<Bool>()
    var generator: ImageGenerator? = ImageGenerator(pool: pool) { source }
    generator?.generateImages(at: [.zero, .zero]) {
      if case .cancelled = $0.outcome { outcomes.append(true) } else { outcomes.append(false) }
    }
    generator = nil
    while pool.runNextStep() {}
    #expect(outcomes.all == [true, true])
  }

  @Test("calling off the task that waits throws cancelled")
  func taskCancellation() async throws {
    let pool = DecodePool(threads: 0)
    let generator = ImageGenerator(pool: pool) { ScriptedSource(.constant(count: 250)) }
    let task = Task { try await generator.image(at: .zero) }
    task.cancel()
    let done = Mutex(false)
    let helper = Task.detached {
      while !done.withLock({ $0 }) {
        pool.runNextStep()
        await Task.yield()
      }
    }
    let result = await task.result
    done.withLock { $0 = true }
    await helper.value
    #expect(throws: PlaybackError(.cancelled, "image generation was cancelled")) { try result.get() }
  }

  @Test("thumbnails on a shared pool come after all work that is due")
  func priority() throws {
    let pool = DecodePool(threads: 0)
    let source = ScriptedSource(.constant(count: 250))
    let generator = ImageGenerator(pool: pool) { source }
    let order = Recorder<String>()
    let asked = Recorder<Int>()
    let left = Mutex(5)
    let lane = pool.makeLane {
      order.append("live")
      return left.withLock {
        $0 -= 1
        return $0 > 0
      } ? .again(deadline: monotonicNanoseconds() + 1_000_000_000) : .idle
    }
    generator.generateImages(at: [.zero]) { _ in
      order.append("image")
      asked.append(1)
    }
    lane.wake(deadline: monotonicNanoseconds() + 1_000_000_000)
    withExtendedLifetime((lane, generator)) {
      while pool.runNextStep() {}
    }
    #expect(order.all == ["live", "live", "live", "live", "live", "image"])
  }
}

/// Notes where a source is sent.
private final class CountedSource: FrameSource {
  private let source: any FrameSource
  private let moves: Recorder<MediaTime>

  init(_ source: any FrameSource, _ moves: Recorder<MediaTime>) {
    self.source = source
    self.moves = moves
  }

  var info: SourceInfo { source.info }
  var index: FrameIndex? { source.index }

  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    moves.append(time)
    return try source.seek(to: time, options: options)
  }

  func rewind() throws {
    moves.append(.zero)
    try source.rewind()
  }

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep { try source.decodeNext(discard: discard) }

  func retainDecoders(within bytes: Int) -> Int { source.retainDecoders(within: bytes) }
}
