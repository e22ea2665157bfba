import DecodePool
import Sound
import Synchronization

/// Fills a player's voice with the samples of its course, in the steps of a lane of its own.
final class SoundRenderer: Sendable {
  /// The samples wanted.
  struct Order: Sendable {
    /// The voice's generation that they are for.
    var generation: Int
    /// The course. It may change within a generation only beyond what is rendered.
    var course: SoundCourse
    /// The media time of the first sample.
    var start: Int64
    var algorithm: AudioTimePitchAlgorithm
    /// The items of the course, by number.
    var items: [Int: PlayerItem]
    /// True for a short piece that fades at its end.
    var isGrain = false
  }

  private struct State {
    var order: Order?
    var failure: PlaybackError?
  }

  private let voice: SoundVoice
  private let work: Work
  private let state = Mutex(State())
  /// Called on the lane if the order cannot be filled any more, because what is rendered has become wrong.
  private let needsRestart: @Sendable () -> Void
  /// Called on the lane with the number of an item that is nothing but sound, and the media time at which that has been found to end.
  private let didFindEnd: @Sendable (Int, Int64) -> Void
  private let now: @Sendable () -> HostTime

  init(
    _ voice: SoundVoice, now: @escaping @Sendable () -> HostTime, didFindEnd: @escaping @Sendable (Int, Int64) -> Void,
    needsRestart: @escaping @Sendable () -> Void
  ) {
    self.voice = voice
    self.now = now
    self.didFindEnd = didFindEnd
    self.needsRestart = needsRestart
    work = Work()
  }

  func set(_ order: Order) { state.withLock { $0.order = order } }

  /// Takes over a course that continues the present order's.
  func set(course: SoundCourse, items: [Int: PlayerItem]) {
    state.withLock { state in
      state.order?.course = course
      state.order?.items = items
    }
  }

  /// The reason that the present item has no sound although it should; nil if there is none.
  var failure: PlaybackError? { state.withLock { $0.failure } }

  /// Renders a little. Called by one worker at a time.
  func step() -> DecodePool.Next {
    guard let order = state.withLock({ $0.order }) else {
      work.stop()
      return .idle
    }
    let demand = voice.demand
    guard demand.generation == order.generation else {
      // The device has another format, or a newer order is on its way.
      if demand.generation > order.generation { needsRestart() }
      return .idle
    }
    let form = SoundForm(rate: demand.format.rate, channels: demand.format.channels)
    switch work.adopt(order, form) {
    case .outdated:
      needsRestart()
      return .idle
    case .adopted: break
    }
    guard demand.room > 0 else { return .idle }
    do {
      let progress = try work.render(into: voice, room: demand.room)
      state.withLock { $0.failure = nil }
      switch progress {
      case .goesOn: break
      case .isDone:
        voice.finish(generation: order.generation)
        return .idle
      case .foundEnd(let item, let media):
        // The course has another end from the next step on, unless the end comes too early to be the item's.
        didFindEnd(item, media)
        return .again(deadline: UInt64(max(0, now() - Self.lead)))
      }
    } catch {
      // The picture goes on without sound.
      state.withLock { $0.failure = PlaybackError(error) }
      voice.finish(generation: order.generation)
      work.fail()
      return .idle
    }
    let ahead = Double(max(0, demand.ahead)) * demand.format.sampleDuration
    return .again(deadline: UInt64(max(0, now() + Int64(ahead) - Self.lead)))
  }

  /// Sound comes before frames that are due at the same time.
  private static let lead: HostTime = 300_000_000
}

