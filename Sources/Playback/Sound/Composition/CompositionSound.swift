/// The sound of a composition: the samples of its pieces at their places, added.
///
/// Clips are opened shortly before they are heard. A clip whose sound cannot be read is silent, and the rest continues. Use from
/// one thread at a time.
final class CompositionSound: SampleSource {
  private let plan: SoundPlan
  private let readers: SoundReaders
  private let failures: SoundFailures
  private(set) var position: Int64 = 0
  /// The pieces being heard and those prepared, by number.
  private var voices: [Int: Voice] = [:]
  /// The number of the first piece that starts later.
  private var next = 0
  /// Pieces in the midst of which reading begins.
  private var entered: [Int] = []

  /// A piece that is read.
  private enum Voice {
    /// The clip's own samples are `reader`, which a retimed piece reads through another one. `shift` is added to an index of
    /// the composition's samples.
    case heard(reader: BufferedSound, samples: BufferedSound, shift: Int64)
    /// Without sound, or unreadable.
    case silent
  }

  /// The number of samples mixed at once.
  private static let blockLength: Int64 = 1024
  /// The maximum number of pieces prepared; those that are heard within a second are.
  private static let maxAhead = 2

  init(_ media: CompositionMedia, _ form: SoundForm, session: InputSession) {
    plan = SoundPlan(media.composition, form: form).audible()
    failures = media.soundFailures
    readers = SoundReaders(form, session: session)
  }

  func seek(to position: Int64) throws {
    let target = max(0, position)
    for (number, voice) in voices {
      guard case .heard(_, let samples, let shift) = voice, plan.pieces[number].samples.contains(target) else {
        leave(number)
        continue
      }
      do {
        try samples.seek(to: target + shift)
      } catch {
        try fail(number, error)
      }
    }
    self.position = target
    next = plan.pieces.partitioningIndex { $0.samples.lowerBound > target }
    entered = (0..<next).filter { voices[$0] == nil && plan.pieces[$0].samples.contains(target) }
  }

  func read(into samples: inout [Float]) throws -> Bool {
    guard position < plan.end else { return false }
    for number in voices.keys where plan.pieces[number].samples.upperBound <= position { leave(number) }
    while let number = entered.popLast() { try start(number) }
    while next < plan.pieces.count, plan.pieces[next].samples.lowerBound <= position {
      if voices[next] == nil { try start(next) }
      next += 1
    }
    // Blocks end where a piece begins or ends.
    var end = min(plan.end, position + Self.blockLength)
    if next < plan.pieces.count { end = min(end, plan.pieces[next].samples.lowerBound) }
    let heard = voices.keys.filter { plan.pieces[$0].samples.contains(position) }.sorted()
    for number in heard { end = min(end, plan.pieces[number].samples.upperBound) }
    let count = Int(end - position)
    for number in heard {
      guard case .heard(_, let source, _) = voices[number], !source.has(count) else { continue }
      try advance(number, source)
      return true
    }
    if try prepare() { return true }
    mix(heard, count, into: &samples)
    position = end
    return true
  }

  private func mix(_ heard: [Int], _ count: Int, into samples: inout [Float]) {
    let (offset, channels) = (samples.count, plan.form.channels)
    samples.append(contentsOf: repeatElement(0, count: count * channels))
    for number in heard {
      guard case .heard(_, let source, _) = voices[number] else { continue }
      source.take(count) { plan.pieces[number].gain.mix($0, into: &samples, from: offset, at: position, channels: channels) }
    }
  }

  // MARK: - Pieces

  private func start(_ number: Int) throws {
    let piece = plan.pieces[number]
    let first = max(position, piece.samples.lowerBound)
    do {
      guard let reader = try readers.take(piece.asset, at: piece.sourceIndex(of: first)) else {
        voices[number] = .silent
        return
      }
      switch piece.motion {
      case .plays(let offset): voices[number] = .heard(reader: reader, samples: reader, shift: offset)
      case .stretched(let start, let speed):
        let stretched = BufferedSound(StretchedSound(reader, plan.form, start: start, speed: speed), channels: plan.form.channels)
        voices[number] = .heard(reader: reader, samples: stretched, shift: -piece.samples.lowerBound)
      }
      if case .heard(_, let samples, let shift) = voices[number] { try samples.seek(to: first + shift) }
    } catch {
      try fail(number, error)
    }
  }

  /// Does a short piece of the work for what is heard soon. Returns false if there is none.
  private func prepare() throws -> Bool {
    for number in next..<min(next + Self.maxAhead, plan.pieces.count) {
      let piece = plan.pieces[number]
      guard piece.samples.lowerBound - position < Int64(plan.form.rate) else { return false }
      switch voices[number] {
      case .silent: continue
      case .heard(_, let samples, _):
        guard !samples.has(1) else { continue }
        try advance(number, samples)
      case nil:
        // A reader that arrives there by itself is the best one.
        if voices.keys.contains(where: { plan.pieces[$0].leads(to: piece) }) { continue }
        try start(number)
      }
      return true
    }
    return false
  }

  private func advance(_ number: Int, _ source: BufferedSound) throws {
    do {
      try source.advance()
    } catch {
      try fail(number, error)
    }
  }

  private func leave(_ number: Int) {
    if case .heard(let reader, _, _) = voices.removeValue(forKey: number) { readers.giveBack(reader) }
  }

  /// - Throws: the error if reading was cancelled, which says nothing about the clip.
  private func fail(_ number: Int, _ error: any Error) throws {
    leave(number)
    let piece = plan.pieces[number]
    guard PlaybackError(error).reason != .cancelled else { throw error }
    voices[number] = .silent
    failures.note(piece, PlaybackError(error))
  }
}
