import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct HLSVariablesTests {
  private func uris(
    _ lines: String, address: String = "https://a/b.m3u8", importing variables: [String: String] = [:]
  ) throws -> [String] {
    try HLSSamples.media("#EXTM3U\n" + lines, address: address, importing: variables).segments.map(\.uri)
  }

  @Test func addressesAndAttributes() throws {
    let playlist = try HLSSamples.media("""
      #EXTM3U
      #EXT-X-DEFINE:NAME="host",VALUE="https://cdn.example/{$}x"
      #EXT-X-DEFINE:NAME="path_1-A",VALUE="{$host}/v"
      #EXT-X-DEFINE:NAME="iv",VALUE="ff"
      #EXT-X-KEY:METHOD=AES-128,URI="{$path_1-A}/key",IV=0x{$iv}
      #EXT-X-MAP:URI="{$host}"
      #EXTINF:1,{$title}
      {$path_1-A}/{$iv}{$iv}.ts?a={$}&b={$ }&c={${$iv}}&d={x
      """)
    let segment = playlist.segments[0]
    #expect(segment.uri == "https://cdn.example/{$}x/v/ffff.ts?a={$}&b={$ }&c={$ff}&d={x", "values are not searched again")
    #expect(segment.title == "{$title}" && segment.map?.uri == "https://cdn.example/{$}x")
    let vector: [UInt8] = Array(repeating: 0, count: 15) + [255]
    #expect(segment.encryption == .aes128(keyURI: "https://cdn.example/{$}x/v/key", initializationVector: vector))
  }

  @Test func importsAndQueries() throws {
    let text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"token\",VALUE=\"t/1\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$token}.m3u8\n"
    let master = try HLSSamples.multivariant(text)
    #expect(master.variants[0].uri == "t/1.m3u8" && master.variables == ["token": "t/1"])
    #expect(try uris("#EXT-X-DEFINE:IMPORT=\"token\"\n#EXTINF:1\n{$token}.ts\n", importing: master.variables) == ["t/1.ts"])
    let address = "https://a/b.m3u8?x=1&session=a%2fb%zz%4&session=2#?session=3"
    #expect(try uris("#EXT-X-DEFINE:QUERYPARAM=\"session\"\n#EXTINF:1\n{$session}.ts\n", address: address) == ["a/b%zz%4.ts"])
  }

  @Test(arguments: [
    ("#EXTINF:1\n{$no}.ts", "playlist line 3: refers to a variable that is not defined"),
    ("#EXT-X-DEFINE:NAME=\"a\"", "playlist line 2: DEFINE with a NAME but no VALUE"),
    ("#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"\"", "playlist line 2: DEFINE with an invalid name"),
    ("#EXT-X-DEFINE:VALUE=\"\"", "playlist line 2: DEFINE without NAME, IMPORT or QUERYPARAM"),
    ("#EXT-X-DEFINE:IMPORT=\"a\"", "playlist line 2: DEFINE imports a variable that the multivariant playlist does not define"),
    ("#EXT-X-DEFINE:QUERYPARAM=\"a\"",
      "playlist line 2: DEFINE names a query parameter that the playlist's address does not have"),
    ("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"",
      "playlist line 3: DEFINE of a variable that is already defined"),
  ])
  func errors(lines: String, message: String) {
    do {
      _ = try uris(lines)
      Issue.record("no error")
    } catch {
      #expect("\(error)" == message)
    }
  }

  /// Variables that double in each line stop at the limit of a line, and the sum of all lines has a limit, too.
  @Test func expansionIsBounded() {
    var lines = "#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789abcdef\"\n"
    for index in 1...40 { lines += "#EXT-X-DEFINE:NAME=\"v\(index)\",VALUE=\"{$v\(index - 1)}{$v\(index - 1)}\"\n" }
    #expect(throws: HLSPlaylistError.self) { try uris(lines) }
    var long = "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"" + String(repeating: "x", count: 60_000) + "\"\n"
    long += String(repeating: "#EXTINF:1\n{$v}\n", count: 1000)
    do {
      _ = try uris(long)
      Issue.record("no error")
    } catch {
      #expect("\(error)" == "playlist line 282: variables expand to more than 8 MB")
    }
    let many = (0...1000).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"\"\n" }.joined()
    #expect(throws: HLSPlaylistError.self) { try uris(many) }
  }
}
