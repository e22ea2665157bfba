import DecodePool
import Foundation
import TestSupport
import Testing

@testable import Movies
@testable import Sound

/// A sound device for a storyboard's player, with all that it took.
final class StoryDevice {
  let engine: SoundEngine
  private let clock: ManualClock
  private let output: TimedOutput
  private let taken = Monitor<[Float]>([])

  init(_ clock: ManualClock) {
    self.clock = clock
    let taken = taken
    let output = TimedOutput(
      DeviceTiming(burst: 240, latency: 960, sink: { samples, _ in taken.withLock { $0 += samples } }), now: { clock.now },
      pace: .calls)
    self.output = output
    engine = SoundEngine(outputs: [], makeSilent: { _ in output }, now: { clock.now })
  }

  /// Lets the device take what is due now.
  func step() { output.step() }

  var samples: [Float] { taken.withLock { $0 } }
}

/// The sound of a story goes on with its frames.
@Suite(.timeLimit(.minutes(20))) struct StorySoundTests {
  private static func clip() throws -> String {
    try SampleMedia.clip(
      name: "story-sound.mkv",
      arguments: SampleMedia.numbered(rate: "25", seconds: 11) + [
        "-f", "lavfi", "-i", "aevalsrc='0.4*sin(2*PI*t*(200+70*t))|0.4*sin(2*PI*t*(800-30*t))':c=stereo:s=48000:d=11", "-c:v", "mpeg4",
        "-q:v", "3", "-g", "12", "-c:a", "pcm_f32le",
      ])
  }

  private static func samples(_ path: String) throws -> [Float] {
    let data = try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// Frames of the clip that are played, in order.
  @Test(arguments: [(1, [25..<65, 65..<90]), (2, [25..<65, 225..<250]), (3, [25..<65, 125..<150])])
  func theSoundGoesOnWhateverIsChosen(choice: Int, frames: [Range<Int>]) throws {
    let clip = try Self.clip()
    let storyboard = try OneScene.threeWays(clip)
    let stage = try StoryStage(storyboard, clips: StoryboardClips(storyboardAt: "story.yaml"), hasSound: true)
    stage.begin()
    stage.run(seconds: 0.7)
    stage.story.choose(choice % 3 + 1)
    stage.run(seconds: 0.5)
    stage.story.choose(choice)
    stage.run(seconds: 1.5)
    let reference = try Self.samples(clip)
    let expected = frames.flatMap { reference[$0.lowerBound * 3840..<$0.upperBound * 3840] }
    let heard = try #require(stage.device?.samples)
    // Sound fades in within some milliseconds of its start.
    let place = try #require(heard.indices.dropFirst(2 * 48 * 300).first { $0 % 2 == 0 && heard[$0] != 0 })
    let origin = try #require((0..<40_000).map { 2 * $0 }.first { expected[$0..<$0 + 600] == heard[place..<place + 600] })
    // Where the sound is rendered anew, it may move by less than a millisecond.
    let joint = place + 2 * 48 * 1600 - origin
    for milliseconds in [-1000, -100, 60, 300, 500] {
      let at = joint + 2 * 48 * milliseconds
      let media = origin + at - place
      let isThere = (-48...48).contains { shift in
        let media = media + 2 * shift
        return heard[at..<at + 400] == expected[media..<media + 400]
      }
      #expect(isThere, "\(choice): \(milliseconds) ms from the joint")
    }
    // Without a gap.
    var (longest, run) = (0, 0)
    for value in heard[place..<joint + 2 * 48 * 500] {
      run = value == 0 ? run + 1 : 0
      longest = max(longest, run)
    }
    #expect(longest < 2 * 48 * 4, "\(choice): silent for \(longest / 96) ms")
  }
}
