import Pixels
import Testing

@testable import Playback

/// One frame in all the sizes that are wanted of it.
@Suite(.timeLimit(.minutes(20))) struct RenderedSetTests {
  private let small = PartFrame.request(width: 10)
  private let large = PartFrame.request(width: 100)

  @Test func thereIsOneAtLeast() throws {
    #expect(RenderedSet([]) == nil)
    #expect(try PartFrame.images(PartFrame.timing(1), bytes: 30, requests: [small, large]).byteCount == 60)
  }

  @Test func itIsMadeForJustWhatWasAskedInThatOrder() throws {
    let images = try PartFrame.images(PartFrame.timing(1), requests: [small, large])
    #expect(images.isMade(for: [small, large]))
    #expect(!images.isMade(for: [large, small]) && !images.isMade(for: [small]) && !images.isMade(for: []))
    #expect(!images.isMade(for: [small, large, small]))
  }

  @Test func anotherSizeGetsWhatComesNearest() throws {
    let images = try PartFrame.images(PartFrame.timing(1), requests: [small, large])
    #expect(images.frame(for: large).request == large && images.frame(for: small).request == small)
    #expect(images.frame(for: PartFrame.request(width: 1)).request == small)
    #expect(images.frame(for: PartFrame.request(width: 54)).request == small)
    #expect(images.frame(for: PartFrame.request(width: 56)).request == large)
    #expect(images.frame(for: PartFrame.request(width: 5000)).request == large)
    // The same size in another shape of pixels.
    #expect(images.frame(for: RenderRequest(box: large.box, pixelAspect: 0.5)).request == large)
  }

  @Test func whatIsLearntIsOfAllSizes() throws {
    var images = try PartFrame.images(PartFrame.timing(1), requests: [small, large])
    images.setTiming(PartFrame.timing(2))
    images.markApproximate()
    #expect(images.frames.allSatisfy { $0.timing == PartFrame.timing(2) && $0.isApproximate })
    #expect(images.timing == PartFrame.timing(2))
  }
}
