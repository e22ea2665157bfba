import Testing
import TestSupport

@testable import Transport

@Suite(.timeLimit(.minutes(20))) struct AddressPolicyTests {
  @Test(arguments: [
    ("127.0.0.1", AddressScope.loopback), ("127.255.255.255", .loopback), ("0.0.0.0", .loopback), ("0.1.2.3", .loopback),
    ("::1", .loopback), ("::", .loopback), ("::ffff:127.0.0.1", .loopback), ("::127.0.0.1", .loopback),
    ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::", .loopback),
    ("10.0.0.1", .private), ("172.16.0.1", .private), ("172.31.255.255", .private), ("192.168.1.1", .private),
    ("169.254.169.254", .private), ("100.64.0.1", .private), ("100.127.255.255", .private), ("198.19.0.1", .private),
    ("224.0.0.1", .private), ("239.1.1.1", .private), ("255.255.255.255", .private), ("240.0.0.1", .private),
    ("fe80::1", .private), ("fd00::1", .private), ("fc00::1", .private), ("ff02::1", .private), ("fec0::1", .private),
    ("::ffff:192.168.0.1", .private), ("64:ff9b::a00:1", .private), ("64:ff9b:1::1", .private), ("2001:db8::1", .private),
    ("2001::1", .private), ("2002:a00:1::1", .private), ("100::1", .private),
    ("1.1.1.1", .public), ("172.15.255.255", .public), ("172.32.0.0", .public), ("100.63.255.255", .public),
    ("100.128.0.0", .public), ("126.255.255.255", .public), ("128.0.0.1", .public), ("223.255.255.255", .public),
    ("2606:4700::1111", .public), ("2001:4860:4860::8888", .public), ("::ffff:1.1.1.1", .public),
    ("64:ff9b::101:101", .public), ("2002:101:101::1", .public),
  ])
  func scopes(text: String, scope: AddressScope) throws {
    let address = try #require(NetworkAddress(text))
    #expect(address.scope == scope)
    #expect(NetworkAddress(address.text) == address)
  }

  private let publicly = try? Origin.naming("https://example.org/list.m3u8").origin
  private let other = try? NetworkURL("http://10.0.0.5:8080/").endpoint

  @Test func nothingLeadsIntoANarrowerNetwork() throws {
    let origin = try #require(publicly)
    let other = try #require(other)
    var policy = AddressPolicy()
    policy.allow(origin)
    policy.didReach(origin.endpoint, in: .public)
    #expect(policy.allows(.public, at: other, for: origin))
    #expect(!policy.allows(.private, at: other, for: origin))
    #expect(!policy.allows(.loopback, at: other, for: origin))

    let home = try Origin.naming("http://192.168.0.9/").origin
    policy.allow(home)
    policy.didReach(home.endpoint, in: .private)
    #expect(policy.allows(.private, at: other, for: home))
    #expect(policy.allows(.public, at: other, for: home))
    #expect(!policy.allows(.loopback, at: other, for: home))
  }

  @Test func anOriginThatWasNeverReachedCountsAsPublic() throws {
    let origin = try #require(publicly)
    let other = try #require(other)
    var policy = AddressPolicy()
    policy.allow(origin)
    #expect(!policy.allows(.private, at: other, for: origin))
    #expect(policy.allows(.public, at: other, for: origin))
  }

  @Test func theUserMayNameAnything() throws {
    let origin = try #require(publicly)
    let local = try Origin.naming("http://127.0.0.1:8080/").origin
    var policy = AddressPolicy()
    policy.allow(origin)
    policy.allow(local)
    policy.didReach(origin.endpoint, in: .public)
    #expect(policy.allows(.loopback, at: local.endpoint, for: local))
    // Host and port are named, so a server may lead there.
    #expect(policy.allows(.loopback, at: local.endpoint, for: origin))
    // Another port is another service.
    #expect(!policy.allows(.loopback, at: try NetworkURL("http://127.0.0.1:631/").endpoint, for: origin))
  }

  @Test func aNameThatTurnsToThisMachineMisleads() throws {
    let origin = try #require(publicly)
    let other = try #require(other)
    var policy = AddressPolicy()
    policy.allow(origin)
    #expect(policy.allows(.loopback, at: origin.endpoint, for: origin))
    policy.didReach(origin.endpoint, in: .public)
    #expect(!policy.allows(.loopback, at: origin.endpoint, for: origin))
    #expect(policy.allows(.public, at: origin.endpoint, for: origin))
    // What was reached on behalf of others does not widen what an origin may reach.
    policy.didReach(other, in: .private)
    #expect(!policy.allows(.private, at: other, for: origin))
  }

  @Test func proxiesOfTheEnvironment() throws {
    let settings = ProxySettings(environment: [
      "http_proxy": "http://proxy:3128", "HTTPS_PROXY": "socks5://proxy", "HTTP_PROXY": "http://evil",
      "no_proxy": "localhost, .example.org,10.0.0.0/8,[::1] 192.168.0.7",
    ])
    func proxy(_ url: String) throws -> String? { settings.proxy(for: try NetworkURL(url)) }
    #expect(try proxy("http://a.test/") == "http://proxy:3128")
    #expect(try proxy("https://a.test/") == "socks5://proxy")
    #expect(try proxy("http://10.1.2.3/") == nil && proxy("http://11.1.2.3/") != nil)
    #expect(try proxy("http://example.org/") == nil && proxy("http://www.example.org/") == nil)
    #expect(try proxy("http://badexample.org/") != nil && proxy("http://localhost/") == nil)
    #expect(try proxy("http://[::1]/") == nil && proxy("http://192.168.0.7/") == nil && proxy("http://192.168.0.8/") != nil)
    let none = ProxySettings(environment: ["all_proxy": "http://p", "http_proxy": "", "no_proxy": ""])
    #expect(none.proxy(for: try NetworkURL("http://a/")) == nil)
    #expect(none.proxy(for: try NetworkURL("https://a/")) == "http://p")
    #expect(ProxySettings(environment: ["all_proxy": "x", "no_proxy": "*"]).proxy(for: try NetworkURL("http://a/")) == nil)
  }

  @Test func scopesOfHostsThatAProxyResolves() throws {
    for (host, scope) in [
      ("localhost", AddressScope.loopback), ("a.localhost", .loopback), ("127.1", .loopback), ("[::ffff:10.0.0.1]", .private),
    ] {
      #expect(try NetworkURL("http://\(host)/").endpoint.literalScope == scope)
    }
    #expect(try NetworkURL("http://example.org/").endpoint.literalScope == nil)
  }
}
