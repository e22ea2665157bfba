import Playback
import Testing

@testable import QuadrilleApp

/// The volume and the delay of the sound.
@Suite(.timeLimit(.minutes(20))) struct SoundControlTests {
  private let millisecond: HostTime = 1_000_000

  @Test func theScaleSaysThatNothingIsHeard() {
    var sound = SoundControl(.init())
    sound.changeVolume(by: -2)
    #expect("\(sound.message)".hasSuffix("█░░░░░ −2 dB"))
    sound.isMuted = true
    sound.changeVolume(by: -2)
    #expect(sound.isMuted && "\(sound.message)".hasSuffix(" −4 dB, muted"))
  }

  /// Over a slow link frames are seen later, so sound has to be heard later.
  @Test func soundIsAsLateAsItsFrames() {
    var sound = SoundControl(.init())
    sound.follow(roundTrip: nil)
    sound.follow(roundTrip: 2 * millisecond)
    #expect(sound.wholeDelay == 0, "not worth an interruption")
    sound.follow(roundTrip: 100 * millisecond)
    #expect(sound.wholeDelay == 50 * millisecond && sound.delay == 0)
    for roundTrip in [96, 110, 85] { sound.follow(roundTrip: HostTime(roundTrip) * millisecond) }
    sound.follow(roundTrip: nil)
    #expect(sound.wholeDelay == 50 * millisecond, "nothing has changed much")
    sound.changeDelay(by: -0.1)
    #expect(sound.wholeDelay == -50 * millisecond && sound.delayMessage == "sound 100 ms earlier")
    sound.follow(roundTrip: 300 * millisecond)
    #expect(sound.wholeDelay == 50 * millisecond)
    sound.follow(roundTrip: 0)
    #expect(sound.wholeDelay == -100 * millisecond)
    sound.follow(roundTrip: 3_600_000 * millisecond)
    #expect(sound.wholeDelay == 900 * millisecond)
  }
}
