import Foundation
import Pixels

/// Ready-made sample clips: one for each thing that a player can get wrong.
///
/// Unless said otherwise a clip is 320×180 at 30 frames a second, lasts 3 s (90 frames) and carries the
/// numbers of its frames (see `FrameNumber`). `path()` makes a clip at its first use.
public enum SampleClip: String, CaseIterable, Sendable {
  /// H.264 in MP4, three B-frames, a keyframe every 30 frames, AAC sound.
  case h264BFrames
  /// H.264 in MP4 with one keyframe only.
  case longGOP
  /// H.264 in MP4 with a keyframe every 10 frames, in open GOPs.
  case openGOP
  /// H.264 in Matroska whose frames last 1/30 s to 4/30 s: frame n is left out unless n mod 7 is 0, 1 or 3.
  case variableFrameRate
  /// 30000/1001 frames a second.
  case ntsc
  /// H.264 in MPEG-TS that starts at 10 s and has B-frames.
  case transportStreamOffset
  /// MPEG-2 in MPEG-PS.
  case mpeg2ProgramStream
  /// An H.264 stream without a container, so without time stamps.
  case rawH264
  /// `h264BFrames` cut at 0.5 s without encoding: an edit list skips the first 15 frames.
  case editList
  /// VP9 with alpha in WebM: the left half is transparent below the numbers.
  case vp9Alpha
  /// VP8 with alpha in WebM.
  case vp8Alpha
  /// HEVC with 10 bits.
  case hevc10Bit
  /// H.264 4:4:4.
  case h264FullChroma
  /// H.264 4:2:2 with 10 bits.
  case h264TenBit422
  /// FFV1 in RGB with alpha (bgra) in Matroska.
  case losslessBGRA
  /// AV1 in MP4.
  case av1
  /// A GIF with transparency, at 10 frames a second for 2 s.
  case gifTransparent
  /// A single PNG image.
  case png
  /// A single JPEG image, full range.
  case jpeg
  /// Paletted frames (pal8) in QuickTime.
  case paletted
  /// 317×239, VP8 4:2:0 in WebM.
  case oddSize
  /// 180×180 with a sample aspect ratio of 16:9.
  case anamorphic
  /// To be shown turned clockwise by a quarter (so 180×320), half, and three quarters.
  case rotated90, rotated180, rotated270
  /// H.264 of interlaced frames, the top field first, 25 frames a second from 50 motion phases.
  case interlacedTopFirst
  /// HEVC tagged as HDR10: BT.2020 with PQ.
  case hdrPQ
  /// HEVC tagged as HLG.
  case hdrHLG
  /// H.264 in full range, tagged so.
  case fullRange
  /// H.264 in BT.601, tagged so.
  case bt601
  /// Motion JPEG in AVI.
  case mjpegAVI
  /// MPEG-4 part 2 in AVI with packed B-frames; 88 frames, as the encoder loses the last two.
  case mpeg4PackedBFrames
  /// Sound alone.
  case audioOnly
  /// Two video, two audio and two subtitle tracks with languages, chapters, and a title ("A titled clip").
  case tracksAndChapters
  /// The first three fifths of `h264BFrames` in Matroska.
  case truncated
  /// `h264BFrames` in Matroska with random bytes from 45 to 55 hundredths of its length.
  case corrupted
  /// A file with a right name and nothing in it.
  case empty
  /// A file with a right name and text in it.
  case notMedia

  /// The path of the clip. Waits while it is made; throws `MediaTool.Failure` when it cannot be.
  public func path() throws -> String {
    switch self {
    case .rotated90: try rotated(byQuarters: 1)
    case .rotated180: try rotated(byQuarters: 2)
    case .rotated270: try rotated(byQuarters: 3)
    case .truncated: try damaged { bytes in bytes.removeSubrange((bytes.count * 3 / 5)...) }
    case .corrupted:
      try damaged { bytes in
        var state: UInt32 = 1
        for index in (bytes.count * 45 / 100)..<(bytes.count * 55 / 100) {
          state = state &* 1_664_525 &+ 1_013_904_223
          bytes[index] = UInt8(state >> 24)
        }
      }
    case .empty:
      try SampleMedia.file(name: "empty.mp4", key: []) { try Data().write(to: URL(fileURLWithPath: $0)) }
    case .notMedia:
      try SampleMedia.file(name: "letter.mp4", key: []) {
        try Data(String(repeating: "Dear reader, this is not a film.\n", count: 500).utf8)
          .write(to: URL(fileURLWithPath: $0))
      }
    case .editList:
      try SampleMedia.clip(
        name: "editlist.mp4",
        arguments: ["-ss", "0.5", "-i", "file:" + SampleClip.h264BFrames.path(), "-c", "copy"])
    case .tracksAndChapters: try tracksAndChapters()
    default: try SampleMedia.clip(name: recipe.name, arguments: recipe.arguments)
    }
  }

