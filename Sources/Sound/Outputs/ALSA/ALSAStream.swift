import Glibc

/// A stream to a device of the kernel. Used by one thread.
final class ALSAStream: StreamThread.Stream {
  private let device: ALSADevice
  private let now: () -> Int64
  private let notify: (StreamEvent) -> Void
  private let counter: EventCounter
  private let buffer: UnsafeMutableBufferPointer<Float>
  private var state = State.opening
  /// The index after the last sample written.
  private var written: Int64 = 0
  private var readings = 0

  private enum State {
    case opening
    case paused
    case running
  }

  /// Nanoseconds before samples are heard in which they are not replaced.
  private static let margin: Int64 = 8_000_000
  private static let longestWait: Int64 = 20_000_000

  init(_ device: ALSADevice, now: @escaping () -> Int64, _ notify: @escaping (StreamEvent) -> Void) throws(SoundFailure) {
    counter = try EventCounter()
    (self.device, self.now, self.notify) = (device, now, notify)
    buffer = .allocate(capacity: device.capacity * device.format.channels)
    buffer.initialize(repeating: 0)
  }

  deinit { buffer.deallocate() }

  var wake: @Sendable () -> Void {
    { [counter] in counter.add() }
  }

  func step(_ orders: StreamOrders) throws(SoundFailure) {
    switch (state, orders.isRunning) {
    case (.opening, _):
      state = .paused
      notify(.open(SoundDevice(kind: .alsa, name: device.name, format: device.format)))
    case (.paused, true): try begin()
    case (.running, false):
      device.drop()
      state = .paused
    default: break
    }
    if case .running = state {
      if orders.rewrites { try rewrite() }
      try fill()
      try read()
    }
    wait()
  }

  private func begin() throws(SoundFailure) {
    state = .running
    readings = 0
    try device.prepare()
    try fill()
    if try device.start() == .stopped { try recover() }
  }

  /// Starts anew after a stop. Indexes go on where samples were written last.
  private func recover() throws(SoundFailure) {
    readings = 0
    notify(.underrun)
    notify(.placeLost)
    try device.prepare()
    guard try fillOnce() != .stopped, try device.start() != .stopped else {
      throw SoundFailure(reason: "the device does not start")
    }
  }

  private func fill() throws(SoundFailure) { if try fillOnce() == .stopped { try recover() } }

  private func fillOnce() throws(SoundFailure) -> ALSADevice.Answer {
    guard case .samples(let room) = try device.room() else { return .stopped }
    return room > 0 ? try write(room) : .samples(0)
  }

  private func write(_ count: Int) throws(SoundFailure) -> ALSADevice.Answer {
    let channels = device.format.channels
    let part = UnsafeMutableBufferPointer(rebasing: buffer[..<(min(count, device.capacity) * channels)])
    notify(.render(part, at: written))
    let answer = try device.write(UnsafeBufferPointer(part))
    if case .samples(let count) = answer { written += Int64(count) }
    return answer
  }

  private func rewrite() throws(SoundFailure) {
    let taken = device.rewind(keeping: device.format.sampleCount(nanoseconds: Self.margin))
    guard taken > 0 else { return }
    written -= Int64(taken)
    if try write(taken) == .stopped { try recover() }
  }

  private func read() throws(SoundFailure) {
    guard let answer = try device.delay() else { return }
    guard case .samples(let delay) = answer else { return try recover() }
    readings += 1
    let replaceable = device.isRewritable ? max(0, delay - device.format.sampleCount(nanoseconds: Self.margin)) : 0
    notify(.reading(DeviceReading(heard: Double(written) - Double(delay), host: now(), taken: written - Int64(replaceable))))
  }

  /// Waits for room or an order.
  private func wait() {
    var list = [pollfd(fd: counter.descriptor, events: Int16(POLLIN), revents: 0)]
    guard case .running = state else {
      poll(&list, 1, -1)
      return counter.reset()
    }
    // At the start, a few readings have to do.
    if readings >= 12 { device.appendDescriptors(to: &list) }
    poll(&list, nfds_t(list.count), readings < 12 ? 4 : Int32(Self.longestWait / 1_000_000))
    counter.reset()
  }
}
