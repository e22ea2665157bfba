import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// Facts read from the packets themselves: keyframes, and packets that bring no frame of their own.
@Suite(.timeLimit(.minutes(20))) struct BitstreamTests {
  // Codecs whose keyframes are told by their own bits; in the AVI every packet is flagged as a key.
  @Test(arguments: [
    TimingClip.everyPacketKey, .mpeg4InAVI, .rawMPEG2, .openGOPMPEG2, .alternateReferenceVP8, .alternateReferenceVP9,
    .av1Pyramid, .theora,
  ])
  func keyframesAreTold(clip: TimingClip) throws {
    let path = try clip.path()
    let demuxer = try Demuxer(path: path, interrupter: Interrupter())
    let scan = try PacketScan(demuxer: demuxer, stream: 0)
    _ = try scan.read()
    let verified = scan.index.entries.filter { $0.randomAccess == .verified }.count
    let keys = try MediaTool.probe(path, entries: "frame=key_frame").filter { $0 == "1" }.count
    #expect(verified == keys && keys > 1)
  }

  @Test func noiseIsNoKeyAndDoesNoHarm() {
    var dice = SeededGenerator(seed: 5)
    for name in ["h264", "hevc", "mpeg2video", "mpeg4", "h263", "flv1", "vp8", "vp9", "av1", "theora", "ffv1"] {
      var shown = OutputFrameDetector(codec: name, headers: [])
      let inspector = BitstreamInspector(codec: name, headers: [], isIntraOnly: false)
      for count in 0..<200 {
        // Start codes and NAL types are frequent, so that the parsers get somewhere.
        let frequent: [UInt8] = [0, 0, 1, 0x67, 0x68, 0x65, 0x41]
        let bytes = (0..<count).map { _ in
          let rare = UInt8.random(in: 0...255, using: &dice)
          return Bool.random(using: &dice) ? frequent.randomElement(using: &dice) ?? 0 : rare
        }
        bytes.withUnsafeBufferPointer { bytes in
          // The type of H.265's units tells by itself.
          #expect(name == "hevc" || inspector.randomAccess(of: bytes, isKey: false) == .none)
          _ = (inspector.randomAccess(of: bytes, isKey: true), inspector.isInstant(bytes), inspector.parameterSets(bytes))
          #expect(!bytes.isEmpty || !shown.notePacket(bytes))
        }
      }
    }
  }

  /// Writes bits as H.264's syntax has them.
  private struct Bits {
    var bits: [UInt8] = []

    mutating func put(_ value: Int, _ count: Int) {
      for i in (0..<count).reversed() { bits.append(UInt8(value >> i & 1)) }
    }

    mutating func put(golomb value: Int) {
      let length = String(value + 1, radix: 2).count
      put(0, length - 1)
      put(value + 1, length)
    }

    func unit(_ header: UInt8) -> [UInt8] {
      let padded = bits + [1] + [UInt8](repeating: 0, count: 7 - bits.count % 8)
      let bytes = stride(from: 0, to: padded.count, by: 8).map { padded[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
      return [0, 0, 1, header] + bytes
    }
  }

  private static let parameters: [UInt8] = {
    var sequence = Bits()
    // Main profile, level 4; id, frame number bits less 4, order type 2, one reference, no gaps, 10×6, fields.
    sequence.put(77 << 16 | 40, 24)
    for value in [0, 2, 2, 1] { sequence.put(golomb: value) }
    sequence.put(0, 1)
    for value in [9, 5] { sequence.put(golomb: value) }
    sequence.put(0, 1)
    var picture = Bits()
    for value in [3, 0] { picture.put(golomb: value) }
    return sequence.unit(0x67) + picture.unit(0x68)
  }()

  /// A slice: of a field when `isBottom` tells which.
  private static func slice(_ number: Int, isBottom: Bool?, _ header: UInt8 = 0x41) -> [UInt8] {
    var bits = Bits()
    for value in [0, 5, 3] { bits.put(golomb: value) }
    bits.put(number, 6)
    bits.put(isBottom == nil ? 0 : 1, 1)
    if let isBottom { bits.put(isBottom ? 1 : 0, 1) }
    bits.put(0xFF, 8)
    return bits.unit(header)
  }

  @Test func secondFieldsAddToAFrame() {
    var shown = OutputFrameDetector(codec: "h264", headers: [])
    func shows(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { shown.notePacket($0) } }
    let slice = Self.slice
    #expect(!shows(Self.parameters))
    // The second field of an IDR picture is none itself.
    #expect(shows(slice(0, false, 0x65)) && !shows(slice(0, true, 0x41)))
    #expect(shows(slice(1, false, 0x41)) && !shows(slice(1, true, 0x41)))
    // Frames that build nothing share their number with the next.
    #expect(shows(slice(2, true, 0x01)) && !shows(slice(2, false, 0x01)))
    #expect(shows(slice(2, true, 0x01)) && !shows(slice(2, false, 0x01)))
    // Whole frames, both fields in one packet, and a field that stays alone.
    #expect(shows(slice(3, nil, 0x41)) && shows(slice(4, false, 0x41) + slice(4, true, 0x41)))
    #expect(shows(slice(5, false, 0x41)) && shows(slice(6, false, 0x41)) && !shows(slice(6, true, 0x41)))
    #expect(shows(slice(7, nil, 0x41)) && !shows([0, 0, 1, 9, 16]))
  }

  /// Pictures that lean over a random access point with which the decoder begins anew are not output.
  @Test func picturesOfH265ThatAreNotOutput() {
    /// A packet of units of these types, behind start codes.
    func packet(_ types: [UInt8]) -> [UInt8] { types.flatMap { [0, 0, 1, $0 << 1, 1] + ($0 < 32 ? [0x80, 7] : []) } }
    func shown(_ packets: [[UInt8]]) -> [Bool] {
      var detector = OutputFrameDetector(codec: "hevc", headers: [])
      return packets.map { bytes in packet(bytes).withUnsafeBufferPointer { detector.notePacket($0) } }
    }
    #expect(shown([[19], [1], [16], [8], [9], [6], [1], [21], [9]]) == [true, true, true, false, false, true, true, true, true])
    #expect(shown([[21], [9], [1, 36], [21], [8], [1], [20], [1]]) == [true, true, true, true, false, true, true, true])
    #expect(shown([[32, 33, 34], [35, 37], [32, 21], [9]]) == [false, false, true, false])
  }
}
