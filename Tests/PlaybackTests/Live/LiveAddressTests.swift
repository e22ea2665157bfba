import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct LiveAddressTests {
  @Test func whatIsAnAddress() {
    let addresses = [
      "rtsp://camera", "RTSP://camera/1", "rtmp://h/app/key", "srt://h:9000?mode=caller", "udp://@:1234", "rtp://239.0.0.1:5004",
    ]
    for text in addresses {
      #expect(WebAddress.isLive(text) && WebAddress.isAddress(text), "\(text)")
    }
    for text in ["rtsp:/camera", "rtspx://camera", "file://clip", "concat://a", "udp", "tcp://h:1", "unix://s", "pipe://0"] {
      #expect(!WebAddress.isLive(text), "\(text)")
    }
  }

  @Test(arguments: [
    ("rtsp://user:pa@ss@cam:554/stream1", "rtsp://cam:554/stream1"),
    ("RTSP://user:secret@cam/a?x=1", "rtsp://cam/a?x=1"),
    ("udp://@:1234", "udp://@:1234"),
    ("udp://host@239.0.0.1:1234", "udp://239.0.0.1:1234"),
    ("srt://h:9000?mode=caller&passphrase=secret/secret&latency=20", "srt://h:9000?mode=caller&passphrase=…&latency=20"),
    ("rtsp://cam/user=admin&password=secret&channel=1", "rtsp://cam/user=…&password=…&channel=1"),
    ("rtsp://cam:554/user=admin_password=secret_channel=1", "rtsp://cam:554/user=…_password=…_channel=1"),
    ("rtsp://cam", "rtsp://cam"),
  ])
  func credentialsAreNotShown(text: String, shown: String) {
    #expect(WebAddress.withoutCredentials(text) == shown)
    #expect(Asset(path: text).path == shown)
    #expect(WebAddress.title(of: text) == shown)
  }

  /// Whatever a source says, no other protocols are used than those that it needs.
  @Test func protocolsAreFew() throws {
    let known = [
      "rtsp": ["rtp", "udp", "tcp"], "rtmp": ["rtmp", "tcp"], "rtmps": ["rtmps", "tls", "tcp"], "srt": ["srt"], "udp": ["udp"],
      "rtp": ["rtp", "udp"],
    ]
    for scheme in LiveAddress.Scheme.allCases where scheme != .rtsps {
      let request = try #require(LiveAddress("\(scheme.rawValue)://h:1")).request(certificateFile: nil)
      #expect(request.protocols == known[scheme.rawValue])
    }
    #expect(try #require(LiveAddress("rtmps://h")).request(certificateFile: "/ca.pem").options["tls_verify"] == "1")
    #expect(throws: PlaybackError.self) { try #require(LiveAddress("rtsps://h")).request(certificateFile: nil) }
  }
}
