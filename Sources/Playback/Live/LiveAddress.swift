import Libav
import Transport

/// The address of a live source as the user wrote it: `rtsp://user:password@camera/stream1`.
struct LiveAddress: Sendable {
  enum Scheme: String, CaseIterable, Sendable {
    case rtsp, rtsps, rtmp, rtmps, srt, udp, rtp
  }

  let scheme: Scheme
  /// The address with credentials, for opening it.
  private let text: String

  /// Creates the address that a text names; nil if it is not one.
  init?(_ text: String) {
    let name = text.prefix { $0 != ":" }
    guard let scheme = Scheme(rawValue: name.lowercased()), text[name.endIndex...].hasPrefix("://") else { return nil }
    self.scheme = scheme
    // Protocols are recognised by lower case only.
    self.text = scheme.rawValue + text[name.endIndex...]
  }

  /// The seconds without an answer after which a source counts as lost.
  private static let patience = 8
  /// The seconds for which a sender is waited for that may begin at any time.
  private static let longPatience = 30
  /// The size of the system's buffer for what arrives as datagrams, in bytes.
  private static let datagramBuffer = 1 << 20

  // MARK: - Opening

  /// The request to open it: with as little delay as possible, and with no other protocols than these.
  ///
  /// - Parameter certificateFile: a PEM file of authorities to trust instead of the system's; nil for none.
  /// - Throws: `PlaybackError` if it cannot be opened safely.
  func request(certificateFile: String?) throws(PlaybackError) -> NetworkInput.Request {
    let (format, protocols): (String, [String]) =
      switch scheme {
      case .rtsp: ("rtsp", ["rtp", "udp", "tcp"])
      case .rtsps: throw PlaybackError(.network, "rtsps: is not supported, because FFmpeg cannot verify its certificates")
      case .rtmp: ("flv", ["rtmp", "tcp"])
      case .rtmps: ("flv", ["rtmps", "tls", "tcp"])
      case .srt: ("mpegts", ["srt"])
      case .udp: ("mpegts", ["udp"])
      case .rtp: ("rtp", ["rtp", "udp"])
      }
    return NetworkInput.Request(
      url: text, format: format, protocols: protocols, options: options(certificateFile),
      patience: isConnectionless ? Self.longPatience : Self.patience, maxSilence: isConnectionless ? nil : Self.patience)
  }

  /// True if nothing tells that the sender is there, except what it sends.
  private var isConnectionless: Bool { scheme == .udp || scheme == .rtp }

  private func options(_ certificateFile: String?) -> [String: String] {
    // A few frames suffice to tell the streams.
    var options = ["fpsprobesize": "4"]
    switch scheme {
    case .rtsp, .rtsps:
      options["rtsp_flags"] = "prefer_tcp"
      options["allowed_media_types"] = "video+audio"
    case .rtmp: options["rtmp_buffer"] = "100"
    case .rtmps:
      options["rtmp_buffer"] = "100"
      options["tls_verify"] = "1"
      if let certificateFile { options["ca_file"] = certificateFile }
    case .srt: options["connect_timeout"] = "\(Self.patience * 1000)"
    case .udp, .rtp:
      options["buffer_size"] = "\(Self.datagramBuffer)"
      options["overrun_nonfatal"] = "1"
    }
    return options
  }

  // MARK: - Showing

  /// The address without user name and password, wherever they stand in it.
  var displayText: String {
    let rest = text.dropFirst(scheme.rawValue.count + 3)
    let authority = rest.prefix { !"/?#".contains($0) }
    let endpoint = authority.lastIndex(of: "@").map { at in
      // `udp://@:1234` names no user, but the port to listen on.
      at == authority.startIndex ? authority : authority[authority.index(after: at)...]
    } ?? authority
    let place = rest[authority.endIndex...]
    let path = place.prefix { $0 != "?" }
    return "\(scheme.rawValue)://\(endpoint)\(Self.withoutSecrets(path))\(Self.withoutSecrets(place[path.endIndex...]))"
  }

  /// The names of parameters whose values are not shown; some cameras have them in the path.
  private static let secrets: Set<String> = [
    "user", "username", "password", "passwd", "pass", "pwd", "passphrase", "token", "auth", "key", "secret",
  ]

  /// Returns a part of an address without its parameters that are secret.
  private static func withoutSecrets(_ part: Substring) -> String {
    var result = "", rest = part
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split(whereSeparator: { "/?&;_".contains($0) }).last ?? ""
      // In a query, only these end a value.
      let ends = part.first == "?" ? "&;" : "/?&;_"
      let value = rest[rest.index(after: equals)...].prefix { !ends.contains($0) }
      result += rest[...equals]
      result += secrets.contains(name.lowercased()) ? "…" : String(value)
      rest = rest[value.endIndex...]
    }
    return result + rest
  }
}
