import Glibc
import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct TerminalWriterTests {
  private func rawTTY() throws -> PseudoTTY {
    let tty = try PseudoTTY()
    let file = try FileDescriptor(opening: tty.path, flags: O_RDWR)
    var attributes = termios()
    tcgetattr(file.number, &attributes)
    cfmakeraw(&attributes)
    tcsetattr(file.number, TCSANOW, &attributes)
    return tty
  }

  @Test func whatIsEnqueuedArrivesInOrder() throws {
    let tty = try rawTTY()
    let writer = try TerminalWriter(path: tty.path)
    #expect(writer.flush() == .drained)
    writer.enqueue("one ".utf8)
    writer.enqueue("two".utf8)
    #expect(writer.pendingBytes == 7)
    #expect(writer.flush() == .drained)
    #expect(!writer.hasPending)
    #expect(writer.bytesWritten == 7)
    #expect(tty.read { $0.count >= 7 } == "one two")
  }

  /// A buffer that is handed over comes back empty, whether or not others wait, and what waits goes first.
  @Test func aBufferIsTakenInItsTurn() throws {
    let tty = try rawTTY()
    let writer = try TerminalWriter(path: tty.path)
    var buffer = Array("one ".utf8)
    writer.enqueue(taking: &buffer)
    #expect(buffer.isEmpty && writer.pendingBytes == 4)
    buffer = Array("two ".utf8)
    writer.enqueue(taking: &buffer)
    #expect(buffer.isEmpty && writer.pendingBytes == 8)
    #expect(writer.flush() == .drained)
    buffer = Array("three".utf8)
    writer.enqueue(taking: &buffer)
    #expect(writer.flush() == .drained && buffer.isEmpty)
    #expect(tty.read { $0.count >= 13 } == "one two three")
  }

  @Test func aTerminalThatDoesNotReadStopsNobody() throws {
    let tty = try rawTTY()
    let writer = try TerminalWriter(path: tty.path)
    let text = (0..<40_000).map { "\($0)," }.joined()
    for _ in 0..<4 {
      writer.enqueue(text.utf8)
      #expect(writer.flush() == .blocked)
    }
    #expect(writer.hasPending)
    #expect(writer.drain(milliseconds: 1) == .blocked)
    // When it reads again, nothing is missing or double.
    var received = ""
    while received.utf8.count < text.utf8.count * 4 {
      received += tty.read { !$0.isEmpty }
      _ = writer.flush()
    }
    #expect(received == text + text + text + text)
    #expect(writer.flush() == .drained)
  }

  @Test func aTerminalThatIsGoneIsToldOnce() throws {
    let tty = try rawTTY()
    let writer = try TerminalWriter(path: tty.path)
    tty.hangUp()
    writer.enqueue("x".utf8)
    #expect(writer.flush() == .gone(EIO))
    #expect(!writer.hasPending)
    writer.enqueue("x".utf8)
    #expect(writer.pendingBytes == 0)
    #expect(writer.drain(milliseconds: 1000) == .gone(EIO))
  }

  @Test func nothingNonBlockingIsLeftBehind() throws {
    let tty = try rawTTY()
    let file = try FileDescriptor(opening: tty.path, flags: O_RDWR)
    let writer = try TerminalWriter(path: tty.path)
    #expect(fcntl(writer.descriptor, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(file.number, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func discarding() throws {
    let tty = try rawTTY()
    let writer = try TerminalWriter(path: tty.path)
    writer.enqueue([UInt8](repeating: 0x61, count: 1 << 20))
    #expect(writer.flush() == .blocked)
    writer.discard()
    writer.discardKernelQueue()
    writer.enqueue("end".utf8)
    #expect(writer.flush() == .drained)
    #expect(tty.read { $0.hasSuffix("end") }.hasSuffix("end"))
  }
}
