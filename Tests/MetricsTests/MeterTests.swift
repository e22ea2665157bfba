import Metrics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct MeterTests {
  @Test(arguments: ["yuv420p", "yuv422p10le", "gray", "yuv444p16le"]) func equalFrames(format: String) throws {
    let form = try MetricForm(format, width: 190, height: 178)
    let a = OwnedFrame(picture: 1, form), b = OwnedFrame(picture: 1, form, padding: 9)
    let measured = try FidelityMeter(form: form).measure(reference: a.frame, candidate: b.frame)
    #expect(measured.psnr.decibels == .infinity && measured.psnr.decibels(ofPlane: 0) == .infinity)
    #expect(abs(measured.ssim.all - 1) < 1e-12 && measured.ssim.planes.allSatisfy { $0 == 1 })
    let xpsnr = try XPSNRMeter(form: form, framesPerSecond: 25).measure(reference: a.frame, candidate: b.frame)
    #expect(xpsnr.decibels(ofPlane: 0) == .infinity)
    #expect(try MultiScaleSSIMMeter(form: form).measure(reference: a.frame, candidate: b.frame) == 1)
    #expect(try BlockErrorMap.meanSquaredErrors(reference: a.frame, candidate: b.frame).values.allSatisfy { $0 == 0 })
  }

  @Test func heavierDistortionScoresLess() throws {
    let form = try MetricForm("yuv420p", width: 200, height: 180)
    let reference = OwnedFrame(picture: 0, form)
    let fidelity = FidelityMeter(form: form), scales = try MultiScaleSSIMMeter(form: form)
    var latest = [Double](repeating: .infinity, count: 4)
    for strength in [1, 3, 8, 20] {
      let candidate = OwnedFrame(picture: 0, form, strength: strength)
      let measured = try fidelity.measure(reference: reference.frame, candidate: candidate.frame)
      let scores = [
        measured.psnr.decibels, measured.ssim.all,
        try XPSNRMeter(form: form, framesPerSecond: 25).measure(reference: reference.frame, candidate: candidate.frame)
          .decibels(ofPlane: 0),
        try scales.measure(reference: reference.frame, candidate: candidate.frame),
      ]
      #expect(zip(scores, latest).allSatisfy(<))
      latest = scores
    }
  }

  /// A frame that was skipped counts for those after it, and none does after a reset.
  @Test(arguments: [25.0, 31.97, 60]) func framesBefore(rate: Double) throws {
    let form = try MetricForm("yuv420p", width: 300, height: 200)
    let references = (0..<4).map { OwnedFrame(picture: $0, form) }
    let candidate = OwnedFrame(picture: 3, form, strength: 5)
    let whole = XPSNRMeter(form: form, framesPerSecond: rate), part = XPSNRMeter(form: form, framesPerSecond: rate)
    for reference in references.dropLast() {
      _ = try whole.measure(reference: reference.frame, candidate: reference.frame)
    }
    for reference in references.dropFirst().dropLast() { try part.skip(reference: reference.frame) }
    let expected = try whole.measure(reference: references[3].frame, candidate: candidate.frame)
    #expect(try part.measure(reference: references[3].frame, candidate: candidate.frame) == expected)
    part.reset()
    let first = try part.measure(reference: references[3].frame, candidate: candidate.frame)
    let fresh = XPSNRMeter(form: form, framesPerSecond: rate)
    #expect(first != expected)
    #expect(try fresh.measure(reference: references[3].frame, candidate: candidate.frame) == first)
  }

  @Test func errorsAreShownWhereTheyAre() throws {
    let form = try MetricForm("yuv420p10le", width: 70, height: 50)
    let a = OwnedFrame(form) { _, x, y in (x * 7 + y * 3) & 511 }
    let b = OwnedFrame(form) { _, x, y in ((x * 7 + y * 3) & 511) + (x == 68 && y == 49 ? 8 : 0) }
    let map = try BlockErrorMap.meanSquaredErrors(reference: a.frame, candidate: b.frame, side: 16)
    #expect(map.columns == 5 && map.rows == 4)
    // The last block has 6×2 samples.
    #expect(map.values.enumerated().allSatisfy { $0.element == ($0.offset == 19 ? 64.0 / 12 : 0) })
    let c = OwnedFrame(form) { _, x, y in ((x * 7 + y * 3) & 511) + (x == 21 && y == 13 ? 90 : 0) }
    let windows = try BlockErrorMap.dissimilarities(reference: a.frame, candidate: c.frame)
    let marked = windows.values.indices.filter { windows.values[$0] > 0 }
    #expect(marked.map { [$0 % windows.columns, $0 / windows.columns] } == [[4, 2], [5, 2], [4, 3], [5, 3]])
  }

  @Test func formsThatCannotBeMeasured() throws {
    let form = try MetricForm("yuv420p", width: 64, height: 64), other = try MetricForm("yuv422p", width: 64, height: 64)
    let a = OwnedFrame(picture: 0, form), b = OwnedFrame(picture: 0, other)
    #expect(throws: MetricError.anotherForm) { try FidelityMeter(form: form).measure(reference: a.frame, candidate: b.frame) }
    #expect(throws: MetricError.anotherForm) {
      try BlockErrorMap.dissimilarities(reference: a.frame, candidate: b.frame)
    }
    #expect(throws: MetricError.tooSmall(shortestSide: 176)) { try MultiScaleSSIMMeter(form: form) }
    #expect(throws: MetricError.unusableForm) { try MetricForm(planes: [.init(width: 8, height: 8)], depth: 7) }
    #expect(throws: MetricError.unusableForm) { try MetricForm(planes: [.init(width: 0, height: 8)], depth: 8) }
    #expect(throws: MetricError.unusableForm) {
      try MetricForm(planes: [.init(width: 8, height: 8), .init(width: 4, height: 4)], depth: 8)
    }
    let plane = a.frame.planes[0]
    let narrow = MetricPlane(bytes: plane.bytes, stride: 10, width: plane.width, height: plane.height, depth: 8)
    #expect(throws: MetricError.unusableForm) { try MetricForm(of: MetricFrame([narrow])) }
    #expect(throws: MetricError.unusableForm) { try MetricForm(of: MetricFrame([])) }
  }
}
