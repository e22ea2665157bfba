/// When a server is asked for its position, and what it takes in advance.
struct PulseTiming {
  /// The moment at which to ask next.
  private(set) var due: Int64 = .min
  private var stage = Stage.waiting(questions: 0)
  private var unanswered = 0
  private var latest: DeviceReading?
  /// The samples that the device has taken but not played, by each of the latest readings.
  private var leads: [Int64] = []
  /// The longest time to the server of the latest readings, in nanoseconds.
  private var transports: [Int64] = []
  /// The round trip for which the queue has been made.
  private var roundTrip: Int64 = 0

  private enum Stage {
    /// The device has not taken a sample since it was started. It may play silence that it took before, and the server may
    /// take that back, so that positions jump.
    case waiting(questions: Int)
    /// Positions can be relied on: so many have been read.
    case moving(readings: Int)
  }

  private static let kept = 24
  /// Nanoseconds for what cannot be known: how long this thread, and the server's, wait for a processor.
  private static let margin: Int64 = 6_000_000
  private static let maxUnanswered = 8

  /// Asks quickly again: earlier readings say nothing any more.
  mutating func restart() {
    due = .min
    stage = .waiting(questions: 0)
    latest = nil
    leads.removeAll(keepingCapacity: true)
  }

  /// Returns true if the server is to be asked now.
  mutating func takeQuestion(_ now: Int64) -> Bool {
    guard now >= due else { return false }
    due = now + interval
    // A server that does not answer is not asked ever more.
    guard unanswered < Self.maxUnanswered else { return false }
    unanswered += 1
    if case .waiting(let questions) = stage { stage = .waiting(questions: questions + 1) }
    return true
  }

  /// At the start, a few readings have to do; later, many are as good as all.
  private var interval: Int64 {
    switch stage {
    case .waiting(..<50), .moving(..<12): 4_000_000
    case .waiting, .moving(..<48): 12_000_000
    case .moving: 50_000_000
    }
  }

  /// Returns true if positions can be relied on, once the device has taken samples.
  mutating func noteMoving(isPlaying: Bool) -> Bool {
    if case .waiting = stage {
      guard isPlaying else { return false }
      stage = .moving(readings: 0)
    }
    return true
  }

  mutating func didAnswer() { unanswered = max(0, unanswered - 1) }

  /// Takes a reading, and returns the round trip that the queue has to span if it has changed much.
  mutating func add(_ reading: DeviceReading, at now: Int64, transport: Int64) -> Int64? {
    latest = reading
    guard case .moving(let readings) = stage else { return nil }
    stage = .moving(readings: readings + 1)
    leads.append(reading.taken - Int64(reading.heard.rounded(.down)))
    transports.append(transport)
    if leads.count > Self.kept { leads.removeFirst() }
    if transports.count > Self.kept { transports.removeFirst() }
    let sorted = transports.sorted()
    let trip = 2 * sorted[sorted.count / 2]
    guard readings >= 12, trip > 10_000_000 + roundTrip * 3 / 2 else { return nil }
    roundTrip = trip
    return trip
  }

  /// The first sample that the device has surely not taken when a message sent now arrives; nil if not known.
  func earliest(_ now: Int64, _ format: SoundFormat) -> Int64? {
    guard let latest, let lead = leads.max(), let transport = transports.max() else { return nil }
    let ahead = now - latest.host + min(transport, 1_000_000_000) + Self.margin
    return Int64(latest.heard) + lead + Int64(format.sampleCount(nanoseconds: max(0, ahead)))
  }
}
