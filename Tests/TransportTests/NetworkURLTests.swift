import Testing
import TestSupport

@testable import Transport

@Suite(.timeLimit(.minutes(20))) struct NetworkURLTests {
  @Test func hasOneSpelling() throws {
    for (text, expected) in [
      ("http://Example.ORG", "http://example.org/"),
      ("HTTPS://example.org:443/a?b=c#d", "https://example.org/a?b=c"),
      ("http://example.org.:8080/a/../b/./c", "http://example.org:8080/b/c"),
      ("http://example.org/a/%2e%2E/b", "http://example.org/b"),
      ("http://example.org/../../x", "http://example.org/x"),
      ("http://example.org/a b/ü\\\"", "http://example.org/a%20b/%C3%BC%5C%22"),
      ("http://example.org/100%/%41", "http://example.org/100%25/%41"),
      ("http://[2001:DB8::0:1]:80/", "http://[2001:db8::1]/"),
      ("http://127.1/", "http://127.0.0.1/"), ("http://0x7f000001/", "http://127.0.0.1/"),
      ("http://2130706433", "http://127.0.0.1/"), ("http://0177.0.0.1", "http://127.0.0.1/"),
      ("http://user:pw@example.org/", "http://example.org/"), ("http://a@b@example.org/", "http://example.org/"),
      ("http://example.org?q", "http://example.org/?q"), ("http://example.org:/", "http://example.org/"),
      ("http://4f2a/x", "http://4f2a/x"), ("http://bücher.example/", "http://bücher.example/"),
    ] {
      let url = try NetworkURL(text)
      #expect(url.text == expected, "\(text)")
      // Canonical text is its own.
      #expect(try NetworkURL(url.text) == url)
    }
  }

  @Test(arguments: [
    ("file:///etc/passwd", NetworkURLError.scheme("file")), ("ftp://example.org/", .scheme("ftp")),
    ("/clip.mp4", .notAbsolute), ("clip.mp4", .notAbsolute), ("http:clip.mp4", .notAbsolute), ("http:/clip", .notAbsolute),
    ("http://", .noHost), ("http:///x", .noHost), ("http://user@/x", .noHost), ("http://./", .noHost),
    ("http://a b/", .badHost), ("http://a%41/", .badHost), ("http://a\\b/", .badHost), ("http://1.2.3.4.5/", .badHost),
    ("http://256.1.1.1/", .badHost), ("http://[::1", .badHost), ("http://[example.org]/", .badHost),
    ("http://[fe80::1%25eth0]/", .badHost), ("http://[::1]x/", .badHost), ("http://::1/", .noHost),
    ("http://１２７.0.0.1/", .badHost), ("http://ｌocalhost/", .badHost),
    ("http://example.org:0/", .badPort), ("http://example.org:65536/", .badPort), ("http://example.org:+80/", .badPort),
    ("http://example.org:80:80/", .badPort),
    ("http://example.org/\r\nHost: x", .controlCharacter), ("http://example.org/\u{1B}[2J", .controlCharacter),
    ("http://example.org/\u{9B}2J", .controlCharacter), ("http://exam\0ple.org/", .controlCharacter),
  ])
  func refuses(text: String, error: NetworkURLError) {
    #expect(throws: error) { try NetworkURL(text) }
  }

  @Test func refusesWhatIsTooLong() {
    #expect(throws: NetworkURLError.tooLong) { try NetworkURL("http://example.org/" + String(repeating: "a", count: 20_000)) }
    #expect(throws: NetworkURLError.tooLong) { try NetworkURL("http://example.org/" + String(repeating: "ü", count: 4000)) }
  }

  /// The examples of RFC 3986, section 5.4, without those of other schemes and parameters that are obsolete.
  @Test(arguments: [
    ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
    ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
    ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
    ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
    ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
    ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"),
    ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"),
  ])
  func resolvesReferences(reference: String, expected: String) throws {
    #expect(try NetworkURL("http://a/b/c/d;p?q").resolving(reference).text == "http://a" + expected)
  }

  @Test func resolvesToOtherHosts() throws {
    let base = try NetworkURL("https://a.example:8443/b/c")
    #expect(try base.resolving("//other.example/x").text == "https://other.example/x")
    #expect(try base.resolving("http://other.example/x").text == "http://other.example/x")
    #expect(throws: NetworkURLError.scheme("file")) { try base.resolving("file:///etc/passwd") }
    #expect(throws: NetworkURLError.scheme("concat")) { try base.resolving("concat:a|b") }
  }

  @Test func showsNoSecrets() throws {
    let (origin, url) = try Origin.naming("https://me%40home:s%3Acret@example.org/clips/my%20clip.mp4?token=abc")
    #expect(url.displayText == "https://example.org/clips/my%20clip.mp4?…")
    #expect("\(url)" == url.displayText)
    #expect(url.lastPathComponent == "my clip.mp4")
    #expect(origin.credentials == Credentials(user: "me@home", password: "s:cret"))
    var dumped = ""
    dump(origin, to: &dumped)
    for text in ["\(origin)", String(reflecting: origin), dumped, String(reflecting: url)] {
      #expect(!text.contains("cret") && !text.contains("home"), "\(text)")
    }
  }

  @Test func titlesControlNoTerminal() throws {
    #expect(try NetworkURL("http://a/%1B%5B2J%C2%9B").lastPathComponent == "\u{FFFD}[2J\u{FFFD}")
    #expect(try NetworkURL("http://a/b/").lastPathComponent == nil)
    #expect(try NetworkURL("http://a/%FF.mp4").lastPathComponent == "\u{FFFD}.mp4")
  }

  @Test func credentialsGoToTheirOriginOnly() throws {
    let (origin, url) = try Origin.naming("https://me:pw@example.org/a")
    #expect(origin.credentials(for: url) != nil)
    #expect(origin.credentials(for: try url.resolving("/b")) != nil)
    for other in ["http://example.org/a", "https://example.org:444/a", "https://www.example.org/a", "https://other.example/"] {
      #expect(origin.credentials(for: try NetworkURL(other)) == nil)
    }
    #expect(throws: NetworkURLError.controlCharacter) { try Origin.naming("http://a%0d%0a:b@example.org/") }
    #expect(try Origin.naming("http://me@example.org/").origin.credentials == Credentials(user: "me", password: ""))
  }
}
