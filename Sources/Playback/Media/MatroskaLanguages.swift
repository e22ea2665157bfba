import Libav

/// The BCP 47 language tags of a Matroska file's tracks, which libavformat omits: it gives ISO 639-2 codes, such as "chi"
/// for both scripts of Chinese.
///
/// Source: RFC 9559, "LanguageBCP47", which takes precedence over "Language".
struct MatroskaLanguages {
  private struct Track {
    var kind: StreamInfo.Kind
    var tag: String?
  }

  /// Kinds by the type in a track entry.
  private static let kinds: [UInt8: StreamInfo.Kind] = [1: .video, 2: .audio, 17: .subtitle]

  private var tracks: [Track] = []

  /// Nil if the file is not Matroska, or has no such tags. May block on disk access.
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

  /// Applies the tags to streams, unless they do not match the file's tracks one to one.
  func apply(to streams: inout [StreamInfo]) {
    let own = streams.indices.filter { !streams[$0].isAttachedPicture && streams[$0].kind != .attachment }
    guard own.count == tracks.count, zip(own, tracks).allSatisfy({ streams[$0].kind == $1.kind || $1.kind == .unknown }) else { return }
    for (index, track) in zip(own, tracks) {
      if let tag = track.tag { streams[index].metadata["language"] = tag }
    }
  }
}
