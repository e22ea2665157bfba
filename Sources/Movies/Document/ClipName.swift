import Playback

/// Rules for file names in movies and lists.
package enum ClipName {
  /// The path for a name, resolved against the movie's folder if relative.
  static func path(_ name: String, fromMovieAt movie: String) -> String {
    path(name, fromFolder: FolderListing.folder(ofPath: movie))
  }

  /// The path for a name, resolved against a folder if relative.
  ///
  /// - Parameter folder: with a trailing slash; empty for the current folder.
  package static func path(_ name: String, fromFolder folder: String) -> String {
    name.utf8.first == UInt8(ascii: "/") ? name : folder + name
  }

  private static let schemes: Set<String> = [
    "http", "https", "ftp", "ftps", "sftp", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpe", "rtp", "srtp", "udp", "tcp", "tls", "srt",
    "mms", "mmsh", "mmst", "rist", "smb", "ipfs", "ipns", "gopher", "gophers", "icecast", "data",
  ]

  /// The URL scheme of a network address; nil for the name of a file.
  static func networkScheme(_ name: String) -> String? {
    guard let scheme = scheme(name), scheme != "file" else { return nil }
    return schemes.contains(scheme) || name.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) ? scheme : nil
  }

  /// The text before the first colon, in lower case, if it can be a URL scheme.
  package static func scheme(_ name: String) -> String? {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = name.utf8[..<colon]
    guard (1...32).contains(scheme.count), let first = scheme.first, isLetter(first) else { return nil }
    guard scheme.allSatisfy({ isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }) else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
