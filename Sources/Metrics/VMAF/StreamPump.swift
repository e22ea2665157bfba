import Glibc

/// Writes to a child process and reads what it says, without waiting for one while the other waits.
///
/// Nothing is waited for longer than `patience` without a byte having moved; then the child is killed.
final class StreamPump {
  private let process: ToolProcess
  private let program: String
  private let patience: Duration
  private let isCancelled: @Sendable () -> Bool

  /// Bytes for the streams that the child reads, and how many of them it has.
  private var pending: [Int: (bytes: [UInt8], sent: Int)] = [:]
  /// The use of the bytes that the child writes, for each stream.
  private let readers: [Int: ([UInt8]) -> Void]
  /// True once the child has stopped reading.
  private(set) var isRefused = false

  /// - Parameter readers: called with bytes of the streams of these indexes.
  init(
    _ process: ToolProcess, program: String, patience: Duration = .seconds(60), isCancelled: @escaping @Sendable () -> Bool,
    readers: [Int: ([UInt8]) -> Void]
  ) {
    self.process = process
    self.program = program
    self.patience = patience
    self.isCancelled = isCancelled
    self.readers = readers
  }

  /// The text that a program writes to standard output, of which 1 MB is kept.
  static func output(of program: String, _ arguments: [String]) throws(VMAFError) -> String {
    var text: [UInt8] = []
    let process = try ToolProcess(program, arguments, streams: [.init(direction: .output, descriptor: 1)])
    let pump = StreamPump(
      process, program: program, patience: .seconds(10), isCancelled: { false },
      readers: [0: { bytes in if text.count < 1 << 20 { text += bytes } }])
    guard try pump.status() == 0 else { throw .unusable(program: program, reason: "this is no ffmpeg that works") }
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes bytes to streams and returns when the child has taken them, or has stopped reading.
  func send(_ bytes: [Int: [UInt8]]) throws(VMAFError) {
    pending = bytes.mapValues { ($0, 0) }
    try run { $0.pending.isEmpty }
  }

  /// Reads until the child has closed all its streams, and returns the status with which it ends.
  func status() throws(VMAFError) -> Int32 {
    pending = [:]
    try run { pump in pump.readers.keys.allSatisfy { pump.process.streams[$0] < 0 } }
    var status: Int32?
    try wait { pump in
      status = pump.process.statusIfEnded()
      if status == nil { usleep(1000) }
      return (isDone: status != nil, hasMoved: false)
    }
    return status ?? -1
  }

  private func run(until isDone: (StreamPump) -> Bool) throws(VMAFError) {
    try wait { pump in
      if isDone(pump) { return (true, true) }
      return (false, pump.moveBytes())
    }
  }

  /// Takes steps until one is the last.
  private func wait(_ step: (StreamPump) -> (isDone: Bool, hasMoved: Bool)) throws(VMAFError) {
    var latest = ContinuousClock.now
    while true {
      if isCancelled() {
        process.kill()
        throw .cancelled
      }
      let (isDone, hasMoved) = step(self)
      if isDone { return }
      if hasMoved { latest = .now }
      if ContinuousClock.now - latest > patience {
        process.kill()
        throw .stalled(program: program)
      }
    }
  }

  /// Waits for a moment until a stream is ready, and moves what can be moved. Returns true if a byte was.
  private func moveBytes() -> Bool {
    var polled: [(stream: Int, entry: pollfd)] = []
    for (stream, descriptor) in process.streams.enumerated() where descriptor >= 0 {
      if readers[stream] != nil { polled.append((stream, pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))) }
      if pending[stream] != nil { polled.append((stream, pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))) }
    }
    var entries = polled.map(\.entry)
    guard poll(&entries, nfds_t(entries.count), 50) > 0 else { return false }
    var hasMoved = false
    for (stream, entry) in zip(polled.map(\.stream), entries) where entry.revents != 0 {
      hasMoved = (readers[stream] != nil ? read(stream, entry.fd) : write(stream, entry.fd)) || hasMoved
    }
    return hasMoved
  }

  private func read(_ stream: Int, _ descriptor: Int32) -> Bool {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
    // A descriptor that is ready and gives nothing has ended.
    if bytes.isEmpty { process.end(stream: stream) } else { readers[stream]?(bytes) }
    return true
  }

  private func write(_ stream: Int, _ descriptor: Int32) -> Bool {
    guard let (bytes, sent) = pending[stream] else { return false }
    let count = bytes.withUnsafeBytes { buffer in
      Glibc.send(
        descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    if count < 0 {
      isRefused = true
      pending = [:]
    } else if sent + count == bytes.count {
      pending[stream] = nil
    } else {
      pending[stream]?.sent += count
    }
    return true
  }
}
