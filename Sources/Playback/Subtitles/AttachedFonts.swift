import Libav

/// Fonts attached to a clip's file, with which the scripts in it are drawn.
package final class AttachedFonts: Sendable {
  package struct Font: Sendable {
    package let name: String
    package let bytes: [UInt8]
  }

  private let asset: Asset
  private let interrupter = Interrupter()

  /// The maximum size of a font, and of all of them.
  private static let maxFont = 16 << 20
  private static let maxBytes = 64 << 20
  private static let endings: Set<String> = ["ttf", "otf", "ttc", "otc"]

  package init(of asset: Asset) { self.asset = asset }

  /// Reads the fonts from the file, which is opened for that; none if they cannot be read. Those that are too large are left out.
  package func read() -> [Font] {
    // Only Matroska has any. What is on a server would be loaded once more.
    guard !asset.isComposition, asset.input.identity != nil, asset.sequence == nil,
      asset.loadedValue(of: .facts)?.format.contains("matroska") == true,
      let demuxer = try? asset.input.open(interrupter).demuxer
    else { return [] }
    var room = Self.maxBytes
    return demuxer.streams.filter { $0.kind == .attachment && Self.isFont($0) }.compactMap { stream in
      let bytes = demuxer.codecHeaders(ofStream: stream.index)
      guard !bytes.isEmpty, bytes.count <= min(Self.maxFont, room) else { return nil }
      room -= bytes.count
      return Font(name: stream.metadata["filename"] ?? "", bytes: bytes)
    }
  }

  private static func isFont(_ stream: StreamInfo) -> Bool {
    let type = stream.metadata["mimetype"]?.lowercased() ?? ""
    return type.contains("font") || type.contains("truetype") || type.contains("opentype")
      || endings.contains(FileName.ending(of: stream.metadata["filename"] ?? ""))
  }

  /// Ends a read.
  package func cancel() { interrupter.interrupt() }
}
