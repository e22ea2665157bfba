import DecodePool
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback
@testable import Sound

/// A player of a file, with a sound device of which every sample is known, on a clock that the test moves.
final class PlayerSoundStage {
  let clock = ManualClock()
  let pool: DecodePool
  let bus: TimeObserverBus
  let player: Player
  private let output: VideoOutput
  private let device: TimedOutput
  private let taken = Monitor<[Float]>([])
  /// The time at which the device took its first sample.
  private let begin = Monitor<HostTime?>(nil)

  static let form = SoundForm(rate: 48_000, channels: 2)
  /// The samples from taking one to hearing it.
  private static let latency = 960

  /// Another player on the same clock; silent.
  let other: Player
  private let otherOutput: VideoOutput

  /// - Parameters:
  ///   - readingError: the error of each reading of the device, by its number; nil for exact ones.
  ///   - isVisible: false if frames are not displayed.
  init(readingError: (@Sendable (Int) -> Int64)? = nil, isVisible: Bool = true) {
    let (clock, taken) = (clock, taken)
    let begin = begin
    pool = DecodePool(threads: 0, now: clock.unsignedNow)
    bus = TimeObserverBus(clock: clock) {}
    let device = TimedOutput(
      DeviceTiming(burst: 240, latency: Self.latency, readingError: readingError, sink: { samples, _ in
        begin.withLock { $0 = $0 ?? clock.now }
        taken.withLock { $0 += samples }
      }),
      now: { clock.now }, pace: .calls)
    self.device = device
    let engine = SoundEngine(outputs: [], makeSilent: { _ in device }, now: { clock.now })
    let context = PlaybackContext(pool: pool, bus: bus, sound: engine)
    (player, other) = (Player(context: context), Player(context: context))
    other.isMuted = true
    let request = isVisible ? RenderRequest(box: PixelSize(width: 32, height: 18)) : nil
    (output, otherOutput) = (VideoOutput(player, request: request), VideoOutput(other, request: request))
  }

  /// Plays items one after another, once the first is open.
  func open(_ paths: [String]) throws {
    player.actionAtItemEnd = .advance
    for path in paths { player.insert(PlayerItem(asset: Asset(path: path))) }
    player.openQueuedItems(paths.count)
    for item in [player.currentItem].compactMap({ $0 }) + player.queuedItems {
      waitUntilOpen(item)
      #expect(item.status == .readyToPlay)
    }
    run(seconds: 0.1)
  }

  /// Lets time pass in steps of 5 ms.
  func run(seconds: Double) {
    let end = clock.now + HostTime(seconds * 1e9)
    while clock.now < end {
      repeat { bus.deliver() } while pool.runNextStep()
      for output in [output, otherOutput] {
        while let (_, due) = output.copyFrame(at: clock.now) { output.didShow(due: due, at: clock.now) }
      }
      device.step()
      clock.advance(by: 5_000_000)
      device.step()
    }
  }

  /// Waits for an item that is being opened on another thread.
  func waitUntilOpen(_ item: PlayerItem) {
    let limit = Date(timeIntervalSinceNow: 120)
    while item.status == .unknown, Date() < limit { bus.deliver() }
  }

  /// All that the device took.
  var samples: [Float] { taken.withLock { $0 } }

  /// The index of the sample, of all that the device took, that is heard now.
  var heard: Int {
    let begin = begin.withLock { $0 } ?? clock.now
    return Self.form.channels * (Int((Double(clock.now - begin) * 48e-6).rounded()) - Self.latency)
  }
}

