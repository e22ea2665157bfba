internal import CPulse
import Glibc

/// A stream of a server. Used by the thread of its loop only.
///
/// The server plays silence where samples are missing, and its indexes go on, so that an index always belongs to one moment.
final class PulseStream {
  private let pulse: UnsafePointer<qd_pulse>
  private let context: PulseContext
  let handle: OpaquePointer
  private let now: () -> Int64
  private let notify: (StreamEvent) -> Void
  private var format = SoundFormat.standard
  private var buffer: UnsafeMutableBufferPointer<Float>
  private var state = State.opening
  /// The index after the last sample written.
  private var written: Int64 = 0
  private var timing = PulseTiming()
  private var title = ""

  private enum State {
    case opening
    case paused
    case running
  }

  /// The nanoseconds of samples that the server keeps, and after which it asks for more. The device's own buffer is as long as
  /// the latter: it cannot be rewritten.
  private static let queue: Int64 = 200_000_000
  private static let request: Int64 = 20_000_000
  /// The longest round trip that the queue is made to span.
  private static let longestRoundTrip: Int64 = 300_000_000

  init(
    _ pulse: UnsafePointer<qd_pulse>, _ context: PulseContext, now: @escaping () -> Int64,
    _ notify: @escaping (StreamEvent) -> Void
  ) throws(SoundFailure) {
    var wanted = Self.specification(format)
    let properties = pulse.pointee.proplist_new()
    defer { if let properties { pulse.pointee.proplist_free(properties) } }
    _ = pulse.pointee.proplist_sets(properties, PA_PROP_MEDIA_ROLE, "video")
    guard let handle = pulse.pointee.stream_new_with_proplist(context.handle, SoundTitle.program, &wanted, nil, properties) else {
      throw context.error
    }
    (self.pulse, self.context, self.handle, self.now, self.notify) = (pulse, context, handle, now, notify)
    buffer = Self.makeBuffer(format)
    setCallbacks()
    var attributes = Self.attributes(format, roundTrip: 0)
    // The sink's latency is to be as short as a request: see `PulseTiming.lead`.
    let flags = [PA_STREAM_START_CORKED, PA_STREAM_EARLY_REQUESTS, PA_STREAM_FIX_RATE]
    let bits = pa_stream_flags_t(flags.reduce(0) { $0 | $1.rawValue })
    guard pulse.pointee.stream_connect_playback(handle, nil, &attributes, bits, nil, nil) >= 0 else { throw context.error }
  }

  deinit {
    removeCallbacks()
    _ = pulse.pointee.stream_disconnect(handle)
    pulse.pointee.stream_unref(handle)
    buffer.deallocate()
  }

