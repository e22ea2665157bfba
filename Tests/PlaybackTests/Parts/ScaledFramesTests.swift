import Pixels
import Testing

@testable import Playback

/// One frame in all the sizes that are wanted of it.
@Suite(.timeLimit(.minutes(20))) struct ScaledFramesTests {
  private let small = PartFrame.request(width: 10)
  private let large = PartFrame.request(width: 100)

  @Test func thereIsOneAtLeast() throws {
    #expect(ScaledFrames([]) == nil)
    #expect(try PartFrame.images(PartFrame.timing(1), bytes: 30, requests: [small, large]).byteCount == 60)
  }

  @Test func itIsMadeForWhatItHasImagesFor() throws {
    let images = try PartFrame.images(PartFrame.timing(1), requests: [small, large])
    #expect(images.isMade(for: [small, large]) && images.isMade(for: [large, small]) && images.isMade(for: [small]))
    #expect(!images.isMade(for: []) && !images.isMade(for: [small, PartFrame.request(width: 50)]))
  }

  @Test func imagesForOtherRequestsJoinThoseThatAreThere() throws {
    var images = try PartFrame.images(PartFrame.timing(1), bytes: 30, requests: [small])
    images.merge(try PartFrame.images(PartFrame.timing(1), bytes: 60, requests: [large]))
    #expect(images.isMade(for: [small, large]) && images.byteCount == 90)
    images.merge(try PartFrame.images(PartFrame.timing(1), bytes: 90, requests: [small]))
    #expect(images.frames.count == 2 && images.byteCount == 150, "the newer image replaces the former one")
    #expect(images.without(small)?.frames.map(\.request) == [large] && images.without(small)?.without(large) == nil)
  }

  @Test func imagesOfAnUncertainFrameDoNotStayBesideThoseOfACertainOne() throws {
    var uncertain = PartFrame.timing(1)
    uncertain.isCertain = false
    var images = try PartFrame.images(uncertain, requests: [small])
    images.merge(try PartFrame.images(PartFrame.timing(1), requests: [large]))
    #expect(images.frames.map(\.request) == [large] && images.timing.isCertain)
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
