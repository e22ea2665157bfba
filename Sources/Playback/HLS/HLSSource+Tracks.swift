import Libav
import Pixels

/// The variants and renditions of a clip as tracks.
extension HLSSource {
  /// The variants that can be played, by their index in the playlist; empty if there is no choice.
  private var variants: [Int] {
    let playable = video.candidates
    return playable.count > 1 ? playable : []
  }

  /// Completes the description of the streams of the variant that has been opened.
  func describe(_ streams: inout [StreamInfo]) {
    guard let master else { return }
    if !variants.isEmpty, let index = streams.firstIndex(where: { $0.kind == .video }) {
      streams[index].metadata["title"] = "auto"
    }
    // Sound without a playlist of its own is in the variants.
    let sound = master.renditions(.audio, of: master.variants[video.openedStream]).map { master.renditions[$0] }
    guard let own = sound.first(where: { $0.uri == nil }), let index = streams.firstIndex(where: { $0.kind == .audio }) else {
      return
    }
    streams[index].isDefault = own.isDefault
    if let language = own.language { streams[index].metadata["language"] = language }
    if !own.name.isEmpty { streams[index].metadata["title"] = own.name }
  }

  /// Returns the tracks that have no packets in the opened variant: the variants, and the renditions with playlists of their own.
  ///
  /// - Parameter streams: those of the opened variant, whose indices come first.
  func tracks(after streams: [StreamInfo]) -> [AssetTrack] {
    guard let master else { return [] }
    var tracks: [AssetTrack] = []
    var index = streams.count
    // Variants of sound alone are changed all the same, but there is no video to choose.
    if let opened = streams.first(where: { $0.kind == .video }) {
      for number in variants {
        tracks.append(AssetTrack(master.variants[number].info(index: index, like: opened), part: .variant(number)))
        index += 1
      }
    }
    let variant = master.variants[video.openedStream]
    for kind in [HLSRendition.Kind.audio, .subtitles] {
      for number in master.renditions(kind, of: variant) where master.renditions[number].uri != nil {
        tracks.append(AssetTrack(master.renditions[number].info(index: index, of: variant), part: .rendition(number)))
        index += 1
      }
    }
    return tracks
  }
}

extension HLSVariant {
  /// Returns the variant as a track of video.
  ///
  /// - Parameter opened: the stream of the variant that has been opened.
  fileprivate func info(index: Int, like opened: StreamInfo) -> StreamInfo {
    var info = StreamInfo(of: .video, index: index, timeBase: opened.timeBase)
    let codec = HLSCodecs.name(of: codecs.first { HLSCodecs.isVideo($0) } ?? "")
    info.codecName = codec?.short ?? opened.codecName
    info.codecDescription = codec?.long ?? opened.codecDescription
    info.hasDecoder = true
    info.size = resolution ?? PixelSize(width: 0, height: 0)
    info.bitRate = Int64(clamping: averageBandwidth ?? bandwidth)
    info.metadata["title"] = title
    return info
  }

  /// A name that tells size, rate and bit rate.
  private var title: String {
    var parts: [String] = []
    if let name, !name.isEmpty, resolution == nil { parts.append(name) }
    if let resolution { parts.append("\(resolution)") }
    if let frameRate, frameRate >= 49 { parts.append("\(Int(frameRate.rounded()))p") }
    if bandwidth > 0 { parts.append(Self.text(bitRate: averageBandwidth ?? bandwidth)) }
    return parts.joined(separator: "  ")
  }

  private static func text(bitRate: Int) -> String {
    guard bitRate >= 1_000_000 else { return "\((bitRate + 500) / 1000) kbit/s" }
    let tenths = (bitRate + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) Mbit/s"
  }
}

extension HLSRendition {
  /// Returns the rendition as a stream with the codec that a variant names.
  fileprivate func info(index: Int, of variant: HLSVariant) -> StreamInfo {
    var info = info(index: index)
    let codec = kind == .audio ? variant.codecs.first { !HLSCodecs.isVideo($0) }.flatMap(HLSCodecs.name) : ("webvtt", "WebVTT")
    (info.codecName, info.codecDescription) = (codec?.short ?? "", codec?.long ?? "")
    return info
  }
}
