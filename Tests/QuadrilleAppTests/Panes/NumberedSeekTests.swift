@testable import QuadrilleApp
import Testing

@Suite(.timeLimit(.minutes(20))) struct NumberedSeekTests {
  @Test func aPausedPaneGoesThereAgain() {
    var seek = NumberedSeek.waiting(number: 7)
    seek.didMove()
    #expect(seek.takeKnown { _ in true } == nil)
    #expect(seek.takeWaiting() == 7 && seek.takeWaiting() == nil)
    seek.didEstimate(number: 7, isPlaying: false)
    #expect(seek.takeKnown { $0 != 7 } == nil)
    let known = seek.takeKnown { $0 == 7 }
    #expect(known?.number == 7 && known?.repeats == true)
    #expect(seek == .none)
  }

  /// Even if playback has ended meanwhile, which pauses it.
  @Test func playbackIsNotInterrupted() {
    var seek = NumberedSeek.none
    seek.didEstimate(number: 9, isPlaying: true)
    #expect(seek.takeKnown { _ in true }?.repeats == false)
    seek.didEstimate(number: 9, isPlaying: false)
    seek.didPlay()
    #expect(seek.takeKnown { _ in true }?.repeats == false)
  }

  @Test func theUserGoesElsewhere() {
    var seek = NumberedSeek.none
    for isPlaying in [false, true] {
      seek.didEstimate(number: 9, isPlaying: isPlaying)
      seek.didMove()
      #expect(seek.takeKnown { _ in true } == nil)
    }
  }
}
