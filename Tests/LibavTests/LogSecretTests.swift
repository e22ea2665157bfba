import Testing

@testable import Libav

@Suite(.timeLimit(.minutes(20))) struct LogSecretTests {
  @Test(arguments: [
    ("srt://127.0.0.1:98?passphrase=topsecret failed", "srt://127.0.0.1:98?… failed"),
    ("Opening 'https://u:p@ss@host/a.mp4?token=1#x' now", "Opening 'https://host/a.mp4?…' now"),
    ("rtsp://user:secret@camera/stream1", "rtsp://camera/stream1"), ("two http://a@b http://c?d e", "two http://b http://c?… e"),
    ("http://host/a@b", "http://host/a@b"), ("no address: a@b?c", "no address: a@b?c"), ("http://", "http://"), ("", ""),
  ]) func addressesAreCutShort(message: String, shown: String) { #expect(LibavLog.withoutSecrets(message) == shown) }
}
