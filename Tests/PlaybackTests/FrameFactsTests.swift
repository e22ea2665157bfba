import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Facts about frames besides their pixels, against ffprobe.
@Suite(.timeLimit(.minutes(20))) struct FrameFactsTests {
  @Test(arguments: [
    SampleClip.h264BFrames, .openGOP, .mpeg2ProgramStream, .vp9Alpha, .hevc10Bit, .av1, .mpeg4PackedBFrames, .interlacedTopFirst,
  ])
  func listedFactsAreThoseOfFFprobe(clip: SampleClip) throws {
    let path = try clip.path()
    let expected = try MediaTool.probe(path, entries: "frame=key_frame,pkt_size,pict_type").filter { !$0.isEmpty }
    for order in [FrameListing.Order.linear, .shuffle] {
      let lines = try FrameListing(path: path).lines(order: order)
      let facts = lines.map { "\($0.isKeyframe ? 1 : 0),\($0.packetByteCount ?? -1),\($0.pictureType.rawValue)" }
      // MPEG-4 packs two frames into a packet, which ffprobe counts as one of them; of libdav1d, it may know no sizes.
      if clip == .mpeg4PackedBFrames || clip == .av1 {
        func withoutSizes(_ lines: [String]) -> [[Substring]] {
          lines.map { $0.split(separator: ",") }.map { [$0[0], $0[2]] }
        }
        #expect(withoutSizes(facts) == withoutSizes(expected))
        let sizes = try MediaTool.probe(path, entries: "packet=size").compactMap { Int($0) }
        if clip == .av1 { #expect(lines.map(\.packetByteCount) == sizes) }
      } else {
        #expect(facts == expected)
      }
    }
  }

  @Test func displayedFrameTellsItsFacts() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    let stage = try await FileStage(asset, index: asset.scannedIndex())
    let lines = try FrameListing(path: asset.path).lines(order: .linear)
    let keys = lines.indices.filter { lines[$0].isKeyframe } + [lines.count]
    #expect(keys.count > 2)
    for number in [0, 1, 31, 45, 89] {
      go(stage, to: MediaTime(value: Int64(number), timescale: 30))
      #expect(stage.player.displayedTiming?.number == number)
      let facts = try #require(stage.player.displayedFrameFacts)
      let line = lines[number]
      #expect(facts.pictureType == line.pictureType && facts.isKeyframe == line.isKeyframe)
      #expect(facts.packetByteCount == line.packetByteCount && !facts.isDamaged && facts.fieldOrder == .progressive)
      let next = try #require(keys.firstIndex { $0 > number })
      #expect(facts.group == .init(index: number - keys[next - 1], count: keys[next] - keys[next - 1]))
      #expect(facts.format.codedSize == PixelSize(width: 320, height: 180) && facts.format.pixelFormat == "yuv420p")
      #expect(facts.format.bitDepth == 8 && facts.format.highDynamicRange == nil)
      #expect(try #require(facts.meanQuantizer) > 5 && #require(facts.meanQuantizer) < 51)
    }
  }

  @Test func packetsAroundATime() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    let stage = try await FileStage(asset, index: asset.scannedIndex())
    stage.run(seconds: 0.2)
    go(stage, to: MediaTime(value: 1, timescale: 1))
    let lines = try FrameListing(path: asset.path).lines(order: .linear)
    for (time, limit, first) in [(1.0, 20, 20), (0, 20, 0), (3, 20, 70), (1, 1000, 0), (1, 1, 30)] {
      let facts = stage.player.packetFacts(around: MediaTime(seconds: time, preferredTimescale: 1000), limit: limit)
      #expect(facts.map(\.number) == Array(first..<min(lines.count, first + limit)))
      for fact in facts {
        let line = lines[fact.number]
        #expect(fact.byteCount == line.packetByteCount && fact.isKeyframe == line.isKeyframe)
        if let type = fact.pictureType { #expect(type == line.pictureType) }
      }
      // The types of frames that have been decoded are known.
      if time == 1 { #expect(facts.contains { $0.number == 30 && $0.pictureType == lines[30].pictureType }) }
    }
    #expect(stage.player.packetFacts(around: .zero, limit: 0).isEmpty && stage.player.packetFacts(around: .indefinite, limit: 5).isEmpty)
  }

  private func go(_ stage: FileStage, to time: MediaTime) {
    stage.player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 0.5)
  }

  /// Computed frames have no facts.
  @Test func computedFramesHaveNone() {
    let stage = Stage()
    let player = stage.add(.constant(count: 5)).player
    stage.run(seconds: 0.2)
    #expect(player.displayedTiming != nil && player.displayedFrameFacts == nil && player.probe(x: 0.5, y: 0.5) == nil)
    #expect(player.packetFacts(around: .zero, limit: 5).isEmpty)
  }

  @Test func highDynamicRangeAndFieldsAreTold() async throws {
    for (clip, range, orders) in [
      // Versions of ffmpeg write different orders of fields.
      (SampleClip.hdrPQ, "pq", [FrameFacts.FieldOrder.progressive]), (.hdrHLG, "hlg", [.progressive]),
      (.interlacedTopFirst, nil, [.topFirst, .bottomFirst]),
    ] {
      let stage = try await FileStage(Asset(path: clip.path()), index: nil)
      stage.run(seconds: 0.2)
      let facts = try #require(stage.player.displayedFrameFacts)
      #expect(facts.format.highDynamicRange == range && orders.contains(facts.fieldOrder) && facts.group == nil)
      if range != nil { #expect(facts.format.bitDepth == 10 && facts.format.colorPrimaries == "bt2020" && facts.meanQuantizer == nil) }
    }
  }

  /// While paused, a pixel of the displayed frame can be looked at.
  @Test func displayedPixelsCanBeProbed() async throws {
    let asset = Asset(path: try SampleClip.rotated90.path())
    let stage = try await FileStage(asset, index: asset.scannedIndex())
    stage.run(seconds: 0.2)
    go(stage, to: MediaTime(value: 1, timescale: 1))
    let whole = try await ImageGenerator(asset: asset).image(at: MediaTime(value: 1, timescale: 1))
    for (x, y) in [(0, 0), (179, 319), (17, 40), (90, 200)] {
      let place = (x: (Double(x) + 0.5) / 180, y: (Double(y) + 0.5) / 320)
      let pixel = try #require(stage.player.probe(x: place.x, y: place.y))
      let shown = whole.image[x, y]
      #expect((pixel.red, pixel.green, pixel.blue) == shown && pixel.bitDepth == 8 && pixel.alpha == nil)
      #expect(pixel.x == y && pixel.y == 179 - x)
    }
    #expect(stage.player.probe(x: 1, y: 0) == nil && stage.player.probe(x: -0.1, y: 0) == nil)
    stage.player.play()
    stage.run(seconds: 0.5)
    #expect(stage.player.probe(x: 0, y: 0) == nil)
  }

  /// A second output can show a measurement of the same frames.
  @Test func outputsShowPlanesAndScopes() async throws {
    let stage = try await FileStage(Asset(path: SampleClip.h264BFrames.path()), index: nil)
    var scope = RenderRequest(box: PixelSize(width: 50, height: 40))
    scope.scope = .waveform
    var luma = RenderRequest(box: PixelSize(width: 64, height: 36))
    luma.plane = .luma
    let outputs = [VideoOutput(stage.player, request: scope), VideoOutput(stage.player, request: luma)]
    stage.run(seconds: 0.2)
    let waveform = try #require(outputs[0].copyFrame(at: stage.clock.now)?.frame)
    #expect(waveform.rect == PixelRect(x: 0, y: 0, width: 50, height: 40) && waveform.image.size == scope.box && waveform.facts != nil)
    let grey = try #require(outputs[1].copyFrame(at: stage.clock.now)?.frame.image)
    #expect(FrameNumber.read(grey) == 0)
    #expect((0..<36).allSatisfy { y in (0..<64).allSatisfy { grey[$0, y].red == grey[$0, y].green && grey[$0, y].red == grey[$0, y].blue } })
  }
}
