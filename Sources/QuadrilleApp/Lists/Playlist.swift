import Movies
import Playback

/// Reads M3U files: one name per line, with titles in comments.
enum Playlist {
  /// Returns true if a file name has the extension of a list.
  static func isNamed(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")
  }

  /// An entry of a list.
  struct Entry: Equatable {
    var path: String
    /// The title; untrusted text.
    var title: String?
  }

  /// Reads the entries of a list, in order.
  ///
  /// - Parameters:
  ///   - bytes: As `InputText.read` returns them.
  ///   - folder: The folder of the list, with a trailing slash, for relative names; empty for the current folder.
  ///   - limit: Maximum number of clips; more are an error.
  /// - Throws: `PlaybackError`, with a message to append to the list's name.
  static func entries(in bytes: [UInt8], folder: String, limit: Int) throws -> [Entry] {
    guard !bytes.contains(0) else { throw PlaybackError(.playlist, "is not a list of clips") }
    var entries: [Entry] = []
    var title: String?
    for line in bytes.split(separator: 0x0A) {
      let text = Asset.path(ofBytes: line.trimmed)
      if text.isEmpty { continue }
      if text.hasPrefix("#") {
        if isStreaming(text) {
          throw PlaybackError(.playlist, "is an HLS playlist, which is not supported yet; only lists of files are")
        }
        title = self.title(of: text) ?? title
        continue
      }
      guard entries.count < limit else { throw PlaybackError(.tooLarge, "lists more than \(limit) clips") }
      entries.append(Entry(path: path(text, folder: folder), title: title))
      title = nil
    }
    return entries
  }

  /// Returns true if a comment marks a playlist of stream segments or variants.
  private static func isStreaming(_ comment: String) -> Bool {
    comment.hasPrefix("#EXT-X-TARGETDURATION") || comment.hasPrefix("#EXT-X-STREAM-INF")
  }

  /// `#EXTINF:12,Title`
  private static func title(of comment: String) -> String? {
    guard comment.hasPrefix("#EXTINF:"), let comma = comment.firstIndex(of: ",") else { return nil }
    let title = comment[comment.index(after: comma)...].drop { $0 == " " }
    return title.isEmpty ? nil : String(title)
  }

  /// The path on a line. Network addresses are kept as they are; no file has such a name. Some programs write names as
  /// URLs: one that does not exist as it is may exist with its `%20` decoded.
  private static func path(_ text: String, folder: String) -> String {
    guard let scheme = ClipName.scheme(text), text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) else {
      let path = ClipName.path(text, fromFolder: folder)
      guard text.utf8.contains(UInt8(ascii: "%")), FolderListing.Entry(path: path) == nil,
        let decoded = FileAddress.path(text).map({ ClipName.path($0, fromFolder: folder) }), FolderListing.Entry(path: decoded) != nil
      else { return path }
      return decoded
    }
    return scheme == "file" ? FileAddress.path(text) ?? text : text
  }
}

extension ArraySlice<UInt8> {
  /// The slice without blanks at either end.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    let rest = drop { blanks.contains($0) }
    return rest[..<(rest.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? rest.startIndex)]
  }
}
