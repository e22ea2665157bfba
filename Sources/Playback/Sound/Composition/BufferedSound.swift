/// A source of samples that can be read in parts of any size, and put aside without losing any. Use from one thread at a time.
final class BufferedSound {
  private let source: any SampleSource
  private let channels: Int
  /// The samples from `position` on begin at `head`.
  private var buffer: [Float] = []
  private var head = 0
  private var isEnded = false
  /// The index of the next sample.
  private(set) var position: Int64
  /// Ends the reading; kept for as long as there may be any.
  private let session: InputSession?

  init(_ source: any SampleSource, channels: Int, session: InputSession? = nil) {
    self.source = source
    self.channels = channels
    self.session = session
    position = source.position
  }

  private var count: Int { (buffer.count - head) / channels }

  /// Continues at a sample, exactly.
  ///
  /// - Throws: an error if the source cannot go there.
  func seek(to position: Int64) throws {
    let ahead = position - self.position
    if ahead >= 0, ahead <= Int64(count) {
      drop(Int(ahead))
    } else {
      (buffer, head) = ([], 0)
      isEnded = false
      try source.seek(to: position)
    }
    self.position = position
  }

  /// Returns true if there are as many samples, or no more will come.
  func has(_ count: Int) -> Bool { isEnded || self.count >= count }

  /// Reads a little.
  ///
  /// - Throws: an error if nothing more can be read.
  func advance() throws {
    if head > 0 {
      buffer.removeFirst(head)
      head = 0
    }
    if try !source.read(into: &buffer) { isEnded = true }
  }

  /// Takes the next samples: fewer at the end, or if they have not been read.
  func take<R>(_ count: Int, _ body: (ArraySlice<Float>) throws -> R) rethrows -> R {
    let taken = min(count, self.count)
    defer { drop(taken) }
    return try body(buffer[head..<head + taken * channels])
  }

  private func drop(_ count: Int) {
    head += count * channels
    position += Int64(count)
  }
}
