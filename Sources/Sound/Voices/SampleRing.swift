/// The samples of a voice, in the order in which they are heard, with their media times. Bounded; not safe from threads.
///
/// Positions count samples since the last flush. Samples that were heard stay for a while, so that they can be rendered again.
final class SampleRing {
  let format: SoundFormat
  let capacity: Int
  /// The oldest sample kept.
  private(set) var start: Int64 = 0
  /// The position after the newest sample.
  private(set) var end: Int64 = 0
  private var stretches: [Stretch] = []
  // Owned by the ring.
  private let values: UnsafeMutablePointer<Float>

  /// Samples whose media times advance evenly.
  private struct Stretch {
    let position: Int64
    let place: MediaPlace
    let mediaPerSample: Double

    func media(at position: Double) -> Double { Double(place.media) + (position - Double(self.position)) * mediaPerSample }
  }

  /// The number of stretches kept; timestamps that are rarely in order need many.
  private static let maxStretches = 256

  /// - Parameter capacity: samples.
  init(format: SoundFormat, capacity: Int) {
    self.format = format
    self.capacity = max(1, capacity)
    values = .allocate(capacity: self.capacity * format.channels)
    values.initialize(repeating: 0, count: self.capacity * format.channels)
    stretches.reserveCapacity(Self.maxStretches)
  }

  deinit { values.deallocate() }

  /// The number of samples that fit.
  var room: Int { stretches.count < Self.maxStretches ? capacity - Int(end - start) : 0 }

  func removeAll() {
    (start, end) = (0, 0)
    stretches.removeAll(keepingCapacity: true)
  }

  /// Forgets samples before a position.
  func trim(before position: Int64) {
    start = min(max(start, position), end)
    // The last stretch stays, since samples may still be added to it.
    let kept = stretches.lastIndex { $0.position <= start } ?? 0
    if kept > 0 { stretches.removeFirst(kept) }
  }

  /// Adds samples, and returns how many: as many as fit.
  func append(_ samples: UnsafeBufferPointer<Float>, at place: MediaPlace, mediaPerSample: Double) -> Int {
    let channels = format.channels
    let count = min(samples.count / channels, room)
    guard count > 0, let source = samples.baseAddress, mediaPerSample.isFinite, mediaPerSample > 0 else { return 0 }
    if !continues(at: place, mediaPerSample: mediaPerSample) {
      stretches.append(Stretch(position: end, place: place, mediaPerSample: mediaPerSample))
    }
    let offset = Int(end % Int64(capacity))
    let first = min(count, capacity - offset)
    Self.copy(source, to: values + offset * channels, count: first * channels)
    Self.copy(source + first * channels, to: values, count: (count - first) * channels)
    end += Int64(count)
    return count
  }

  private func continues(at place: MediaPlace, mediaPerSample: Double) -> Bool {
    guard let last = stretches.last, last.place.timeline == place.timeline, last.mediaPerSample == mediaPerSample
    else { return false }
    return abs(last.media(at: Double(end)) - Double(place.media)) <= mediaPerSample / 2
  }

  /// Copies values, limited to what a device may be given.
  private static func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let value = source[index]
      // Comparisons with NaN are false.
      target[index] = value > -8 ? (value < 8 ? value : 8) : (value <= -8 ? -8 : 0)
    }
  }

  /// Calls `body` with the values of samples in a range, which must be kept, in one or two pieces.
  func withValues(_ range: Range<Int64>, _ body: (_ values: UnsafePointer<Float>, _ first: Int64, _ count: Int) -> Void) {
    var position = range.lowerBound
    while position < range.upperBound {
      let offset = Int(position % Int64(capacity))
      let count = min(Int(range.upperBound - position), capacity - offset)
      body(values + offset * format.channels, position, count)
      position += Int64(count)
    }
  }

  /// The media time at a position, also a short way beyond the newest sample; nil without samples.
  func place(at position: Double) -> MediaPlace? {
    guard let stretch = stretches.last(where: { Double($0.position) <= position }) ?? stretches.first else { return nil }
    let media = stretch.media(at: position)
    guard abs(media) < 9e18 else { return nil }
    return MediaPlace(media: Int64(media.rounded()), timeline: stretch.place.timeline)
  }

  /// The position of a media time; nil if its timeline has no samples here. It may lie before or after all samples.
  func position(media: Double, timeline: Int) -> Double? {
    var nearest: (position: Double, distance: Double)?
    for (index, stretch) in stretches.enumerated() where stretch.place.timeline == timeline {
      let position = Double(stretch.position) + (media - Double(stretch.place.media)) / stretch.mediaPerSample
      let upper = index + 1 < stretches.count ? Double(stretches[index + 1].position) : Double(end)
      let distance = max(0, Double(stretch.position) - position, position - upper)
      if distance < nearest?.distance ?? .infinity { nearest = (position, distance) }
    }
    return nearest?.position
  }
}