extension SoundRenderer {
  /// The state that a lane's steps keep between them.
  ///
  /// `@unchecked Sendable`: used only inside one lane's steps, which never overlap.
  private final class Work: @unchecked Sendable {
    private var order: Order?
    private var form = SoundForm(rate: 0, channels: 0)
    /// The sources of samples that are open, by item; nil for items without sound.
    private var sources: [Int: Source] = [:]
    private var phase = Phase.ended
    private var stretcher: TimeStretcher?
    /// Samples given to the stretcher, or to the voice if there is none, since the order began.
    private var fed: Int64 = 0
    /// Samples given to the voice.
    private var produced: Int64 = 0
    /// The beginnings of runs among the samples fed; the last one is being read.
    private var marks: [Mark] = []
    /// The run whose sound has ended, although the run goes on.
    private var endedRun: SoundRun?
    /// Samples to be given to the voice.
    private var output: [Float] = []
    private var block: [Float] = []

    private struct Source {
      let reader: (any SampleSource)?
      let form: SoundForm
      /// The track that is read.
      let choice: PlayerItem.SoundChoice
      weak var item: PlayerItem?

      /// Returns true if this is what an item wants to be heard now.
      func isFor(_ item: PlayerItem?) -> Bool { item != nil && item === self.item && item?.soundChoice == choice }
    }

    private struct Mark {
      let fed: Int64
      let run: SoundRun
      let media: Int64
    }

    private enum Phase {
      /// Samples of a run are read; the position is that of the next one, in silence too.
      case reading(SoundRun, position: Int64)
      case ended
    }

    enum Progress {
      case goesOn
      /// There are no more samples.
      case isDone
      /// All sound of an item that has nothing else has been read.
      case foundEnd(item: Int, media: Int64)
    }

    enum Adoption {
      case adopted
      /// Samples were rendered that the order does not want.
      case outdated
    }

    func stop() {
      order = nil
      sources = [:]
      phase = .ended
    }

    func fail() { phase = .ended }

    /// Takes an order, and begins anew if its generation is another one.
    func adopt(_ new: Order, _ form: SoundForm) -> Adoption {
      defer { order = new }
      guard let order, order.generation == new.generation, self.form == form else {
        begin(new, form)
        return .adopted
      }
      guard new.course != order.course, let last = marks.last else { return .adopted }
      if new.course.run == last.run { return hasPassed(new.course.end) ? .outdated : .adopted }
      // A later run is being read already: it must be where the clock still goes.
      let ends = [order.course, new.course].map { $0.run.item == last.run.item ? $0.end ?? 0 : 0 }
      let leadsThere = marks.contains { $0.run == new.course.run }
        && new.course.next.map { next in marks.contains { $0.run == next.run } } ?? false
      let isSameJoint = new.course.continuation == order.course.continuation && abs(ends[0] - ends[1]) <= SoundCourse.tolerance
      return leadsThere && isSameJoint ? .adopted : .outdated
    }

    private func hasPassed(_ end: Int64?) -> Bool {
      guard let end else { return false }
      if case .reading(_, let position) = phase { return position > form.index(at: end) }
      return order?.course.end != end
    }

    private func begin(_ new: Order, _ form: SoundForm) {
      if form != self.form { sources = [:] }
      sources = sources.filter { $0.value.isFor(new.items[$0.key]) }
      self.form = form
      let rate = new.course.timebase.rate
      stretcher = rate == 1 ? nil : TimeStretcher(form, speed: rate, algorithm: new.algorithm)
      (fed, produced, output, marks, endedRun) = (0, 0, [], [], nil)
      enter(new.course.run, at: max(0, new.start))
    }

    private func enter(_ run: SoundRun, at media: Int64) {
      let position = form.index(at: media)
      marks.append(Mark(fed: fed, run: run, media: form.nanoseconds(at: position)))
      if marks.count > 8 { marks.removeFirst() }
      phase = .reading(run, position: position)
      try? source(of: run.item)?.seek(to: position)
    }

    private func source(of item: Int) throws -> (any SampleSource)? {
      if let source = sources[item] { return source.reader }
      guard let playerItem = order?.items[item] else { return nil }
      let choice = playerItem.soundChoice
      let reader = try playerItem.openSound(form)
      sources[item] = Source(reader: reader, form: form, choice: choice, item: playerItem)
      return reader
    }

