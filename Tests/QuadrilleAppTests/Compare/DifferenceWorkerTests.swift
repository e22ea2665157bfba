import DecodePool
import Pixels
import Playback
import Synchronization
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct DifferenceWorkerTests {
  private func pair() -> FramePair {
    let size = PixelSize(width: 1, height: 1)
    let frame = RenderedFrame(
      image: PixelImage(size: size) { _ in }, rect: PixelRect(size: size), request: RenderRequest(box: size),
      timing: FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25), number: 0))
    return FramePair(first: frame, second: frame, due: 0)
  }

  @Test func aThreadThatCannotStartIsReported() throws {
    let wakes = Atomic(0)
    let worker = DifferenceWorker(wake: { wakes.add(1, ordering: .relaxed) }) { _ throws(ThreadError) in throw ThreadError(code: 11) }
    worker.submit(.init(pair: pair(), settings: DifferenceRequest(size: PixelSize(width: 1, height: 1)), isNew: true))
    let answer = try #require(worker.takeAnswer())
    #expect(wakes.load(ordering: .relaxed) == 1)
    #expect(throws: PlaybackError.self) { try answer.difference.get() }
    #expect(worker.takeAnswer() == nil)
  }
}
