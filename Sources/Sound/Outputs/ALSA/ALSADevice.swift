internal import CALSA
import Glibc

/// A device opened for playback. Used by one thread.
final class ALSADevice {
  private let alsa: UnsafePointer<qd_alsa>
  private let handle: OpaquePointer
  let name: String
  let format: SoundFormat
  /// The number of samples that are queued at most.
  let capacity: Int
  /// The number of samples that the device could queue.
  private let bufferSize: Int
  /// True if queued samples can be replaced. Only devices of the kernel are known to do so correctly.
  let isRewritable: Bool

  /// Microseconds of samples queued: little if they cannot be replaced, since changes are heard after them.
  private static let rewritableQueue: UInt32 = 200_000
  private static let fixedQueue: UInt32 = 100_000
  private static let period: UInt32 = 20_000

  /// - Throws: `SoundFailure` with the library's message.
  init(_ name: String) throws(SoundFailure) {
    guard let alsa = qd_alsa_load() else { throw SoundFailure(reason: "libasound is not installed") }
    var opened: OpaquePointer?
    let code = alsa.pointee.pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let opened else { throw Self.failure(alsa, Int(code)) }
    isRewritable = alsa.pointee.pcm_type(opened) == SND_PCM_TYPE_HW
    do {
      let queue = isRewritable ? Self.rewritableQueue : Self.fixedQueue
      (format, capacity, bufferSize) = try Self.configure(alsa, opened, queue: queue)
    } catch {
      _ = alsa.pointee.pcm_close(opened)
      throw error
    }
    (self.alsa, handle, self.name) = (alsa, opened, name)
  }

  deinit { _ = alsa.pointee.pcm_close(handle) }

  private static func failure(_ alsa: UnsafePointer<qd_alsa>, _ code: Int) -> SoundFailure {
    let text = alsa.pointee.strerror(Int32(clamping: code)).map { String(cString: $0) } ?? "error \(code)"
    return SoundFailure(reason: text.prefix(1).lowercased() + text.dropFirst())
  }

  private static func configure(
    _ alsa: UnsafePointer<qd_alsa>, _ handle: OpaquePointer, queue: UInt32
  ) throws(SoundFailure) -> (SoundFormat, capacity: Int, bufferSize: Int) {
    func check(_ code: Int32) throws(SoundFailure) { if code < 0 { throw failure(alsa, Int(code)) } }
    var hardware: OpaquePointer?
    try check(alsa.pointee.pcm_hw_params_malloc(&hardware))
    defer { alsa.pointee.pcm_hw_params_free(hardware) }
    try check(alsa.pointee.pcm_hw_params_any(handle, hardware))
    try check(alsa.pointee.pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    try check(alsa.pointee.pcm_hw_params_set_format(handle, hardware, SND_PCM_FORMAT_FLOAT_LE))
    try check(alsa.pointee.pcm_hw_params_set_channels(handle, hardware, UInt32(SoundFormat.standard.channels)))
    var (rate, direction) = (UInt32(SoundFormat.standard.rate), Int32(0))
    try check(alsa.pointee.pcm_hw_params_set_rate_near(handle, hardware, &rate, &direction))
    guard SoundFormat.rates.contains(Int(rate)) else { throw SoundFailure(reason: "the device offers no usable rate") }
    var (bufferTime, periodTime) = (queue, period)
    try check(alsa.pointee.pcm_hw_params_set_buffer_time_near(handle, hardware, &bufferTime, &direction))
    try check(alsa.pointee.pcm_hw_params_set_period_time_near(handle, hardware, &periodTime, &direction))
    try check(alsa.pointee.pcm_hw_params(handle, hardware))
    var (bufferSize, periodSize) = (snd_pcm_uframes_t(0), snd_pcm_uframes_t(0))
    try check(alsa.pointee.pcm_hw_params_get_buffer_size(hardware, &bufferSize))
    try check(alsa.pointee.pcm_hw_params_get_period_size(hardware, &periodSize, &direction))
    // Some devices have much larger buffers than asked for; what is queued in them is limited here.
    let wanted = Int(rate) * Int(queue) / 1_000_000
    let capacity = min(Int(bufferSize), max(wanted, 2 * Int(periodSize)))

    var software: OpaquePointer?
    try check(alsa.pointee.pcm_sw_params_malloc(&software))
    defer { alsa.pointee.pcm_sw_params_free(software) }
    try check(alsa.pointee.pcm_sw_params_current(handle, software))
    // The device is started explicitly, once it is full.
    try check(alsa.pointee.pcm_sw_params_set_start_threshold(handle, software, snd_pcm_uframes_t(Int32.max)))
    try check(alsa.pointee.pcm_sw_params_set_avail_min(handle, software, periodSize))
    try check(alsa.pointee.pcm_sw_params(handle, software))
    return (SoundFormat(rate: Int(rate)), capacity, Int(bufferSize))
  }

  /// An answer of the device.
  enum Answer: Hashable {
    case samples(Int)
    /// It ran out of samples, or was suspended, and has stopped.
    case stopped
  }

  private func answer(_ result: Int) throws(SoundFailure) -> Answer {
    if result >= 0 { return .samples(result) }
    switch Int32(-result) {
    case EPIPE, ESTRPIPE: return .stopped
    case EAGAIN, EINTR: return .samples(0)
    default: throw Self.failure(alsa, result)
    }
  }

  /// Makes the device ready for its first samples.
  func prepare() throws(SoundFailure) {
    let code = alsa.pointee.pcm_prepare(handle)
    if code < 0 { throw Self.failure(alsa, Int(code)) }
  }

  /// Starts to play what was written.
  func start() throws(SoundFailure) -> Answer { try answer(Int(alsa.pointee.pcm_start(handle))) }

  /// Stops at once, and drops what is queued.
  func drop() { _ = alsa.pointee.pcm_drop(handle) }

  /// The number of samples that may be written.
  func room() throws(SoundFailure) -> Answer {
    let answer = try answer(alsa.pointee.pcm_avail_update(handle))
    guard case .samples(let count) = answer else { return answer }
    return .samples(max(0, count - (bufferSize - capacity)))
  }

  /// The number of samples written but not heard; nil if the device does not know it yet.
  func delay() throws(SoundFailure) -> Answer? {
    var delay = snd_pcm_sframes_t(0)
    let code = alsa.pointee.pcm_delay(handle, &delay)
    // Plugins say so until they have heard from their server.
    if code == -EIO { return nil }
    return try answer(code < 0 ? Int(code) : max(0, delay))
  }

  /// Writes samples, and returns how many.
  func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFailure) -> Answer {
    try answer(alsa.pointee.pcm_writei(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count / format.channels)))
  }

  /// Takes back samples, except the last ones before they are heard, and returns how many.
  func rewind(keeping kept: Int) -> Int {
    guard isRewritable else { return 0 }
    let count = alsa.pointee.pcm_rewindable(handle) - kept
    return count > 0 ? max(0, alsa.pointee.pcm_rewind(handle, snd_pcm_uframes_t(count))) : 0
  }

  /// Appends what is to be polled while waiting for room.
  func appendDescriptors(to list: inout [pollfd]) {
    let count = Int(alsa.pointee.pcm_poll_descriptors_count(handle))
    guard count > 0, count < 16 else { return }
    var own = [pollfd](repeating: pollfd(), count: count)
    let filled = alsa.pointee.pcm_poll_descriptors(handle, &own, UInt32(count))
    list += own.prefix(max(0, Int(filled)))
  }
}
