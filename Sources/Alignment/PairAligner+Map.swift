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
        let begin = event.candidate.lowerBound, end = event.candidate.upperBound
        func mean(_ range: Range<Int>) -> Float { Alignment.mean(Array(outcome.confidences[range.clamped(to: 0..<m)])) }
        // Going back is only as certain as both ends of the jump.
        event.confidence = event.kind == .swapped
          ? min(mean(begin - 2..<begin), mean(begin..<begin + 2)) : max(mean(begin - 2..<begin + 2), mean(end - 2..<end + 2))
        return event
      }
    }
    return map
  }
}