  private static func specification(_ format: SoundFormat) -> pa_sample_spec {
    pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.rate), channels: UInt8(format.channels))
  }

  private static func makeBuffer(_ format: SoundFormat) -> UnsafeMutableBufferPointer<Float> {
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: format.rate * format.channels)
    buffer.initialize(repeating: 0)
    return buffer
  }

  private static func attributes(_ format: SoundFormat, roundTrip: Int64) -> pa_buffer_attr {
    func bytes(_ nanoseconds: Int64) -> UInt32 {
      UInt32(format.sampleCount(nanoseconds: nanoseconds) * format.channels * MemoryLayout<Float>.size)
    }
    let length = queue + 2 * min(roundTrip, longestRoundTrip)
    return pa_buffer_attr(maxlength: .max, tlength: bytes(length), prebuf: 0, minreq: bytes(request), fragsize: .max)
  }

  private var sampleSize: Int { format.channels * MemoryLayout<Float>.size }

  // MARK: State

  /// Returns true once the stream exists.
  func isReady(_ context: PulseContext) throws(SoundFailure) -> Bool {
    switch pulse.pointee.stream_get_state(handle) {
    case PA_STREAM_READY: return true
    case PA_STREAM_FAILED: throw context.error
    case PA_STREAM_TERMINATED: throw SoundFailure(reason: "the stream was ended by the sound server")
    default: return false
    }
  }

  var deviceName: String { pulse.pointee.stream_get_device_name(handle).map { String(cString: $0) } ?? "" }

  /// Begins to provide samples, and returns their format: at the device's rate.
  func start() throws(SoundFailure) -> SoundFormat {
    guard let actual = pulse.pointee.stream_get_sample_spec(handle)?.pointee, actual.format == PA_SAMPLE_FLOAT32LE,
      SoundFormat.rates.contains(Int(actual.rate)), Int(actual.channels) == format.channels
    else { throw SoundFailure(reason: "the sound server offers no usable format") }
    if Int(actual.rate) != format.rate {
      format = SoundFormat(rate: Int(actual.rate), channels: format.channels)
      buffer.deallocate()
      buffer = Self.makeBuffer(format)
      setQueue(roundTrip: 0)
    }
    state = .paused
    return format
  }

  private func setQueue(roundTrip: Int64) {
    var attributes = Self.attributes(format, roundTrip: roundTrip)
    release(pulse.pointee.stream_set_buffer_attr(handle, &attributes, nil, nil))
  }

  private func release(_ operation: OpaquePointer?) { if let operation { pulse.pointee.operation_unref(operation) } }

  /// Carries out orders, and returns when to do so next if nothing happens; nil for never.
  func carryOut(_ orders: StreamOrders) -> Int64? {
    if orders.title != title {
      title = orders.title
      release(pulse.pointee.stream_set_name(handle, title.isEmpty ? SoundTitle.program : title, nil, nil))
    }
    switch (state, orders.isRunning) {
    case (.paused, true):
      state = .running
      timing.restart()
      release(pulse.pointee.stream_cork(handle, 0, nil, nil))
    case (.running, false):
      state = .paused
      release(pulse.pointee.stream_cork(handle, 1, nil, nil))
    default: break
    }
    if orders.rewrites { rewrite() }
    write(samples: pulse.pointee.stream_writable_size(handle) / sampleSize)
    guard case .running = state else { return nil }
    if timing.takeQuestion(now()) {
      release(pulse.pointee.stream_update_timing_info(handle, Self.didUpdate, Unmanaged.passUnretained(self).toOpaque()))
    }
    return timing.due
  }

  // MARK: Samples

  /// Writes what the server asks for.
  private func write(samples: Int) {
    // libpulse says -1 if the stream has failed.
    guard state != .opening, samples > 0, samples < Int(Int32.max) else { return }
    var left = samples
    while left > 0 {
      let count = min(left, buffer.count / format.channels)
      let part = UnsafeMutableBufferPointer(rebasing: buffer[..<(count * format.channels)])
      notify(.render(part, at: written))
      let code = pulse.pointee.stream_write(handle, part.baseAddress, count * sampleSize, nil, 0, PA_SEEK_RELATIVE)
      guard code >= 0 else { return }
      written += Int64(count)
      left -= count
    }
  }

  /// Replaces what the device has not taken yet.
  private func rewrite() {
    guard state != .opening else { return }
    let earliest = state == .running ? timing.earliest(now(), format) : nil
    // Paused, the server may have taken all but what it still has room for; it has little of it, and asks again when it runs.
    guard let earliest, earliest < written, written - earliest <= buffer.count / format.channels else { return }
    let count = Int(written - max(0, earliest))
    let part = UnsafeMutableBufferPointer(rebasing: buffer[..<(count * format.channels)])
    notify(.render(part, at: written - Int64(count)))
    _ = pulse.pointee.stream_write(
      handle, part.baseAddress, count * sampleSize, nil, -Int64(count * sampleSize), PA_SEEK_RELATIVE)
  }

  // MARK: Callbacks

  private func setCallbacks() {
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    let losePlace: pa_stream_notify_cb_t = { _, pointer in PulseStream.at(pointer)?.didLosePlace() }
    pulse.pointee.stream_set_moved_callback(handle, losePlace, pointer)
    pulse.pointee.stream_set_suspended_callback(handle, losePlace, pointer)
    pulse.pointee.stream_set_underflow_callback(handle, { _, pointer in PulseStream.at(pointer)?.didUnderrun() }, pointer)
  }

  private func removeCallbacks() {
    pulse.pointee.stream_set_moved_callback(handle, nil, nil)
    pulse.pointee.stream_set_suspended_callback(handle, nil, nil)
    pulse.pointee.stream_set_underflow_callback(handle, nil, nil)
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseStream? {
    pointer.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let didUpdate: pa_stream_success_cb_t = { _, isSuccess, pointer in
    PulseStream.at(pointer)?.didUpdateTiming(isSuccess: isSuccess != 0)
  }

  private func didLosePlace() {
    timing.restart()
    if state != .opening { notify(.placeLost) }
  }

  private func didUnderrun() { if state == .running { notify(.underrun) } }

  private func didUpdateTiming(isSuccess: Bool) {
    let host = now()
    timing.didAnswer()
    guard isSuccess, state == .running, let info = pulse.pointee.stream_get_timing_info(handle)?.pointee,
      info.read_index_corrupt == 0, timing.noteMoving(isPlaying: info.playing != 0)
    else { return }
    var wall = timeval()
    gettimeofday(&wall, nil)
    // The server's indexes belong to a moment of the wall clock that is a little earlier.
    let age = Int64(wall.tv_sec - info.timestamp.tv_sec) * 1_000_000_000 + Int64(wall.tv_usec - info.timestamp.tv_usec) * 1000
    let taken = info.read_index / Int64(sampleSize)
    let heard = Double(taken) - Double(info.sink_usec) * Double(format.rate) / 1e6
    let reading = DeviceReading(heard: heard, host: host - min(max(0, age), 2_000_000_000), taken: taken)
    let transport = Int64(min(info.transport_usec, 10_000_000)) * 1000
    if let roundTrip = timing.add(reading, at: host, transport: transport) { setQueue(roundTrip: roundTrip) }
    notify(.reading(reading))
  }
}
