/// The samples of a clip played faster or slower, with its pitch kept; sample 0 is at a sample of the clip.
///
/// Stretching depends on what came before, and its speed is only nearly exact. It begins anew every few seconds, and the ends are
/// cross-faded: so samples are the same wherever reading begins, and stay in sync. Use from one thread at a time.
final class StretchedSound: SampleSource {
  private let source: BufferedSound
  private let form: SoundForm
  /// The index of the clip's sample at sample 0.
  private let start: Int64
  private let speed: Double
  private(set) var position: Int64 = 0
  /// The part being read, followed by the next one once it has begun.
  private var parts: [Part] = []
  private var isEnded = false
  private var block: [Float] = []

  fileprivate struct Part {
    let number: Int64
    let stretcher: TimeStretcher
    /// From sample `first` on.
    var output: [Float] = []
    var first: Int64
  }

  init(_ source: BufferedSound, _ form: SoundForm, start: Int64, speed: Double) {
    self.source = source
    self.form = form
    self.start = start
    self.speed = speed
  }

  /// The lengths of a part and of the fade to the next one, in samples.
  private var length: Int64 { Int64(form.rate) * 5 }
  private var fade: Int64 { Int64(form.rate) / 100 }

  /// Returns the index of the clip's sample with which a part begins.
  private func begin(ofPart number: Int64) -> Int64 { start + Int64((Double(number * length) * speed).rounded()) }

  func seek(to position: Int64) throws {
    let position = max(0, position)
    // The fade into a part needs the former part.
    let number = max(0, position - fade) / length
    parts = []
    isEnded = false
    try source.seek(to: begin(ofPart: number))
    try addPart(number)
    self.position = position
  }

  private func addPart(_ number: Int64) throws {
    guard let stretcher = TimeStretcher(form, speed: speed, algorithm: .timeDomain) else { throw PlaybackError(.system, "out of memory") }
    parts.append(Part(number: number, stretcher: stretcher, first: number * length))
  }

  func read(into samples: inout [Float]) throws -> Bool {
    if parts.isEmpty { try seek(to: position) }
    if !isEnded { try feed() }
    emit(into: &samples)
    return !isEnded || parts.contains { !$0.output.isEmpty }
  }

  private func feed() throws {
    let count = 1024
    guard source.has(count) else { return try source.advance() }
    guard let last = parts.last else { return }
    let next = begin(ofPart: last.number + 1)
    if source.position == next { try addPart(last.number + 1) }
    // Up to the start of the next part.
    let wanted = source.position < next ? Int(min(Int64(count), next - source.position)) : count
    block.removeAll(keepingCapacity: true)
    source.take(wanted) { block += $0 }
    if block.isEmpty {
      isEnded = true
      for i in parts.indices { finish(i) }
    } else {
      for i in parts.indices {
        let stretcher = parts[i].stretcher
        stretcher.stretch(&block, into: &parts[i].output)
      }
    }
  }

  private func finish(_ part: Int) {
    let stretcher = parts[part].stretcher
    stretcher.finish(into: &parts[part].output)
  }

  /// Appends the samples from `position` on that are ready.
  private func emit(into samples: inout [Float]) {
    while let part = parts.first {
      let channels = form.channels
      let end = (part.number + 1) * length
      let isLast = isEnded && parts.count == 1
      let ready = part.first + Int64(part.output.count / channels)
      if position < (isLast ? ready : min(end, ready)) {
        let upper = isLast ? ready : min(end, ready)
        let from = Int(position - part.first) * channels, to = Int(upper - part.first) * channels
        // A part that gave less than expected is followed by silence.
        samples.append(contentsOf: repeatElement(0, count: max(0, -from)))
        samples += part.output[max(0, from)..<to]
        position = upper
        parts[0].discard(before: position, channels)
      } else if position < end || isLast {
        // Outputs before the wanted one.
        parts[0].discard(before: min(position, ready), channels)
        if isLast { parts[0].output = [] }
        guard isEnded, !isLast else { return }
        // It gave less than expected.
        parts.removeFirst()
      } else {
        guard parts.count > 1, fadeOver(into: &samples) else { return }
      }
    }
  }

  /// Appends the fade from the first part to the second, at its start, and drops the first. Returns false if it is not ready.
  private func fadeOver(into samples: inout [Float]) -> Bool {
    let channels = form.channels
    let whole = Int(fade)
    func ready(_ part: Part) -> Bool { isEnded || part.first + Int64(part.output.count / channels) >= (parts[1].number * length) + fade }
    guard ready(parts[0]), ready(parts[1]) else { return false }
    let begin = parts[1].number * length
    let done = Int(position - begin)
    if done < whole {
      let old = parts[0].output.dropFirst(Int(max(0, position - parts[0].first)) * channels)
      let new = parts[1].output.dropFirst(Int(position - parts[1].first) * channels)
      for sample in 0..<min(whole - done, new.count / channels) {
        let share = Float(done + sample) / Float(whole)
        for channel in 0..<channels {
          let at = sample * channels + channel
          let former = at < old.count ? old[old.startIndex + at] : 0
          samples.append(former + share * (new[new.startIndex + at] - former))
        }
        position += 1
      }
    }
    parts.removeFirst()
    parts[0].discard(before: position, channels)
    return true
  }
}

extension StretchedSound.Part {
  fileprivate mutating func discard(before position: Int64, _ channels: Int) {
    let count = min(Int(max(0, position - first)), output.count / channels)
    guard count > 0 else { return }
    output.removeFirst(count * channels)
    first += Int64(count)
  }
}
