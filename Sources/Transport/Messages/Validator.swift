/// A mark of one version of a resource, by which a server says whether it is still the same.
public enum Validator: Hashable, Sendable {
  /// A strong entity tag, in its quotes.
  case entityTag(String)
  /// A date in the server's words.
  case lastModified(String)

  /// The limit of a validator's length, in bytes; a longer one is not used.
  static let maximumLength = 1024

  /// The validator of a response: its strong entity tag, else its date.
  init?(headers: ResponseHeaders) {
    if let tag = headers["etag"], tag.hasPrefix("\""), Self.isUsable(tag) {
      self = .entityTag(tag)
    } else if let date = headers["last-modified"], Self.isUsable(date) {
      self = .lastModified(date)
    } else {
      return nil
    }
  }

  private static func isUsable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Returns true if both are marks of the same kind, and of different versions.
  func contradicts(_ other: Validator) -> Bool {
    switch (self, other) {
    case (.entityTag, .entityTag), (.lastModified, .lastModified): self != other
    default: false
    }
  }

  /// The value of an `If-Range` header.
  var text: String {
    switch self {
    case .entityTag(let text), .lastModified(let text): text
    }
  }
}
