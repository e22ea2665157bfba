import Foundation
import TestSupport
import Testing

@testable import Playback

/// The sound of a composition is that of its pieces, to the sample.
@Suite(.timeLimit(.minutes(20))) struct CompositionSoundTests {
  private let a: Asset, b: Asset
  private let left: [Float], right: [Float]

  init() throws {
    let paths = [try SoundSamples.clip("sound-a.mkv", number: 1), try SoundSamples.clip("sound-b.mkv", number: 2)]
    (a, b) = (Asset(path: paths[0]), Asset(path: paths[1]))
    (left, right) = (try SoundSamples.decoded(paths[0]), try SoundSamples.decoded(paths[1]))
  }

  private func time(_ frames: Int64) -> MediaTime { MediaTime(value: frames, timescale: 25) }
  private func range(_ frames: Range<Int64>) -> TimeRange { TimeRange(start: time(frames.lowerBound), end: time(frames.upperBound)) }

  /// The samples of frames from…to: 1920 for each, of two channels.
  private func part(_ samples: [Float], _ frames: Range<Int>) -> [Float] { Array(samples[frames.lowerBound * 3840..<frames.upperBound * 3840]) }

  /// Returns the largest difference, or nil if the counts differ.
  private func difference(_ a: [Float], _ b: [Float]) -> Float? {
    a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : nil
  }

  @Test func piecesAreHeardAtTheirPlaces() throws {
    var movie = Composition()
    try movie.append(range(10..<35), of: a)
    try movie.append(range(100..<117), of: b)
    try movie.insertEmpty(TimeRange(start: time(42), duration: time(5)))
    try movie.append(range(0..<50), of: a)
    let expected = part(left, 10..<35) + part(right, 100..<117) + [Float](repeating: 0, count: 5 * 3840) + part(left, 0..<50)
    let source = SoundSamples.source(movie)
    #expect(try SoundSamples.read(source) == expected)
    // Any place, in any order.
    var random = SplitMix64(seed: 5)
    for _ in 0..<40 {
      let at = Int(random.next() % UInt64(expected.count / 2))
      try source.seek(to: Int64(at))
      #expect(try SoundSamples.read(source, count: 3000) == Array(expected[(2 * at)...].prefix(3000)), "\(at)")
    }
  }

  /// Cuts between samples included: 1001/30000 s are 1601.6 samples.
  @Test(arguments: [MediaTime(value: 100, timescale: 25), MediaTime(value: 1001 * 77, timescale: 30000)])
  func aCutThatIsJoinedAgainIsNotHeard(cut: MediaTime) throws {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: cut), of: a)
    try movie.append(TimeRange(start: cut, end: time(150)), of: a)
    #expect(try SoundSamples.read(SoundSamples.source(movie)) == left)
    // On two tracks, after another piece, the clip goes on with the same reader.
    var other = Composition()
    try other.append(range(0..<3), of: b)
    try other.append(TimeRange(start: .zero, end: cut), of: a)
    try other.insertEmpty(TimeRange(start: .zero, end: time(3) + cut), track: 1)
    try other.append(TimeRange(start: cut, end: time(150)), of: a, track: 1)
    #expect(try SoundSamples.read(SoundSamples.source(other)) == part(right, 0..<3) + left)
  }

  @Test(arguments: AudioCrossfade.allCases) func transitionsCrossfade(course: AudioCrossfade) throws {
    var movie = Composition()
    try movie.append(range(0..<50), of: a)
    try movie.insertEmpty(range(0..<40), track: 1)
    try movie.append(range(75..<125), of: b, track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: range(40..<50), transition: .crossDissolve, from: 0, to: 1)
    ]
    movie.audioMix.crossfade = course
    var expected = part(left, 0..<50) + part(right, 85..<125)
    let (from, to) = (part(left, 40..<50), part(right, 75..<85))
    for i in 0..<from.count {
      let share = Double(i / 2) / 19_200
      let (falls, rises) = course == .linear ? (1 - share, share) : (cos(share * .pi / 2), sin(share * .pi / 2))
      expected[40 * 3840 + i] = from[i] * Float(falls) + to[i] * Float(rises)
    }
    let found = try SoundSamples.read(SoundSamples.source(movie))
    #expect(try #require(difference(found, expected)) < 1e-6)
    #expect(found.prefix(40 * 3840) == expected.prefix(40 * 3840) && found.suffix(40 * 3840) == expected.suffix(40 * 3840))
  }

  @Test func volumesAreOneBeforeTheFirstAndKeptAfterTheLast() throws {
    var volume = AudioVolume()
    volume.setVolumeRamp(fromStartVolume: 0.5, toEndVolume: 0.25, timeRange: range(25..<50))
    volume.setVolume(2, at: time(75))
    #expect([0, 24, 25, 50, 74, 75, 500].map { volume.volume(at: time($0)) } == [1, 1, 0.5, 0.25, 0.25, 2, 2])
    #expect(abs(volume.volume(at: MediaTime(value: 3, timescale: 2)) - 0.375) < 1e-6)
    var movie = Composition()
    try movie.append(range(0..<150), of: a)
    movie.audioMix.volumes[0] = volume
    let expected = left.enumerated().map { i, sample in
      let place = Float(i / 2) / 1920
      return sample * (place < 25 ? 1 : place < 50 ? 0.5 - 0.25 * (place - 25) / 25 : place < 75 ? 0.25 : 2)
    }
    let source = SoundSamples.source(movie)
    #expect(try #require(difference(try SoundSamples.read(source), expected)) < 1e-6)
    try source.seek(to: 60_000)
    #expect(try #require(difference(try SoundSamples.read(source, count: 4000), Array(expected[120_000..<124_000]))) < 1e-6)
  }

  @Test func tracksAndOverlaysAreAdded() throws {
    var movie = Composition()
    try movie.append(range(0..<100), of: a)
    try movie.insertEmpty(range(0..<20), track: 1)
    try movie.append(range(0..<10), of: b, track: 1)
    try movie.insertAudio(range(50..<60), of: b, at: time(10))
    movie.audioMix.audioTrackVolumes[0] = AudioVolume(0.5)
    var overlay = CompositionOverlay(
      .clip(CompositionClip(asset: b, timeRange: range(100..<120))), timeRange: range(60..<80), fadeIn: time(5), fadeOut: time(10))
    overlay.volume = AudioVolume(0.25)
    movie.videoComposition.overlays = [overlay]
    var expected = part(left, 0..<100)
    func add(_ frames: Range<Int>, at place: Int, _ gain: (Double) -> Double) {
      for (i, sample) in part(right, frames).enumerated() { expected[place * 3840 + i] += sample * Float(gain(Double(i / 2) / 1920)) }
    }
    add(0..<10, at: 20) { _ in 1 }
    add(50..<60, at: 10) { _ in 0.5 }
    add(100..<120, at: 60) { place in
      0.25 * (place < 5 ? sin(place / 5 * .pi / 2) : place < 10 ? 1 : sin((20 - place) / 10 * .pi / 2))
    }
    #expect(try #require(difference(try SoundSamples.read(SoundSamples.source(movie)), expected)) < 1e-6)
  }

  /// A pure tone keeps its pitch and gets another duration; the same samples come wherever reading begins.
  @Test(arguments: [0.5, 0.96, 1.5, 4.0]) func retimedPiecesKeepTheirPitch(speed: Double) throws {
    let path = try SampleMedia.clip(
      name: "tone.mka", arguments: ["-f", "lavfi", "-i", "sine=440:r=48000:d=30", "-ac", "2", "-c:a", "flac"])
    let tone = Asset(path: path)
    var movie = Composition()
    try movie.append(range(0..<100), of: a)
    movie.audioMix.volumes[0] = AudioVolume(0)
    let length = MediaTime(value: Int64((26 / speed * 25).rounded()), timescale: 25)
    try movie.insertAudio(range(25..<675), of: tone, at: .zero)
    movie.scaleAudio(range(0..<650), to: length, audioTrack: 0)
    try movie.append(range(0..<50), of: a)
    movie.scale(range(100..<150), to: length, track: 0)
    let source = SoundSamples.source(movie)
    let samples = try SoundSamples.read(source)
    let count = Int(length.seconds * 48_000)
    let heard = stride(from: 0, to: 2 * count, by: 2).map { samples[$0] }
    // 440 upward passes of zero a second, also across the places where stretching begins anew.
    let passes = zip(heard, heard.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(passes) - 440 * length.seconds) < 440 * length.seconds * 0.002 + 3, "\(passes)")
    #expect(samples[(2 * count + 20_000)...].allSatisfy { $0 == 0 })
    let limit = min(count - 1000, 48_000 * 12)
    for at in [0, 100, limit / 3, min(5 * 48_000 + 200, limit), min(5 * 48_000 - 300, limit), limit] {
      try source.seek(to: Int64(at))
      #expect(try SoundSamples.read(source, count: 1600) == Array(samples[2 * at..<2 * at + 1600]), "\(at)")
    }
  }

  @Test func whatCannotBeHeardIsSilentAndTheRestGoesOn() throws {
    let mute = Asset(path: try SampleMedia.clip(name: "mute.mkv", arguments: ["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=4"]))
    let missing = Asset(path: "/nowhere/sound.wav")
    var movie = Composition()
    try movie.append(range(0..<25), of: mute)
    try movie.append(range(0..<25), of: a)
    movie.scale(range(25..<50), to: time(25), isReversed: true)
    try movie.insertFreeze(at: time(3), of: a, duration: time(25), at: time(50))
    try movie.append(range(0..<25), of: a)
    movie.scale(range(75..<100), to: time(100))
    try movie.append(range(0..<25), of: b)
    try movie.insertAudio(range(0..<25), of: missing, at: .zero)
    let asset = Asset(composition: movie)
    _ = try asset.wait(for: .facts)
    let source = try #require(try asset.openSamples(SoundSamples.form, for: InputSession(asset.input)))
    while !source.has(200 * 1920) { try source.advance() }
    let samples = source.take(200 * 1920) { Array($0) }
    #expect(samples == [Float](repeating: 0, count: 175 * 3840) + part(right, 0..<25))
    #expect(asset.remarks.contains { $0.hasPrefix("/nowhere/sound.wav: no such file") }, "\(asset.remarks)")
  }

  @Test func nestedCompositionsAndManyPiecesKeepFewFilesOpen() throws {
    var inner = Composition()
    try inner.append(range(0..<20), of: b)
    try inner.append(range(30..<50), of: a)
    var movie = Composition()
    var expected: [Float] = []
    let folder = try TemporaryFolder()
    for number in 0..<12 {
      let copy = Asset(path: folder.path("\(number).mkv"))
      try FileManager.default.copyItem(atPath: number.isMultiple(of: 2) ? a.path : b.path, toPath: copy.path)
      try movie.append(range(Int64(number)..<Int64(number) + 9), of: copy)
      expected += part(number.isMultiple(of: 2) ? left : right, number..<number + 9)
    }
    try movie.append(range(5..<35), of: Asset(composition: inner))
    expected += part(right, 5..<20) + part(left, 30..<45)
    let source = SoundSamples.source(movie)
    var samples: [Float] = []
    var most = 0
    while try source.read(into: &samples) { most = max(most, try OpenFiles.count(beginningWith: folder.path(""))) }
    #expect(samples == expected)
    #expect((1...OpenClips.maxIdle + 1).contains(most), "\(most)")
  }

  @Test func anAudioTrackIsNoVideo() throws {
    var movie = Composition()
    try movie.insertAudio(range(0..<25), of: a, at: .zero)
    #expect(movie.duration == .zero && movie.audioTracks.count == 1)
    try movie.append(range(0..<50), of: b)
    movie.remove(range(0..<10))
    #expect(movie.audioTracks[0].duration == time(15))
    #expect(throws: PlaybackError.self) { try movie.insertAudio(range(0..<25), of: a, at: .zero, audioTrack: 2) }
  }
}
