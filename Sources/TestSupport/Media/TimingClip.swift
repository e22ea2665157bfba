import Foundation

/// Small clips, one for each way in which packets, time stamps and start points can be awkward for exact seeking.
///
/// 160×96, mostly 25 frames a second for 4 s. `path()` makes a clip at its first use.
public enum TimingClip: String, CaseIterable, Sendable {
  // B-frames, and start points that are none.
  case pyramid, strictPyramid, sixteenBFrames
  case openGOPTransport, openGOPHEVC, openGOPHEVCTransport, openGOPRawHEVC, openGOPMPEG2, openGOPFullChroma
  case intraRefresh, intraRefreshTransport, gop600
  case interlacedTransport, interlacedMPEG2, telecine
  // Time stamps.
  case editListOnBFrame, editListWithBothEnds, editListOpenGOP, editListIntraRefresh, fragmented
  case negative, negativeMP4, huge, coarse, variableRate, variableRateVP9
  case wrap, wrapAtOnce, wrapMPEG2
  case delayed, fragmentedWithIndex, negativeOffsets, equalTimes, backwards, missingDTS, oneFrame, oneFrameTransport
  case h264InMXF, withoutDurations, repackedMPEG4
  case rawMPEG4, rawMPEG2, h264InAVI, rawCopiedToAVI, mpeg4InAVI, unpackedInAVI, gif
  // Several streams in one, and parts of streams.
  case discontinuityForward, discontinuityBack, repeated, wrapThenBack
  case cutAtPacket, cutInsidePacket, cutFarBeforeKey, cutHEVC, cutMPEG2, cutRaw, threeCuts, lostPackets
  case sizeChangeRaw, sizeChangeTransport, sizeChangeFlash, headersOnce, newProgramMap, codecChange
  case jointInGroup, jointInGroupRaw, lostFramesHEVC, flippedBits, cutBeforeKey
  // Other codecs and files.
  case alternateReferenceVP9, alternateReferenceVP8, alternateReferenceIVF, alternateReferenceMP4
  case av1Pyramid, av1Grain, theora, chainedOgg, withoutCues, truncatedAVI, deltaPNG
  case paletteParts, palettesWithoutEnd, palettedZMBV, palettedSMC, microsoftVideo1, cinepak, quickTimeRLE, flashScreen
  case fastStart, h264InFlash
  case splitSuperframes, paletteOnce, everyPacketKey, lateKeysAV1, alphaWithoutKeys