/// What is heard of a player, sample for sample.
@Suite(.timeLimit(.minutes(20))) struct PlayerSoundTests {
  private func clip(_ name: String, seconds: Double, seed: Int = 0) throws -> String {
    let sound = "aevalsrc='0.4*sin(2*PI*t*(\(150 + 37 * seed)+70*t))|0.4*sin(2*PI*t*(\(480 + 29 * seed)-30*t))':c=stereo:s=48000:d=\(seconds)"
    return try SampleMedia.clip(
      name: name,
      arguments: ["-f", "lavfi", "-i", sound] + SampleMedia.numbered(rate: "25", seconds: seconds)
        + ["-c:v", "mpeg4", "-c:a", "pcm_f32le"])
  }

  private func reference(_ path: String) throws -> [Float] { try SoundReaderTests.reference(path, PlayerSoundStage.form) }

  /// Samples are faded over from what was queued, which rounds them.
  private func isEqual(_ a: Float, _ b: Float) -> Bool { abs(a - b) < 1e-5 }

  private func areEqual(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Bool { zip(a, b).allSatisfy { isEqual($0, $1) } }

  /// Returns the longest stretch of what was heard that is found in a reference at one shift, around a place where both agree.
  private func agreement(_ heard: [Float], at place: Int, with reference: [Float], at origin: Int) -> Range<Int> {
    var (lower, upper) = (place, place)
    while lower > 0, origin - (place - lower) > 0, isEqual(heard[lower - 1], reference[origin - (place - lower) - 1]) { lower -= 1 }
    while upper < heard.count, origin + upper - place < reference.count, isEqual(heard[upper], reference[origin + upper - place]) { upper += 1 }
    return lower..<upper
  }

  /// Returns the stretch of what was heard that agrees with the expected samples, around its beginning.
  ///
  /// - Parameter count: the samples of each channel among which the beginning is looked for.
  private func heardStretch(of expected: [Float], _ stage: PlayerSoundStage, within count: Int) throws -> Range<Int> {
    let samples = stage.samples
    let start = samples.indices.dropFirst(2 * 48 * 400).first { $0 % 2 == 0 && samples[$0] != 0 }
    let place = try #require(start)
    let match = (0..<count).map { 2 * $0 }.first { areEqual(expected[$0..<$0 + 600], samples[place + 2000..<place + 2600]) }
    let origin = try #require(match)
    return agreement(samples, at: place + 2000, with: expected, at: origin)
  }

  private func mediaIndex(_ stage: PlayerSoundStage) -> Int { 2 * Int((stage.player.currentTime().seconds * 48_000).rounded()) }

  /// Checks that what is heard now is what the clock says, within half a millisecond; returns how far it agrees.
  private func check(_ stage: PlayerSoundStage, _ reference: [Float], _ place: SourceLocation = #_sourceLocation) -> Range<Int>? {
    let (heard, media) = (stage.heard, mediaIndex(stage)), samples = stage.samples
    for shift in 0...24 {
      for origin in Set([media + 2 * shift, media - 2 * shift]) where origin >= 0 && origin + 400 < reference.count {
        if heard >= 0, heard + 400 < samples.count, areEqual(samples[heard..<heard + 400], reference[origin..<origin + 400]) {
          return agreement(samples, at: heard, with: reference, at: origin)
        }
      }
    }
    Issue.record("what is heard at \(stage.player.currentTime()) is not what the clock says", sourceLocation: place)
    return nil
  }

  @Test func itIsHeardWithItsFrames() throws {
    let path = try clip("one.mkv", seconds: 4)
    let reference = try reference(path)
    let stage = PlayerSoundStage()
    try stage.open([path])
    stage.player.play()
    stage.run(seconds: 2)
    let found = check(stage, reference)
    let range = try #require(found)
    // From 50 ms after the start, without a gap.
    #expect(range.count > 2 * 48 * 1900, "\(range.count)")
  }

  @Test func seeksAndPausesAreExact() throws {
    let path = try clip("one.mkv", seconds: 4)
    let reference = try reference(path)
    let stage = PlayerSoundStage()
    try stage.open([path])
    stage.player.play()
    stage.run(seconds: 0.6)
    for target in [2.4, 0.2, 2.0] {
      stage.player.seek(to: MediaTime(seconds: target, preferredTimescale: 1000), toleranceBefore: .zero, toleranceAfter: .zero)
      stage.run(seconds: 0.4)
      let found = check(stage, reference)
    let range = try #require(found)
      #expect(range.count > 2 * 48 * 300, "\(target): \(range.count)")
    }
    stage.player.pause()
    stage.run(seconds: 0.3)
    let quiet = stage.samples.suffix(2 * 48 * 50)
    #expect(quiet.allSatisfy { $0 == 0 })
    stage.player.play()
    stage.run(seconds: 0.5)
    _ = check(stage, reference)
    stage.player.isMuted = true
    stage.run(seconds: 0.3)
    #expect(stage.samples.suffix(2 * 48 * 50).allSatisfy { $0 == 0 })
    stage.player.isMuted = false
    stage.run(seconds: 0.3)
    _ = check(stage, reference)
  }

  /// Another track is heard from the present moment on.
  @Test func anotherTrack() async throws {
    let paths = try [clip("one.mkv", seconds: 4), clip("other.mkv", seconds: 4, seed: 1)]
    let path = try SampleMedia.clip(
      name: "tracks.mkv", arguments: paths.flatMap { ["-i", $0] } + ["-map", "0:v", "-map", "0:a", "-map", "1:a", "-c", "copy"])
    let references = try paths.map { try reference($0) }
    let stage = PlayerSoundStage()
    try stage.open([path])
    let item = try #require(stage.player.currentItem)
    let tracks = try #require(item.asset?.loadedValue(of: .facts)).tracks.filter { $0.mediaType == .audio }
    #expect(tracks.count == 2)
    stage.player.play()
    stage.run(seconds: 0.5)
    _ = check(stage, references[0])
    for (number, track) in [(1, tracks[1]), (0, tracks[0])] {
      item.select(audioTrack: track)
      stage.run(seconds: 0.5)
      let range = check(stage, references[number])
      #expect(try #require(range).count > 2 * 48 * 300)
    }
    // A choice made while paused is heard when it goes on.
    stage.player.pause()
    stage.run(seconds: 0.2)
    item.select(audioTrack: tracks[1])
    stage.player.play()
    stage.run(seconds: 0.5)
    _ = check(stage, references[1])
  }

  /// A loop's end and beginning follow each other without a sample too many or too few.
  @Test func loopsAreExact() throws {
    let path = try clip("one.mkv", seconds: 4)
    let reference = try reference(path)
    let stage = PlayerSoundStage()
    try stage.open([path])
    let (lower, upper) = (24_000, 72_000)
    stage.player.loopRange = TimeRange(
      start: MediaTime(value: Int64(lower), timescale: 48_000), end: MediaTime(value: Int64(upper), timescale: 48_000))
    stage.player.play()
    stage.run(seconds: 3.6)
    // 1.5 s, and then passes of 1 s.
    let pass = Array(reference[2 * lower..<2 * upper])
    let expected = Array(reference[..<(2 * lower)]) + pass + pass + pass
    let range = try heardStretch(of: expected, stage, within: 40_000)
    #expect(range.count > 2 * 48 * 3000, "\(range.count)")
  }

  /// An item begins with the sample after the last one of the item before.
  @Test func itemsFollowWithoutAGap() throws {
    let paths = try [clip("first.mkv", seconds: 2), clip("second.mkv", seconds: 2, seed: 1)]
    let expected = try paths.flatMap { try reference($0) }
    let stage = PlayerSoundStage()
    try stage.open(paths)
    stage.player.play()
    stage.run(seconds: 3.7)
    let range = try heardStretch(of: expected, stage, within: 60_000)
    #expect(range.count > 2 * 48 * 3200, "\(range.count)")
  }

  /// Clips that have only sound follow without a gap, wherever their last sample is and whatever duration they announce.
  @Test(arguments: [false, true], ["wav", "mp3"]) func soundAloneFollowsWithoutAGap(isVisible: Bool, kind: String) throws {
    let lengths = [1.013, 0.777, 2]
    let paths = try lengths.enumerated().map { index, seconds in
      let sound = "aevalsrc='0.4*sin(2*PI*t*(\(150 + 37 * index)+70*t))':c=stereo:s=48000:d=\(seconds)"
      return try SampleMedia.clip(
        name: "alone-\(index).\(kind)", arguments: ["-f", "lavfi", "-i", sound] + (kind == "mp3" ? ["-c:a", "libmp3lame", "-b:a", "320k"] : []))
    }
    let parts = try paths.map { try reference($0) }
    #expect(zip(parts, lengths).allSatisfy { abs(Double($0.count) / 96_000 - $1) < 0.001 }, "\(parts.map(\.count))")
    let expected = parts.flatMap { $0 }
    let stage = PlayerSoundStage(isVisible: isVisible)
    try stage.open(paths)
    stage.player.play()
    stage.run(seconds: 3.5)
    let range = try heardStretch(of: expected, stage, within: 60_000)
    #expect(range.count > 2 * 48 * 2900, "\(range.count)")
  }

  /// At another speed, sound stays with its frames.
  @Test(arguments: [0.5, 1.5, 4]) func otherSpeeds(rate: Double) throws {
    let path = try clip("long.mkv", seconds: 12)
    let stage = PlayerSoundStage()
    try stage.open([path])
    stage.player.rate = rate
    stage.run(seconds: 1.5)
    let deviation = try #require(stage.player.soundDeviation)
    #expect(abs(deviation) < 1_000_000, "\(deviation)")
    #expect(stage.samples.suffix(9600).contains { abs($0) > 0.1 })
    // Too fast, backwards: silence.
    for rate in [8, -1.0] {
      stage.player.rate = rate
      stage.run(seconds: 0.4)
      #expect(stage.samples.suffix(4800).allSatisfy { $0 == 0 }, "\(rate)")
    }
  }

  /// Clocks that agree go on agreeing while one of them is corrected by what is heard, whether the other has sound or not.
  @Test(arguments: [true, false]) func correctionsAreTheSameForAll(hasSound: Bool) throws {
    let path = try clip("one.mkv", seconds: 4)
    let silent = try SampleMedia.clip(name: "mute.mkv", arguments: ["-i", path, "-an", "-c:v", "copy"])
    // The device seems to go wrong by more and more.
    let stage = PlayerSoundStage { Int64($0) * 20_000 }
    stage.other.replaceCurrentItem(with: PlayerItem(asset: Asset(path: hasSound ? path : silent)))
    stage.waitUntilOpen(try #require(stage.other.currentItem))
    try stage.open([path])
    PlayerGroup(clock: stage.clock).play([stage.player, stage.other])
    stage.run(seconds: 0.2)
    let start = stage.player.currentTime().seconds - Double(stage.clock.now) / 1e9
    for _ in 0..<40 {
      stage.run(seconds: 0.05)
      #expect(stage.player.currentTime() == stage.other.currentTime())
    }
    let end = stage.player.currentTime().seconds - Double(stage.clock.now) / 1e9
    #expect(abs(end - start) > 0.001, "nothing was corrected")
  }

  /// A clip without sound leaves the device alone.
  @Test func silenceIsNotPlayed() throws {
    let path = try SampleMedia.clip(name: "mute.mkv", arguments: ["-i", clip("one.mkv", seconds: 4), "-an", "-c:v", "copy"])
    let stage = PlayerSoundStage()
    try stage.open([path])
    stage.player.play()
    stage.run(seconds: 1)
    #expect(stage.samples.isEmpty && stage.player.soundDeviation == nil && stage.player.displayedTiming?.number ?? 0 > 20)
  }
}
