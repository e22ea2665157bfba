import Transport

/// An address on the web as the user wrote it: `https://user:password@host/clip.mp4`. Its static functions know the addresses of
/// live sources, too.
public struct WebAddress: Sendable {
  let origin: Origin
  let url: NetworkURL

  /// Creates the address that a text names; nil if it is not one.
  ///
  /// - Throws: `PlaybackError` if it begins like one but is malformed.
  public init?(_ text: String) throws {
    guard Self.isOnWeb(text) else { return nil }
    do {
      (origin, url) = try Origin.naming(text)
    } catch {
      throw PlaybackError(.network, error.description)
    }
  }

  /// Returns true if a text is an address, on the web or of a live source: it begins with a known scheme and two slashes.
  public static func isAddress(_ text: String) -> Bool { isOnWeb(text) || isLive(text) }

  /// Returns true if a text is the address of a live source, such as `rtsp://camera/stream1`.
  public static func isLive(_ text: String) -> Bool { LiveAddress(text) != nil }

  /// Returns true if a text is an address on the web.
  public static func isOnWeb(_ text: String) -> Bool {
    text.prefix(8).lowercased().hasPrefix("http://") || text.prefix(8).lowercased() == "https://"
  }

  /// Returns an address without user name and password; other text unchanged.
  public static func withoutCredentials(_ text: String) -> String {
    if let live = LiveAddress(text) { return live.displayText }
    guard isOnWeb(text) else { return text }
    if let address = try? WebAddress(text) { return address.url.text }
    // Malformed: nothing up to the last @ of the authority is shown.
    let rest = text.drop { $0 != ":" }.dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return text.prefix { $0 != ":" } + "://" + rest[rest.index(after: at)...]
  }

  /// Returns the name of the file that an address names, without the query, or else of the server; nil for text that is no address.
  public static func fileName(of text: String) -> String? {
    if let live = LiveAddress(text) {
      let place = live.displayText.drop { $0 != ":" }.dropFirst(3).drop { $0 == "@" }
      return place.prefix { !"/?#".contains($0) }.filter { $0 != "[" && $0 != "]" }.replacing(":", with: "-")
    }
    return (try? WebAddress(text)).map { ($0.url.lastPathComponent ?? $0.url.host).replacing("/", with: "_") }
  }

  /// Returns the name of the file and its server, `clip.mp4 (https://host)`, or the address of a live source; nil for text that
  /// is no address.
  public static func title(of text: String) -> String? {
    if let live = LiveAddress(text) { return live.displayText }
    return (try? WebAddress(text)).map { "\($0.url.lastPathComponent ?? $0.url.path) (\($0.url.site))" }
  }
}
