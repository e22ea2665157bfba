import Foundation
import Glibc
import Synchronization
import TerminalHarness

/// A TCP proxy on the loopback that is a slow, far link: what comes from the server waits in a bounded queue that is drained
/// at a rate, then is on its way for half of the round trip; what goes to the server is only on its way.
///
/// Serves connections from a thread of its own until it is let go; the rate is each connection's.
final class SlowProxy: Sendable {
  /// The port on which it listens.
  let port: UInt16
  private let tally: Tally

  /// State shared by the thread and the owner.
  private final class Tally: Sendable {
    let bytes = Atomic(0)
    let isOver = Atomic(false)
  }

  /// Bytes that have passed to clients so far.
  var bytesPassed: Int { tally.bytes.load(ordering: .relaxed) }

  /// - Parameter target: the server's port on 127.0.0.1.
  init(to target: UInt16, _ speed: LinkSpeed) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw BenchError("no socket for the proxy") }
    guard LoopbackAddress(port: 0).bind(listener), listen(listener, 8) == 0,
      let port = LoopbackAddress.port(of: listener)
    else {
      close(listener)
      throw BenchError("the proxy cannot listen")
    }
    self.port = port
    tally = Tally()
    Thread.detachNewThread { [tally] in
      var server = Server(listener: listener, target: target, speed: speed)
      while !tally.isOver.load(ordering: .relaxed) {
        tally.bytes.add(server.step(), ordering: .relaxed)
      }
      server.end()
    }
  }

  deinit { tally.isOver.store(true, ordering: .relaxed) }

  /// The thread's own: the listening socket and what is connected.
  private struct Server {
    let listener: Int32
    let target: UInt16
    let speed: LinkSpeed
    var connections: [Connection] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Waits for something to do, a twentieth of a second at the most, and does it; returns the bytes passed to clients.
    mutating func step() -> Int {
      var entries = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      var wake = now() + 0.05
      for connection in connections { connection.addEntries(&entries, &wake) }
      poll(&entries, nfds_t(entries.count), Int32(max(0, (wake - now()) * 1000).rounded(.up)))
      if entries[0].revents != 0 { accept() }
      var passed = 0
      for index in connections.indices { passed += connections[index].move(&buffer) }
      connections.removeAll { connection in
        if connection.isOver { connection.close() }
        return connection.isOver
      }
      return passed
    }

    mutating func accept() {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      // As on a real network, not in the loopback's packets of 64 kB: they would let the server's kernel hold megabytes.
      Self.set(server, Int32(IPPROTO_TCP), TCP_MAXSEG, 1448)
      Self.set(server, SOL_SOCKET, SO_RCVBUF, 1 << 16)
      guard LoopbackAddress(port: target).connect(server) else {
        Glibc.close(server)
        Glibc.close(client)
        return
      }
      _ = fcntl(server, F_SETFL, O_NONBLOCK)
      for descriptor in [client, server] { Self.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
      connections.append(
        Connection(
          down: Way(
            from: server, to: client,
            queue: LinkQueue(rate: speed.rate ?? 1e12, buffer: LinkSpeed.buffer, delay: speed.roundTrip / 2)),
          up: Way(
            from: client, to: server,
            queue: LinkQueue(rate: 1e12, buffer: LinkSpeed.buffer, delay: speed.roundTrip / 2))))
    }

    func end() {
      for connection in connections { connection.close() }
      Glibc.close(listener)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private struct Connection {
    var down: Way
    var up: Way

    /// One side that has ended and been emptied ends both.
    var isOver: Bool { down.isOver || up.isOver }

    func addEntries(_ entries: inout [pollfd], _ wake: inout Double) {
      down.addEntries(&entries, &wake)
      up.addEntries(&entries, &wake)
    }

    mutating func move(_ buffer: inout [UInt8]) -> Int {
      _ = up.move(&buffer)
      return down.move(&buffer)
    }

    func close() {
      Glibc.close(down.from)
      Glibc.close(down.to)
    }
  }

  /// One direction of a connection.
  private struct Way {
    let from: Int32
    let to: Int32
    var queue: LinkQueue
    /// Bytes that have arrived but not been written.
    var arrived: [UInt8] = []
    var hasEnded = false
    var isBroken = false

    var isOver: Bool { isBroken || hasEnded && queue.isEmpty && arrived.isEmpty }

    init(from: Int32, to: Int32, queue: LinkQueue) {
      self.from = from
      self.to = to
      self.queue = queue
    }

    func addEntries(_ entries: inout [pollfd], _ wake: inout Double) {
      let time = now()
      if !hasEnded {
        if queue.room(at: time) > 0 {
          entries.append(pollfd(fd: from, events: Int16(POLLIN), revents: 0))
        } else {
          wake = min(wake, queue.roomTime(after: time))
        }
      }
      if !arrived.isEmpty {
        entries.append(pollfd(fd: to, events: Int16(POLLOUT), revents: 0))
      } else if let next = queue.nextArrival {
        wake = min(wake, next)
      }
    }

    /// Takes what is there and passes on what has arrived; returns how many bytes were written.
    mutating func move(_ buffer: inout [UInt8]) -> Int {
      let room = min(queue.room(at: now()), buffer.count)
      if room > 0, !hasEnded {
        let count = read(from, &buffer, room)
        if count > 0 {
          buffer[..<count].withUnsafeBufferPointer { queue.put($0, at: now()) }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
          hasEnded = true
        }
      }
      if arrived.count < 1 << 16 {
        while let bytes = queue.take(at: now()) { arrived += bytes }
      }
      guard !arrived.isEmpty else { return 0 }
      let count = send(to, arrived, arrived.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        arrived.removeFirst(count)
        return count
      }
      if errno != EAGAIN, errno != EINTR { isBroken = true }
      return 0
    }
  }
}
