import Libav

/// The language tags of a Matroska file's tracks by BCP 47, which libavformat leaves out: it tells what ISO 639-2 can say, "chi" for
/// both of Chinese's scripts.
///
/// Source: RFC 9559, "LanguageBCP47", which goes before "Language".
struct MatroskaLanguages {
  private struct Track {
    var kind: StreamInfo.Kind
    var tag: String?
  }

  /// As a track entry tells them.
  private static let kinds: [UInt8: StreamInfo.Kind] = [1: .video, 2: .audio, 17: .subtitle]

  private var tracks: [Track] = []

  /// Nil where the file is no Matroska file, or has none of them. May block for as long as a disk does.
  init?(ofFile path: String) {
    guard let part = MatroskaFile(path)?.part(0x1654_AE6B, beforeClusters: true) else { return nil }
    for entry in EBMLElement.elements(in: part) where entry.id == 0xAE {
      var track = Track(kind: .unknown)
      for element in EBMLElement.elements(in: part[entry.body]) {
        let body = part[element.body]
        switch element.id {
        case 0x83: track.kind = Self.kinds[body.last ?? 0] ?? .unknown
        case 0x22_B59D: track.tag = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        default: break
        }
      }
      tracks.append(track)
    }
    guard tracks.contains(where: { $0.tag != nil }) else { return nil }
  }

  /// Gives streams their tags; none where they are not the file's tracks, one for one.
  func apply(to streams: inout [StreamInfo]) {
    let own = streams.indices.filter { !streams[$0].isAttachedPicture && streams[$0].kind != .attachment }
    guard own.count == tracks.count, zip(own, tracks).allSatisfy({ streams[$0].kind == $1.kind || $1.kind == .unknown }) else { return }
    for (index, track) in zip(own, tracks) {
      if let tag = track.tag { streams[index].metadata["language"] = tag }
    }
  }
}
