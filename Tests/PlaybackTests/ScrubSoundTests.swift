import Foundation
import TestSupport
import Testing

@testable import Playback

/// The sound of frames that are reached while the clock rests.
@Suite(.timeLimit(.minutes(20))) struct ScrubSoundTests {
  private func clip() throws -> String {
    try SampleMedia.clip(
      name: "scrub.mkv",
      arguments: ["-f", "lavfi", "-i", "aevalsrc='0.4*sin(2*PI*t*(150+70*t))|0.4*sin(2*PI*t*(480-30*t))':c=stereo:s=48000:d=4"]
        + SampleMedia.numbered(rate: "25", seconds: 4) + ["-c:v", "mpeg4", "-c:a", "pcm_f32le"])
  }

  private func stage(scrubs: Bool = true) throws -> (PlayerSoundStage, [Float]) {
    let stage = PlayerSoundStage(), path = try clip()
    stage.player.soundsWhileScrubbing = scrubs
    try stage.open([path])
    stage.run(seconds: 0.2)
    return (stage, try SoundReaderTests.reference(path, PlayerSoundStage.form))
  }

  /// The part of what was heard since a place that is not silent.
  private func sounding(_ stage: PlayerSoundStage, since place: Int) -> ArraySlice<Float> {
    let samples = stage.samples[min(place, stage.samples.count)...]
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else { return [] }
    return samples[first - first % 2...min(last | 1, samples.endIndex - 1)]
  }

  /// Returns true if samples are those of the clip from a time on, apart from 5 ms at both ends.
  private func isGrain(_ heard: ArraySlice<Float>, of reference: [Float], at seconds: Double) -> Bool {
    let length = 2 * 2880, edge = 2 * 241, start = 2 * Int((seconds * 48_000).rounded())
    // After its end, its last value dies away; the very first sample of a clip may be 0.
    guard heard.count >= length - 8, heard.count <= length + 2 * 241, start + length <= reference.count else { return false }
    return matches(heard.dropFirst(edge).prefix(length - 2 * edge - 100), reference, at: start + edge)
  }

  /// Returns true if samples are those of the clip from about an index on: Matroska's timestamps are whole milliseconds.
  private func matches(_ heard: ArraySlice<Float>, _ reference: [Float], at index: Int) -> Bool {
    (-30...30).contains { shift in
      zip(heard, reference[(index + 2 * shift)...]).allSatisfy { abs($0 - $1) < 1e-5 }
    }
  }

  @Test func stepsAreHeard() throws {
    let (stage, reference) = try stage()
    stage.player.seek(to: MediaTime(seconds: 2, preferredTimescale: 1000), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 0.3)
    #expect(isGrain(sounding(stage, since: 0), of: reference, at: 2))
    for (count, seconds) in [(1, 2.04), (3, 2.16), (-2, 2.08), (-1, 2.04)] {
      let place = stage.samples.count
      stage.player.step(byCount: count)
      stage.run(seconds: 0.3)
      let heard = sounding(stage, since: place)
      #expect(isGrain(heard, of: reference, at: seconds), "\(count): \(heard.count)")
      // Both ends are quiet.
      #expect(abs(heard.first ?? 1) < 0.01 && abs(heard.last ?? 1) < 0.01)
    }
    #expect(stage.player.soundDeviation == nil)
  }

  /// A step that comes early replaces the sound of the one before: nothing is queued.
  @Test func fastStepsDoNotQueue() throws {
    let (stage, reference) = try stage()
    stage.player.seek(to: MediaTime(seconds: 1, preferredTimescale: 1000), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 0.3)
    let place = stage.samples.count
    for _ in 0..<10 {
      stage.player.step(byCount: 1)
      stage.run(seconds: 0.02)
    }
    stage.run(seconds: 0.3)
    let heard = sounding(stage, since: place)
    // Ten of 60 ms would take 600.
    #expect(heard.count < 2 * 48 * 300 && heard.count > 2 * 48 * 200, "\(heard.count / 96) ms")
    // The last one is heard to its end.
    let last = heard.suffix(2 * 2400).prefix(2 * 1000)
    let places = stride(from: 2 * 67_200, to: 2 * 70_080 - 2000, by: 2)
    #expect(places.contains { place in zip(last, reference[place...]).allSatisfy { abs($0 - $1) < 1e-5 } })
    let largest = zip(heard, heard.dropFirst(2)).map { abs($0 - $1) }.max() ?? 0
    #expect(largest < 0.1, "a click of \(largest)")
  }

  @Test func playingGoesOnAsUsual() throws {
    let (stage, reference) = try stage()
    stage.player.step(byCount: 5)
    stage.run(seconds: 0.03)
    stage.player.play()
    stage.run(seconds: 1)
    #expect(abs(try #require(stage.player.soundDeviation)) < 1_000_000)
    let heard = stage.heard, media = 2 * Int((stage.player.currentTime().seconds * 48_000).rounded())
    let samples = stage.samples
    #expect((-48...48).contains { shift in
      (0..<400).allSatisfy { abs(samples[heard + $0] - reference[media + 2 * shift + $0]) < 1e-5 }
    })
    // A pause is silent.
    stage.player.pause()
    let place = stage.samples.count
    stage.run(seconds: 0.4)
    #expect(sounding(stage, since: place).count < 2 * 48 * 60)
  }

  @Test func itIsAnOption() throws {
    let (stage, _) = try stage(scrubs: false)
    stage.player.step(byCount: 2)
    stage.run(seconds: 0.3)
    stage.player.seek(to: MediaTime(seconds: 2, preferredTimescale: 1000))
    stage.run(seconds: 0.3)
    #expect(stage.samples.allSatisfy { $0 == 0 })
  }

  /// What is muted, or has no sound, is silent.
  @Test func mutedStepsAreSilent() throws {
    let (stage, _) = try stage()
    stage.player.isMuted = true
    stage.player.step(byCount: 2)
    stage.run(seconds: 0.3)
    #expect(stage.samples.allSatisfy { $0 == 0 })
  }
}
