/// Rules for the names of files in movies.
enum ClipName {
  /// The path of a name, which begins in the folder of the movie where it is relative.
  static func path(_ name: String, fromMovieAt movie: String) -> String {
    // A slash may be one character with what follows it.
    let slash = UInt8(ascii: "/")
    guard name.utf8.first != slash, let end = movie.utf8.lastIndex(of: slash) else { return name }
    return String(movie[...end]) + name
  }

  /// The name's last part.
  static func base(_ name: String) -> String {
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name }
    return String(decoding: name.utf8[name.utf8.index(after: slash)...], as: UTF8.self)
  }

  private static let schemes: Set<String> = [
    "http", "https", "ftp", "ftps", "sftp", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpe", "rtp", "srtp", "udp", "tcp", "tls", "srt",
    "mms", "mmsh", "mmst", "rist", "smb", "ipfs", "ipns", "gopher", "gophers", "icecast", "data",
  ]

  /// What kind of network address a name is; nil for one of a file.
  static func networkScheme(_ name: String) -> String? {
    guard let scheme = scheme(name), scheme != "file" else { return nil }
    return schemes.contains(scheme) || name.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) ? scheme : nil
  }

  /// What stands before the first colon if it can be the scheme of an address, in small letters.
  static func scheme(_ name: String) -> String? {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = name.utf8[..<colon]
    guard (1...32).contains(scheme.count), let first = scheme.first, isLetter(first) else { return nil }
    guard scheme.allSatisfy({ isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }) else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
