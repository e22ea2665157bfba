import Alignment
import Testing

/// Made clips whose pairs are known.
@Suite(.timeLimit(.minutes(20))) struct AlignerTests {
  private let clip = SyntheticClip(seed: 5)

  private func map(
    _ reference: SignatureSequence, _ candidate: SignatureSequence, _ priors: AlignmentPriors = AlignmentPriors()
  ) throws -> AlignmentMap {
    try Aligner.align(reference: reference, candidate: candidate, priors: priors)
  }

  /// Aligns frames 20..<180 of the clip with others of its frames; nil is black.
  private func expect(
    _ numbers: [Int?], noise: Double = 0.7, sure: Double = 0.9, change: ([Double]) -> [Double] = { $0 }
  ) throws -> AlignmentMap {
    let reference = clip.sequence(Array(20..<180))
    let map = try map(reference, clip.sequence(numbers, noise: noise, change: change))
    let truth = numbers.map { number in number.flatMap { (20..<180).contains($0) ? $0 - 20 : nil } }
    #expect(map.frames.map(\.reference) == truth)
    #expect(map.verdict == .related)
    let isSure = map.frames.filter(\.isSure).count
    #expect(Double(isSure) >= sure * Double(numbers.count), "\(isSure) of \(numbers.count) are sure")
    return map
  }

  @Test func theSameFrames() throws {
    let map = try expect(Array(20..<180))
    #expect(map.offset == 0 && map.rate == 1 && map.events.isEmpty)
  }

  @Test(arguments: [-15, -1, 1, 3, 40]) func anOffset(_ offset: Int) throws {
    let map = try expect(Array(20 + offset..<150 + offset))
    #expect(map.offset == Double(offset) && map.events.isEmpty)
  }

  @Test func droppedFrames() throws {
    let map = try expect((20..<180).filter { ![60, 61, 97, 140].contains($0) })
    #expect(map.events.map(\.kind) == [.dropped, .dropped, .dropped])
    #expect(map.events.map(\.reference) == [40..<42, 77..<78, 120..<121])
    #expect(map.events.map(\.candidate) == [40..<40, 75..<75, 117..<117])
    // The two frames dropped together are no drift.
    #expect(abs(map.drift - 2 * 1000.0 / 156) < 0.001)
  }

  @Test func repeatedFrames() throws {
    let map = try expect(Array(20..<63) + [62, 62] + Array(63..<180))
    #expect(map.events.map(\.kind) == [.repeated])
    #expect(map.events.map(\.candidate) == [43..<45])
  }

  @Test func aFreeze() throws {
    let map = try expect(Array(20..<63) + [Int](repeating: 62, count: 20) + Array(63..<180))
    #expect(map.events.map(\.kind) == [.frozen])
  }

  @Test func insertedBlack() throws {
    let map = try expect(Array(20..<110) + [Int?](repeating: nil, count: 9) + Array(110..<180))
    #expect(map.events.map(\.kind) == [.inserted])
    #expect(map.events.map(\.candidate) == [90..<99])
  }

  @Test func aRemovedSpan() throws {
    let map = try expect(Array(20..<80) + Array(115..<180))
    #expect(map.events.map(\.kind) == [.removed])
    #expect(map.events.map(\.reference) == [60..<95])
  }

  @Test func swappedSpans() throws {
    let map = try expect(Array(20..<60) + Array(90..<120) + Array(60..<90) + Array(120..<180))
    #expect(map.events.contains { $0.kind == .swapped && $0.candidate.lowerBound == 70 })
  }

  @Test func brighterAndLouder() throws {
    let map = try expect(Array(25..<175)) { $0.map { ($0 - 16) * 0.85 + 30 } }
    let tone = map.picture.tone
    #expect(tone.count > 4)
    for point in tone { #expect(abs(Double(point.candidate) - ((Double(point.reference) - 16) * 0.85 + 30)) < 3) }
  }

  @Test func aFade() throws {
    let numbers = Array(20..<180)
    let reference = clip.sequence(numbers)
    let dark = clip.sequence(numbers)
    var faded = SignatureSequence(frameRate: 25)
    for i in 0..<dark.count {
      let gain = min(1, Double(i + 3) / 30)
      let luma = dark.luma[i * 64 * 36..<(i + 1) * 64 * 36].map { UInt8(max(0, (Double($0) - 16) * gain + 16.5)) }
      faded.append(FrameSignature(luma: luma), time: Int64(i) * 40_000_000)
    }
    let map = try map(reference, faded)
    #expect(map.frames.dropFirst(3).map(\.reference) == (3..<160).map { $0 })
  }

  @Test func aMirroredPicture() throws {
    let map = try expect(Array(20..<180)) { picture in
      (0..<64 * 36).map { i -> Double in picture[i / 64 * 64 + 63 - i % 64] }
    }
    #expect(map.picture.isMirrored)
  }

  @Test func borders() throws {
    let map = try expect(Array(20..<180)) { picture in
      // All of the picture between two borders of 5 rows each.
      (0..<64 * 36).map { i -> Double in
        let y = i / 64
        return (5..<31).contains(y) ? SyntheticClip.sample(picture, Double(i % 64), (Double(y) - 4.5) * 36 / 26 - 0.5) : 16
      }
    }
    #expect(abs(map.picture.shown.top + 5.0 / 26) < 0.03 && abs(map.picture.shown.bottom - 1 - 5.0 / 26) < 0.03)
    #expect(abs(map.picture.shown.left) < 0.02 && abs(map.picture.shown.right - 1) < 0.02)
  }

  @Test func aCrop() throws {
    let map = try expect(Array(20..<180)) { picture in
      (0..<64 * 36).map { i -> Double in
        let x = 3.5 + (Double(i % 64) + 0.5) * 0.875
        let y = 0.5 + (Double(i / 64) + 0.5) * 33 / 36
        return SyntheticClip.sample(picture, x, y)
      }
    }
    let truth = PictureRect(left: 4.0 / 64, right: 60.0 / 64, top: 1.0 / 36, bottom: 34.0 / 36)
    #expect(map.picture.shown.greatestDistance(to: truth) < 0.02)
  }

  @Test func aLogo() throws {
    _ = try expect(Array(30..<170)) { picture in
      (0..<64 * 36).map { i -> Double in
        guard (48..<58).contains(i % 64), (3..<8).contains(i / 64) else { return picture[i] }
        return i % 2 == 0 ? 220 : 60
      }
    }
  }

  @Test func everyFrameTwice() throws {
    let reference = clip.sequence(Array(20..<120))
    let map = try map(reference, clip.sequence((20..<120).flatMap { [$0, $0] }, frameRate: 50))
    #expect(map.rate == 0.5)
    #expect(map.frames.map(\.reference) == (0..<200).map { $0 / 2 })
    #expect(map.events.isEmpty)
  }

  @Test func everySecondFrame() throws {
    let map = try map(clip.sequence(Array(20..<180)), clip.sequence((10..<90).map { $0 * 2 }, frameRate: 12.5))
    #expect(map.rate == 2)
    #expect(map.frames.map(\.reference) == (0..<80).map { $0 * 2 })
  }

  @Test func nothingInCommon() throws {
    let other = SyntheticClip(seed: 77)
    let map = try map(clip.sequence(Array(20..<180)), other.sequence(Array(20..<180)))
    #expect(map.verdict == .unrelated && map.pairCount == 0)
  }

  @Test func aStillPicture() throws {
    // Of another length, so that the noise is another one too.
    let still = [Int?](repeating: 30, count: 80)
    let map = try map(clip.sequence(still), clip.sequence(still + [30]))
    #expect(map.verdict == .ambiguous)
  }

  @Test func aSyncPointDecides() throws {
    // A loop of 20 frames: without help, nothing says which pass is which.
    let loop = (0..<100).map { Optional(20 + $0 % 20) }
    let priors = AlignmentPriors(syncPoints: [SyncPoint(reference: 45, candidate: 5)])
    let map = try map(clip.sequence(loop), clip.sequence(Array(loop[0..<50])), priors)
    #expect(map.frames[5].reference == 45)
    #expect(map.frames[30].reference == 70)
    #expect(map.syncPoints == priors.syncPoints)
  }

  @Test func twoSyncPointsTellTheRate() throws {
    let still = [Int?](repeating: 30, count: 91)
    let priors = AlignmentPriors(syncPoints: [SyncPoint(reference: 6, candidate: 4), SyncPoint(reference: 81, candidate: 54)])
    let map = try map(clip.sequence(still), clip.sequence(Array(still[0..<61])), priors)
    #expect(map.rate == 1.5)
    for c in 4...54 { #expect(map.frames[c].reference.map { abs(Double($0) - 1.5 * Double(c)) <= 3 } == true, "\(c)") }
  }

  /// Too long to compare all pairs of frames.
  @Test func longClips() throws {
    let film = SyntheticClip(seed: 21, sceneCount: 40, sceneLength: 40)
    let numbers = Array(0..<500) + Array(900..<1200) + Array(500..<900) + Array(1200..<1404) + Array(1406..<1600)
    let map = try map(film.sequence(Array(0..<1600)), film.sequence(numbers, noise: 1))
    #expect(map.frames.map(\.reference) == numbers)
    #expect(map.events.map(\.kind) == [.removed, .swapped, .removed, .dropped])
    #expect(map.verdict == .related)
  }

  @Test func theSameAgain() throws {
    let a = clip.sequence(Array(20..<180)), b = clip.sequence(Array(40..<150), noise: 2)
    #expect(try map(a, b) == map(a, b))
  }

  @Test func veryShortClips() throws {
    for count in 0..<10 {
      let map = try map(clip.sequence(Array(20..<20 + count)), clip.sequence(Array(20..<180)))
      #expect(map.frames.count == 160 && map.referenceCount == count)
    }
  }

  @Test func cancelling() {
    let a = clip.sequence(Array(20..<100))
    #expect(throws: CancellationError.self) {
      _ = try Aligner.align(reference: a, candidate: a, isCancelled: { true })
    }
  }
}

extension PictureRect {
  func greatestDistance(to other: PictureRect) -> Double {
    max(abs(left - other.left), abs(right - other.right), abs(top - other.top), abs(bottom - other.bottom))
  }
}
