import DecodePool
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct MonitorTests {
  private struct Fault: Error {}

  @Test func keepsItsValue() throws {
    let monitor = Monitor(1)
    let increased = monitor.withLock { value in
      value += 1
      return value
    }
    #expect(increased == 2)
    #expect(throws: Fault.self) { try monitor.withLock { _ in throw Fault() } }
    // The lock was let go.
    #expect(monitor.withLock { $0 } == 2)
    #expect(monitor.wait { $0 == 2 ? "there" : nil } == "there")
  }

  @Test func waitersAreWoken() throws {
    let monitor = Monitor((ready: 0, go: false, done: 0))
    for _ in 0..<5 {
      Thread.detachNewThread {
        monitor.withLock { $0.ready += 1 }
        monitor.broadcast()
        monitor.wait { $0.go ? () : nil }
        monitor.withLock { $0.done += 1 }
        monitor.broadcast()
      }
    }
    try #require(monitor.becomes { $0.ready == 5 }, "the threads do not start")
    #expect(monitor.withLock { $0.done } == 0)
    monitor.withLock { $0.go = true }
    monitor.broadcast()
    #expect(monitor.becomes { $0.done == 5 }, "a waiter is not woken")
  }

  @Test func nothingIsLostUnderLoad() {
    let monitor = Monitor((value: 0, finished: 0))
    for _ in 0..<4 {
      Thread.detachNewThread {
        for _ in 0..<10_000 { monitor.withLock { $0.value += 1 } }
        monitor.withLock { $0.finished += 1 }
        monitor.signal()
      }
    }
    #expect(monitor.becomes { $0.finished == 4 }, "a thread does not end")
    #expect(monitor.withLock { $0.value } == 40_000)
  }

  @Test func aWaitEndsWithItsTime() {
    let monitor = Monitor(0)
    let until = monotonicNanoseconds() + 5_000_000
    #expect(monitor.wait(until: until) { $0 == 1 ? () : nil } == nil)
    #expect(monotonicNanoseconds() >= until)
    #expect(monitor.wait(until: 0) { $0 == 0 ? true : nil } == true)
    #expect(monitor.wait(until: 0) { $0 == 1 ? true : nil } == nil)
  }
}
