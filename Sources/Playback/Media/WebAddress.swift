import Transport

/// An address on the web as the user wrote it: `https://user:password@host/clip.mp4`.
public struct WebAddress: Sendable {
  let origin: Origin
  let url: NetworkURL

  /// Creates the address that a text names; nil if it is not one.
  ///
  /// - Throws: `PlaybackError` if it begins like one but is malformed.
  public init?(_ text: String) throws {
    guard Self.isAddress(text) else { return nil }
    do {
      (origin, url) = try Origin.naming(text)
    } catch {
      throw PlaybackError(.network, error.description)
    }
  }

  /// Returns true if a text begins with `http:` or `https:` and two slashes.
  public static func isAddress(_ text: String) -> Bool {
    text.prefix(8).lowercased().hasPrefix("http://") || text.prefix(8).lowercased() == "https://"
  }

  /// Returns an address without user name and password; other text unchanged.
  public static func withoutCredentials(_ text: String) -> String {
    guard isAddress(text) else { return text }
    if let address = try? WebAddress(text) { return address.url.text }
    // Malformed: nothing up to the last @ of the authority is shown.
    let rest = text.drop { $0 != ":" }.dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return text.prefix { $0 != ":" } + "://" + rest[rest.index(after: at)...]
  }

  /// The name of the file, and its server: `clip.mp4 (https://host)`.
  public var title: String { "\(url.lastPathComponent ?? url.path) (\(url.site))" }
}
