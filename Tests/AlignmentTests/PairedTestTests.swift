import Testing

@testable import Alignment

/// Candidates of known frames, tested with right and with wrong partners.
@Suite(.timeLimit(.minutes(20))) struct PairedTestTests {
  private let clip = SyntheticClip(seed: 3)

  private func rows(_ sequence: SignatureSequence) -> VectorRows {
    Pictures(sequence).resampled(.whole, on: .coarse).rows
  }

  private func confidences(_ numbers: [Int], _ frames: [Int?], noise: Double = 1.5, still: Float = 0.4) -> [Float] {
    let reference = rows(clip.sequence(Array(0..<60), noise: 0)), candidate = rows(clip.sequence(numbers, noise: noise))
    return PairedTest(
      reference: reference, candidate: candidate, weights: Registration.weights([Bool](repeating: true, count: 576)),
      frames: frames, rate: 1
    ).confidences(margin: 0, still: still)
  }

  @Test func theRightFramesAreSure() {
    let numbers = Array(10..<40)
    #expect(confidences(numbers, numbers).allSatisfy { $0 >= 0.5 })
  }

  @Test(arguments: [-3, -1, 1, 2]) func theNextFramesAreNot(_ shift: Int) {
    let numbers = Array(10..<40)
    #expect(confidences(numbers, numbers.map { $0 + shift }).allSatisfy { $0 < 0.5 })
  }

  @Test func framesBeforeAWrongJumpAreNotSure() {
    // The jump is at frame 20, found four frames late.
    let numbers = Array(10..<30) + Array(33..<50)
    let found = Array(10..<34) + Array(37..<50)
    let confidences = confidences(numbers, found)
    #expect(confidences[20..<24].allSatisfy { $0 < 0.5 })
    #expect(confidences[..<18].allSatisfy { $0 >= 0.5 } && confidences[26...].allSatisfy { $0 >= 0.5 })
  }

  @Test func whereNothingMovesNothingIsSure() {
    let reference = rows(clip.sequence([Int](repeating: 7, count: 40), noise: 0))
    let test = PairedTest(
      reference: reference, candidate: reference, weights: Registration.weights([Bool](repeating: true, count: 576)),
      frames: Array(0..<40), rate: 1)
    #expect(test.confidences(margin: 0, still: 0.4).allSatisfy { $0 == 0.4 })
  }

  @Test func framesWithoutAPartnerAreNotTested() {
    let numbers = Array(10..<30)
    let frames = numbers.map { $0 < 20 ? $0 : nil }
    #expect(confidences(numbers, frames)[10...].allSatisfy { $0 == 1 })
  }
}
