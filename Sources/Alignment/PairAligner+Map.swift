extension PairAligner {
  func map(_ supervision: Supervision) throws -> AlignmentMap {
    var copy = self
    var outcome = try copy.run(supervision)
    for point in syncPoints {
      outcome.frames[point.candidate] = point.reference
      outcome.confidences[point.candidate] = 1
    }
    try supervision.reached(1)
    return copy.map(of: outcome)
  }

  func map(of outcome: Outcome) -> AlignmentMap {
    var map = AlignmentMap(
      frames: zip(outcome.frames, outcome.confidences).map { AlignmentMap.Frame(reference: $0, confidence: $1) },
      referenceCount: n, rate: outcome.rate,
      verdict: !outcome.isRelated ? .unrelated : outcome.isStill ? .ambiguous : .related, syncPoints: syncPoints)
    map.picture.shown = placement.rect
    map.picture.candidatePicture = candidatePicture
    map.picture.isMirrored = placement.isMirrored
    map.picture.quarterTurns = placement.quarterTurns
    map.picture.tone = outcome.tone?.points ?? []
    let pairs = pairs(outcome.frames)
    guard !pairs.isEmpty else { return map }
    let offsets = pairs.map { Float(Double($0.reference) - outcome.rate * Double($0.candidate)) }
    map.offset = Double(median(offsets))
    var steps = 0.0
    for (before, after) in zip(pairs, pairs.dropFirst()) {
      let step = Double(after.reference - before.reference) - outcome.rate * Double(after.candidate - before.candidate)
      if abs(step) < 1.5 { steps += step }
    }
    map.drift = steps * 1000 / Double(m)
    if abs(outcome.rate - outcome.rate.rounded()) < 0.01 {
      map.events = AlignmentEvent.events(of: outcome.frames, rate: outcome.rate).map { event in
        var event = event
        // As certain as the frames on both sides.
        func mean(_ range: Range<Int>) -> Float {
          let sides = range.clamped(to: 0..<m).filter { outcome.frames[$0] != nil }
          return Alignment.mean(sides.map { outcome.confidences[$0] })
        }
        let begin = event.candidate.lowerBound, end = event.candidate.upperBound
        event.confidence = min(mean(begin - 4..<begin), mean(end..<end + 4))
        return event
      }
    }
    return map
  }
}