  private static let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"]
  private static let x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
  private static let openHEVC = x265 + [
    "log-level=none:pools=1:open-gop=1:scenecut=0:bframes=4:b-adapt=0:keyint=25"
  ]
  private static let mpeg2 = ["-c:v", "mpeg2video", "-bf", "2", "-g", "15"]
  private static let interlacing = ["-flags", "+ilme+ildct"]
  private static let usual = x264 + ["-bf", "3", "-g", "25"]
  private static let alternate =
    ["-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "5", "-b:v", "200k", "-g", "40"]

  private static func source(
    _ pattern: String = "testsrc2", size: String = "160x96", rate: Int = 25, seconds: Double = 4, filters: String = ""
  ) -> [String] {
    let source = "\(pattern)=size=\(size):rate=\(rate):duration=\(seconds)"
    return ["-f", "lavfi", "-i", filters.isEmpty ? source : source + "," + filters]
  }

  private static func x264(_ parameters: String, bFrames: Int = 3, gop: Int = 25) -> [String] {
    x264 + ["-bf", "\(bFrames)", "-g", "\(gop)", "-x264-params", parameters]
  }

  private static let fields = source(rate: 50, filters: "tinterlace=interleave_top,setfield=tff")
  private static let uneven = source(
    rate: 50, filters: "select='eq(mod(n,7),0)+eq(mod(n,7),1)+eq(mod(n,11),3)'") + ["-fps_mode", "passthrough"]

  /// The path of the clip. Waits while it is made; throws `MediaTool.Failure` when it cannot be.
  public func path() throws -> String {
    switch self {
    case .editListOnBFrame: try part(of: Self.made("edit.mp4", Self.usual), from: 1.3, "cut.mp4")
    case .editListWithBothEnds: try part(of: Self.made("edit.mp4", Self.usual), from: 1.36, "cut.mp4", ["-t", "1.12"])
    case .editListOpenGOP: try part(of: TimingClip.openGOPHEVC.path(), from: 2.5, "cut.mp4")
    case .editListIntraRefresh: try part(of: TimingClip.intraRefresh.path(), from: 2.5, "cut.mp4")
    case .rawCopiedToAVI:
      try SampleMedia.clip(
        name: "raw.avi", arguments: ["-i", "file:" + Self.made("whole.h264", Self.usual), "-c", "copy"])
    case .unpackedInAVI:
      try SampleMedia.clip(
        name: "unpacked.avi",
        arguments: ["-i", "file:" + Self.packed(), "-c", "copy", "-bsf:v", "mpeg4_unpack_bframes"])
    case .repackedMPEG4:
      try SampleMedia.clip(
        name: "repacked.mkv", arguments: ["-fflags", "+genpts", "-i", "file:" + Self.packed(), "-c", "copy"])
    case .discontinuityForward: try joined([Self.first(), Self.second(at: 50)])
    case .discontinuityBack: try joined([Self.second(at: 50), Self.first()])
    case .repeated: try joined([Self.first(), Self.first()])
    case .wrapThenBack: try joined([TimingClip.wrapAtOnce.path(), Self.first()])
    case .chainedOgg:
      try joined([
        TimingClip.theora.path(),
        SampleMedia.clip(
          name: "second.ogv",
          arguments: Self.source("testsrc", size: "128x96", seconds: 2) + ["-c:v", "libtheora", "-pix_fmt", "yuv420p"]),
      ])
    case .cutAtPacket: try cut(Self.first(), at: 188 * 40)
    case .cutFarBeforeKey:
      try cut(
        SampleMedia.clip(
          name: "long.ts",
          arguments: Self.source(seconds: 8) + Self.x264("intra-refresh=1", bFrames: 0, gop: 120)), at: 188 * 40)
    case .cutInsidePacket: try cut(Self.first(), at: 188 * 40 + 77)
    case .cutHEVC:
      try joined([TimingClip.openGOPHEVCTransport.path(), cut(TimingClip.openGOPHEVCTransport.path(), at: 188 * 50)])
    case .cutMPEG2: try cut(Self.made("whole2.ts", Self.mpeg2), at: 188 * 40)
    case .cutRaw: try cut(Self.made("whole.h264", Self.usual), at: nil)
    case .threeCuts:
      try joined(Array(repeating: cut(TimingClip.openGOPTransport.path(), at: 188 * 50), count: 3))
    case .lostPackets:
      try changed(Self.first()) { bytes in
        // Three packets of transport stream in the middle, and one later.
        bytes.removeSubrange(188 * 200..<188 * 201)
        bytes.removeSubrange(188 * 120..<188 * 123)
      }
    case .sizeChangeRaw:
      try joined([
        Self.made("whole.h264", Self.usual),
        SampleMedia.clip(name: "small.h264", arguments: Self.source(size: "96x64", seconds: 2) + Self.usual),
      ])
    case .sizeChangeTransport:
      try joined([
        Self.first(),
        SampleMedia.clip(
          name: "small.ts",
          arguments: Self.source(size: "96x64", seconds: 2) + Self.usual + ["-output_ts_offset", "4"]),
      ])
    case .sizeChangeFlash:
      try joined([
        Self.made("first.flv", Self.usual),
        // Without the file's header.
        changed(
          SampleMedia.clip(
            name: "small.flv",
            arguments: Self.source(size: "96x64", seconds: 2) + Self.usual + ["-output_ts_offset", "4"])
        ) { $0.removeFirst(13) },
      ])
    case .headersOnce:
      try joined(
        ["160x96", "96x64"].map { size in
          let whole = try SampleMedia.clip(name: "\(size).h264", arguments: Self.source(size: size) + Self.usual)
          return try changed(whole) { $0 = Self.withHeadersOnce($0) }
        })
    case .newProgramMap:
      try joined([
        Self.first(),
        SampleMedia.clip(
          name: "map.ts",
          arguments: Self.source("testsrc", seconds: 2) + Self.usual
            + ["-output_ts_offset", "4", "-mpegts_start_pid", "0x200", "-tables_version", "7"]),
      ])
    case .codecChange:
      try joined([
        Self.first(),
        SampleMedia.clip(
          name: "codec.ts",
          arguments: Self.source(seconds: 2) + Self.openHEVC + ["-output_ts_offset", "4", "-tables_version", "7"]),
      ])
    case .flippedBits:
      try changed(TimingClip.openGOPTransport.path()) { bytes in
        for i in stride(from: 188 * 60 + 90, to: bytes.count, by: 188 * 43) { bytes[i] ^= 4 }
      }
    case .splitSuperframes:
      try SampleMedia.clip(
        name: "split.mkv",
        arguments: [
          "-i", "file:" + TimingClip.alternateReferenceVP9.path(), "-c", "copy", "-bsf:v", "vp9_superframe_split",
        ])
    case .paletteParts: try PalettedAVI(count: 100, changesEvery: 3, isCompressed: true).path()
    // More than anybody keeps.
    case .palettesWithoutEnd: try PalettedAVI(count: 6000, changesEvery: 1, isCompressed: false).path()
    case .truncatedAVI: try changed(TimingClip.h264InAVI.path()) { $0.removeLast($0.count / 4) }
    default: try SampleMedia.clip(name: recipe.name, arguments: recipe.arguments)
    }
  }

  private var recipe: (name: String, arguments: [String]) {
    let source = Self.source()
    let usual = source + Self.usual
    switch self {
    case .pyramid:
      return ("pyramid.mp4", source + Self.x264("b-pyramid=normal:b-adapt=0:scenecut=0", bFrames: 7, gop: 50))
    case .strictPyramid:
      return ("strict.mkv", source + Self.x264("b-pyramid=strict:b-adapt=0:scenecut=0", bFrames: 7, gop: 48))
    case .sixteenBFrames: return ("b16.ts", source + Self.x264("b-adapt=0:scenecut=0:ref=16", bFrames: 16, gop: 60))
    case .openGOPTransport: return ("open.ts", source + Self.x264("open-gop=1:scenecut=0:b-adapt=0"))
    case .openGOPHEVC: return ("open265.mp4", source + Self.openHEVC)
    case .openGOPHEVCTransport: return ("open265.ts", source + Self.openHEVC)
    case .openGOPRawHEVC: return ("open.hevc", source + Self.openHEVC)
    case .openGOPMPEG2: return ("open2.ts", source + Self.mpeg2)
    case .openGOPFullChroma: return ("open444.ts", source + Self.x264("open-gop=1") + ["-pix_fmt", "yuv444p"])
    case .intraRefresh: return ("refresh.mp4", source + Self.x264("intra-refresh=1", bFrames: 0, gop: 30))
    case .intraRefreshTransport: return ("refresh.ts", source + Self.x264("intra-refresh=1", bFrames: 2, gop: 30))
    case .gop600: return ("gop600.mp4", Self.source(seconds: 12) + Self.x264("scenecut=0", gop: 600))
    case .interlacedTransport:
      return ("interlaced.ts", Self.fields + Self.x264("tff=1:open-gop=1", bFrames: 2) + Self.interlacing)
    case .interlacedMPEG2:
      return ("interlaced.mpg", Self.fields + Self.mpeg2 + Self.interlacing + ["-alternate_scan", "1", "-top", "1"])
    case .telecine: return ("telecine.vob", Self.source(filters: "telecine") + Self.mpeg2 + Self.interlacing)
    case .fastStart: return ("start.mp4", usual + ["-movflags", "+faststart"])
    case .h264InFlash: return ("h264.flv", usual)
    case .fragmented: return ("fragmented.mp4", usual + ["-movflags", "frag_keyframe+empty_moov"])
    case .negative: return ("negative.mkv", usual + ["-output_ts_offset", "-1", "-avoid_negative_ts", "disabled"])
    case .negativeMP4: return ("negative.mp4", usual + ["-avoid_negative_ts", "disabled", "-use_editlist", "0"])
    case .huge: return ("huge.mkv", usual + ["-output_ts_offset", "100000000"])
    case .coarse: return ("coarse.mp4", usual + ["-video_track_timescale", "7"])
    case .variableRate: return ("vfr.mp4", Self.uneven + Self.usual)
    case .variableRateVP9:
      return ("vfr.webm", Self.uneven + ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime", "-g", "30"])
    // 2³³ ticks of 1/90000 s are 95443.7 s: the wrap comes in the middle, and with the first frame.
    case .wrap: return ("wrap.ts", usual + ["-output_ts_offset", "95440"])
    case .wrapAtOnce: return ("wrap0.ts", usual + ["-muxdelay", "0", "-output_ts_offset", "95443.7176"])
    case .wrapMPEG2: return ("wrap2.ts", source + Self.mpeg2 + ["-output_ts_offset", "95440"])
    case .h264InMXF: return ("h264.mxf", source + Self.x264("open-gop=1", bFrames: 2))
    case .withoutDurations:
      return ("durations.mkv", usual + ["-default_mode", "infer", "-bsf:v", "setts=duration=0"])
    case .rawMPEG4: return ("raw.m4v", source + ["-c:v", "mpeg4", "-bf", "2", "-g", "40"])
    case .rawMPEG2: return ("raw.m2v", source + Self.mpeg2)
    case .h264InAVI: return ("h264.avi", usual)
    case .mpeg4InAVI: return ("mpeg4.avi", source + ["-c:v", "mpeg4", "-bf", "2", "-g", "40"])
    case .gif: return ("moving.gif", Self.source(rate: 20, filters: "split[a][b];[a]palettegen[p];[b][p]paletteuse"))
    case .alternateReferenceVP9: return ("alternate.webm", source + ["-c:v", "libvpx-vp9"] + Self.alternate)
    case .alternateReferenceVP8: return ("alternate8.webm", source + ["-c:v", "libvpx"] + Self.alternate)
    case .alternateReferenceIVF: return ("alternate.ivf", source + ["-c:v", "libvpx-vp9"] + Self.alternate)
    case .alternateReferenceMP4: return ("alternate.mp4", source + ["-c:v", "libvpx-vp9"] + Self.alternate)
    case .av1Pyramid:
      return (
        "av1.mkv",
        source + ["-c:v", "libaom-av1", "-cpu-used", "8", "-lag-in-frames", "16", "-g", "40", "-b:v", "200k"]
      )
    case .av1Grain:
      return (
        "grain.mp4",
        Self.source(seconds: 2)
          + ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "20", "-b:v", "200k", "-denoise-noise-level", "30"]
      )
    case .theora: return ("moving.ogv", source + ["-c:v", "libtheora", "-q:v", "3", "-g", "32"])
    case .withoutCues: return ("live.mkv", usual + ["-live", "1"])
    case .delayed: return ("delayed.mp4", usual + ["-output_ts_offset", "3.3"])
    case .fragmentedWithIndex:
      return ("sidx.mp4", usual + ["-movflags", "frag_keyframe+empty_moov+default_base_moof+global_sidx"])
    case .negativeOffsets:
      return ("offsets.mp4", usual + ["-movflags", "frag_keyframe+empty_moov+negative_cts_offsets"])
    case .equalTimes: return ("equal.mkv", source + Self.x264("", bFrames: 0) + ["-bsf:v", "setts=ts='floor(N/2)*80'"])
    case .backwards:
      return (
        "backwards.mkv", source + Self.x264("", bFrames: 2) + ["-bsf:v", "setts=pts='if(gt(N,50),PTS-800,PTS)'"]
      )
    case .missingDTS: return ("dts.nut", usual + ["-bsf:v", "setts=dts=NOPTS"])
    case .oneFrame: return ("one.mp4", Self.source(seconds: 0.04) + Self.usual)
    case .oneFrameTransport: return ("one.ts", Self.source(seconds: 0.04) + Self.mpeg2)
    // Whole frames are missing: what is left of parts of one depends on what was in the memory before.
    case .lostFramesHEVC:
      return ("lost265.ts", source + Self.openHEVC + ["-bsf:v", "noise=drop='eq(n,40)+eq(n,63)'"])
    case .jointInGroup: return ("joint.ts", source + Self.openHEVC + ["-bsf:v", "noise=drop='between(n,40,66)'"])
    case .jointInGroupRaw: return ("joint.hevc", source + Self.openHEVC + ["-bsf:v", "noise=drop='between(n,40,66)'"])
    case .cutBeforeKey: return ("late.mkv", usual + ["-bsf:v", "noise=drop='lt(n,10)'"])
    case .paletteOnce: return ("palette.mov", Self.source(seconds: 2, filters: "format=pal8") + ["-c:v", "rawvideo"])
    case .palettedZMBV: return ("paletted.avi", Self.source(filters: Self.palette) + ["-c:v", "zmbv", "-g", "30"])
    case .palettedSMC: return ("smc.mov", Self.source(filters: Self.palette) + ["-c:v", "smc", "-g", "30"])
    case .microsoftVideo1: return ("video1.avi", source + ["-c:v", "msvideo1", "-g", "30"])
    case .cinepak: return ("cinepak.avi", Self.source(seconds: 1) + ["-c:v", "cinepak", "-g", "10"])
    case .quickTimeRLE: return ("rle.mov", source + ["-c:v", "qtrle", "-g", "30"])
    case .flashScreen: return ("screen.flv", source + ["-c:v", "flashsv", "-g", "30"])
    case .everyPacketKey: return ("keys.avi", Self.source(size: "176x144") + ["-c:v", "h263p", "-g", "30"])
    case .lateKeysAV1:
      return (
        "late.webm",
        source + ["-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", "irefresh-type=1:keyint=30"]
      )
    // The colours are cut to others, the alpha layer goes on.
    case .alphaWithoutKeys:
      let color = "testsrc2=size=160x96:rate=25:duration=2[a];smptebars=size=160x96:rate=25:duration=2[b];[a][b]concat"
      let alpha = "testsrc=size=160x96:rate=25:duration=4,format=gray"
      return (
        "alpha.webm",
        ["-f", "lavfi", "-i", "\(color)[v];\(alpha)[m];[v][m]alphamerge", "-c:v", "libvpx", "-auto-alt-ref", "0"]
          + ["-g", "250", "-b:v", "300k"]
      )
    case .deltaPNG: return ("moving.apng", source + ["-c:v", "apng", "-g", "30"])
    default: return ("", [])
    }
  }

  private static func made(_ name: String, _ coding: [String]) throws -> String {
    try SampleMedia.clip(name: name, arguments: source() + coding)
  }

  private static func first() throws -> String { try made("first.ts", usual) }

  /// Another clip whose time stamps begin at so many seconds.
  private static func second(at seconds: Int) throws -> String {
    try SampleMedia.clip(
      name: "second.ts", arguments: source("testsrc", seconds: 3) + usual + ["-output_ts_offset", "\(seconds)"])
  }

  private static let palette = "split[a][b];[a]palettegen[p];[b][p]paletteuse"

  private static func packed() throws -> String { try SampleClip.mpeg4PackedBFrames.path() }

  /// A raw stream of H.264 without parameter sets but for the first of each kind.
  private static func withHeadersOnce(_ stream: Data) -> Data {
    let code: [UInt8] = [0, 0, 1]
    var result = Data()
    var rest = stream[...]
    var seen: Set<UInt8> = []
    while let start = rest.firstRange(of: code) {
      rest = rest[start.upperBound...]
      let unit = rest[..<(rest.firstRange(of: code)?.lowerBound ?? rest.endIndex)]
      guard let type = unit.first.map({ $0 & 0x1F }) else { break }
      if ![7, 8].contains(type) || seen.insert(type).inserted { result += code + unit }
    }
    return result
  }

  private func part(of path: String, from seconds: Double, _ name: String, _ more: [String] = []) throws -> String {
    try SampleMedia.clip(
      name: name, arguments: ["-ss", "\(seconds)", "-i", "file:" + path] + more + ["-c", "copy"])
  }

  private func joined(_ paths: [String]) throws -> String {
    try SampleMedia.file(name: rawValue + "." + suffix(of: paths[0]), key: paths) { path in
      let bytes = try paths.reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: $1)) }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  /// Returns the path of the rest of a file from a byte on, or from its middle.
  private func cut(_ source: String, at offset: Int?) throws -> String {
    try changed(source) { $0.removeFirst(offset ?? $0.count / 2) }
  }

  private func changed(_ source: String, _ change: (inout Data) -> Void) throws -> String {
    try SampleMedia.file(name: rawValue + "-part." + suffix(of: source), key: [source]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      change(&bytes)
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  private func suffix(of path: String) -> String { URL(fileURLWithPath: path).pathExtension }
}