    /// Gives samples to the voice.
    func render(into voice: SoundVoice, room: Int) throws -> Progress {
      // Enough for one step: other lanes wait. The first samples may be due already, and so are soon used up.
      let wanted = min(room, produced == 0 ? form.rate / 10 : form.rate / 25)
      while output.count < wanted * form.channels, case .reading(let run, let position) = phase {
        guard try read(run, position) else { return .foundEnd(item: run.item, media: form.nanoseconds(at: position)) }
      }
      give(to: voice, wanted)
      if case .ended = phase { return output.isEmpty ? .isDone : .goesOn }
      return .goesOn
    }

    /// Reads samples. Returns false if there are none because an item that is nothing but sound ends earlier than its run.
    private func read(_ run: SoundRun, _ position: Int64) throws -> Bool {
      guard let order else {
        phase = .ended
        return true
      }
      let end = run == order.course.run || run.item == order.course.run.item ? order.course.end.map(form.index(at:)) : nil
      if let end, position >= end {
        finish(run, order)
        return true
      }
      block.removeAll(keepingCapacity: true)
      let reader = try source(of: run.item)
      if let reader, reader.position != position { try reader.seek(to: position) }
      let hasMore = try reader?.read(into: &block) ?? false
      if block.isEmpty, !hasMore {
        if endedRun != run, reader != nil, order.items[run.item]?.isSoundAlone == true {
          endedRun = run
          return false
        }
        // Silence lasts to the end of the run.
        guard let end else {
          finish(run, order)
          return true
        }
        block.append(contentsOf: repeatElement(0, count: Int(min(end - position, Int64(form.rate) / 50)) * form.channels))
      }
      var next = position + Int64(block.count / form.channels)
      if let end, next > end {
        block.removeLast(Int(next - end) * form.channels)
        next = end
      }
      if order.isGrain, let end { fade(from: position, before: end) }
      fed += next - position
      phase = .reading(run, position: next)
      if let stretcher { stretcher.stretch(&block, into: &output) } else { output += block }
      return true
    }

    /// Lets the samples read fade before the end of a grain.
    private func fade(from position: Int64, before end: Int64) {
      let length = Int64(form.rate) / 200
      for index in 0..<block.count / form.channels {
        let left = end - position - Int64(index)
        guard left <= length else { continue }
        let level = Float(left) / Float(length + 1)
        for channel in 0..<form.channels { block[index * form.channels + channel] *= level }
      }
    }

    private func finish(_ run: SoundRun, _ order: Order) {
      if let next = order.course.next(after: run) { return enter(next.run, at: next.start) }
      stretcher?.finish(into: &output)
      phase = .ended
    }

    private func give(to voice: SoundVoice, _ wanted: Int) {
      guard let order else { return }
      let rate = order.course.timebase.rate
      var offset = 0
      let available = min(output.count / form.channels, wanted)
      while offset < available {
        let place = Double(produced) * rate
        let index = marks.lastIndex { Double($0.fed) <= place + 0.5 } ?? 0
        let mark = marks[index]
        var count = available - offset
        if index + 1 < marks.count {
          count = min(count, max(1, Int(((Double(marks[index + 1].fed) - place) / rate).rounded(.up))))
        }
        let media = Double(mark.media) + (place - Double(mark.fed)) * 1e9 / Double(form.rate)
        let taken = output.withUnsafeBufferPointer { samples in
          voice.append(
            UnsafeBufferPointer(rebasing: samples[offset * form.channels..<(offset + count) * form.channels]),
            at: MediaPlace(media: Int64(media.rounded()), timeline: mark.run.timeline),
            mediaPerSample: 1e9 / Double(form.rate) * rate, generation: order.generation)
        }
        // An outdated generation takes nothing: the samples are not wanted any more.
        guard let taken, taken > 0 else { break }
        offset += taken
        produced += Int64(taken)
      }
      output.removeFirst(offset * form.channels)
    }
  }
}