  /// Number of frames of the clip; nil if it serves other tests.
  public var frameCount: Int? {
    switch self {
    case .png, .jpeg: 1
    case .gifTransparent: 20
    case .variableFrameRate: 39
    case .interlacedTopFirst, .editList: 75
    case .mpeg4PackedBFrames: 88
    case .audioOnly, .truncated, .corrupted, .empty, .notMedia: nil
    default: 90
    }
  }

  private static let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-threads", "1"]
  private static let x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "20"]
  private static let vp8 =
    ["-c:v", "libvpx", "-auto-alt-ref", "0", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "8"]
  private static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"]
  private static let eightBit = ["-pix_fmt", "yuv420p"]
  private static let bFrames = ["-bf", "3", "-g", "30"]

  private var recipe: (name: String, arguments: [String]) {
    let numbered = SampleMedia.numbered()
    let x264 = Self.x264
    let x265 = Self.x265
    let eightBit = Self.eightBit
    let bFrames = Self.bFrames
    switch self {
    case .h264BFrames, .rotated90, .rotated180, .rotated270:
      return (
        "bframes.mp4", numbered + Self.sound + x264 + eightBit + bFrames + ["-c:a", "aac", "-shortest"]
      )
    case .longGOP:
      return (
        "longgop.mp4", numbered + x264 + eightBit + ["-bf", "2", "-g", "600", "-x264-params", "scenecut=0"]
      )
    case .openGOP:
      return (
        "opengop.mp4",
        numbered + x264 + eightBit + ["-bf", "2", "-g", "10", "-x264-params", "open-gop=1:scenecut=0"]
      )
    case .variableFrameRate:
      let thinned = SampleMedia.numbered(filters: "select='eq(mod(n,7),0)+eq(mod(n,7),1)+eq(mod(n,7),3)'")
      return ("vfr.mkv", thinned + x264 + eightBit + ["-bf", "2", "-fps_mode", "passthrough"])
    case .ntsc:
      return (
        "ntsc.mp4",
        SampleMedia.numbered(rate: "30000/1001", seconds: 3.003) + x264 + eightBit + bFrames
          + ["-frames:v", "90"]
      )
    case .transportStreamOffset:
      return ("offset.ts", numbered + x264 + eightBit + bFrames + ["-output_ts_offset", "10"])
    case .mpeg2ProgramStream:
      return ("mpeg2.mpg", numbered + ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "15"])
    case .rawH264: return ("raw.h264", numbered + x264 + eightBit + bFrames)
    case .vp9Alpha, .vp8Alpha:
      let clear = SampleMedia.numbered(
        filters:
          "format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,W/2)*gte(Y,H/8),0,255)'")
      let codec = self == .vp9Alpha ? "libvpx-vp9" : "libvpx"
      return (
        self == .vp9Alpha ? "alpha9.webm" : "alpha8.webm",
        clear + Self.vp8 + ["-c:v", codec, "-pix_fmt", "yuva420p"]
      )
    case .hevc10Bit:
      return ("hevc10.mp4", numbered + x265 + ["-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"] + Self.x265Log())
    case .h264FullChroma: return ("444.mp4", numbered + x264 + ["-pix_fmt", "yuv444p"])
    case .h264TenBit422: return ("422p10.mp4", numbered + x264 + ["-pix_fmt", "yuv422p10le"])
    case .losslessBGRA: return ("bgra.mkv", numbered + ["-c:v", "ffv1", "-pix_fmt", "bgra"])
    case .av1:
      return (
        "av1.mp4",
        numbered + ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-b:v", "600k"] + eightBit
      )
    case .gifTransparent:
      let source = SampleMedia.numbered(
        rate: "10", seconds: 2,
        filters: "format=rgba,colorchannelmixer=aa=1,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)'"
          + ":a='if(lt(X,W/2)*gte(Y,H/8),0,255)',split[a][b];[a]palettegen[p];[b][p]paletteuse")
      return ("transparent.gif", source)
    case .png: return ("picture.png", numbered + ["-frames:v", "1"])
    case .jpeg: return ("picture.jpg", numbered + ["-frames:v", "1", "-pix_fmt", "yuvj420p", "-q:v", "2"])
    case .paletted:
      let source = SampleMedia.numbered(filters: "format=rgb24,split[a][b];[a]palettegen[p];[b][p]paletteuse")
      return ("paletted.mov", source + ["-c:v", "png", "-pix_fmt", "pal8"])
    case .oddSize:
      return ("odd.webm", SampleMedia.numbered(width: 317, height: 239) + eightBit + Self.vp8)
    case .anamorphic:
      let source = SampleMedia.numbered(width: 180, height: 180, filters: "setsar=16/9")
      return ("anamorphic.mp4", source + x264 + eightBit)
    case .interlacedTopFirst:
      let source = SampleMedia.numbered(rate: "50", filters: "tinterlace=interleave_top,setfield=tff")
      return (
        "interlaced.mp4", source + x264 + eightBit + ["-flags", "+ilme+ildct", "-x264-params", "tff=1"]
      )
    case .hdrPQ:
      return (
        "pq.mp4",
        numbered + x265 + ["-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"]
          + Self.colors(primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc")
          + Self.x265Log(
            "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:hdr-opt=1:repeat-headers=1:max-cll=1000,400:"
              + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)")
      )
    case .hdrHLG:
      return (
        "hlg.mp4",
        numbered + x265 + ["-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"]
          + Self.colors(primaries: "bt2020", transfer: "arib-std-b67", matrix: "bt2020nc")
          + Self.x265Log("colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc")
      )
    case .fullRange:
      return (
        "fullrange.mp4",
        SampleMedia.numbered(filters: "scale=out_range=full:out_color_matrix=bt709") + x264 + [
          "-pix_fmt", "yuvj420p",
        ]
          + Self.colors(primaries: "bt709", transfer: "bt709", matrix: "bt709")
      )
    case .bt601:
      return (
        "bt601.mp4",
        SampleMedia.numbered(filters: "scale=out_color_matrix=bt601") + x264 + eightBit
          + Self.colors(primaries: "smpte170m", transfer: "smpte170m", matrix: "smpte170m")
      )
    case .mjpegAVI: return ("mjpeg.avi", numbered + ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"])
    case .mpeg4PackedBFrames:
      return ("packed.avi", numbered + ["-c:v", "libxvid", "-bf", "2", "-g", "300", "-q:v", "3"] + eightBit)
    case .audioOnly: return ("sound.m4a", Self.sound + ["-c:a", "aac"])
    case .truncated, .corrupted:
      return (
        "bframes.mkv", numbered + Self.sound + x264 + eightBit + ["-bf", "3", "-g", "15", "-c:a", "aac"]
      )
    case .editList, .tracksAndChapters, .empty, .notMedia: return ("", [])
    }
  }

  private static func colors(primaries: String, transfer: String, matrix: String) -> [String] {
    ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix]
  }

  private static func x265Log(_ parameters: String = "") -> [String] {
    [
      "-x265-params",
      ["log-level=none", "pools=1", parameters].filter { !$0.isEmpty }.joined(separator: ":"),
    ]
  }

  /// `h264BFrames` with another matrix in its track header.
  private func rotated(byQuarters quarters: Int) throws -> String {
    try DisplayMatrix(Orientation(quarterTurns: quarters)).clip(
      of: SampleClip.h264BFrames.path(), size: PixelSize(width: 320, height: 180), name: "\(rawValue).mp4")
  }

  private func damaged(_ change: (inout Data) -> Void) throws -> String {
    let source = try SampleMedia.clip(name: recipe.name, arguments: recipe.arguments)
    return try SampleMedia.file(name: "\(rawValue).mkv", key: [source]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      change(&bytes)
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  private func tracksAndChapters() throws -> String {
    let subtitles = try SampleMedia.file(name: "words.srt", key: ["1"]) { path in
      try Data(
        "1\n00:00:00,500 --> 00:00:01,500\nFirst words\n\n2\n00:00:02,000 --> 00:00:02,800\nLast words\n".utf8
      ).write(to: URL(fileURLWithPath: path))
    }
    let chapters = try SampleMedia.file(name: "chapters.ffmeta", key: ["1"]) { path in
      let marks = [(0, 1000, "Opening"), (1000, 2500, "Middle"), (2500, 3000, "End")].map {
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($0.2)\n"
      }
      try Data((";FFMETADATA1\ntitle=A titled clip\n" + marks.joined()).utf8).write(
        to: URL(fileURLWithPath: path))
    }
    let second = SampleMedia.numbered(width: 160, height: 120, filters: "hue=h=90")
    let files = ["-i", subtitles, "-i", subtitles, "-i", chapters]
    let maps = ["0:v", "1:v", "2:a", "3:a", "4:s", "5:s"].flatMap { ["-map", $0] }
    let languages = [("a:0", "eng"), ("a:1", "deu"), ("s:0", "eng"), ("s:1", "fra")].flatMap {
      ["-metadata:s:\($0.0)", "language=\($0.1)"]
    }
    let codecs = Self.x264 + Self.eightBit + ["-c:a", "libopus", "-c:s", "srt", "-map_metadata", "6"]
    return try SampleMedia.clip(
      name: "tracks.mkv",
      arguments: SampleMedia.numbered() + second + Self.sound + Self.sound + files + maps + codecs + languages
    )
  }
}
