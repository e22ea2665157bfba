import Playback
import TestSupport
import Testing

/// The listing of a clip's frames.
@Suite(.timeLimit(.minutes(20))) struct FramesTests {
  /// Without --facts a line ends with the hash; with it, the frame's facts follow.
  @Test func factsAreAdded() throws {
    let path = try PlayerClips.short()
    let lines = try FrameListing(path: path).lines(order: .linear)
    func output(_ options: [String]) throws -> [String] {
      try CommandRun(["frames", path] + options).output.split(separator: "\n").dropFirst().map(String.init)
    }
    let plain = try output([]), long = try output(["--facts", "--order", "reverse"])
    #expect(plain.map { $0.split(separator: ",").last.map(String.init) } == lines.map(\.md5))
    #expect(long == zip(plain, lines).map { text, line in
      "\(text),\(line.isKeyframe ? 1 : 0),\(line.pictureType.rawValue),\(line.packetByteCount ?? -1)"
    })
    #expect(lines.first?.isKeyframe == true && lines.allSatisfy { $0.packetByteCount ?? 0 > 0 })
  }
}
