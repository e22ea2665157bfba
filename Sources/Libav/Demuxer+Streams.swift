import CFFmpeg
import Pixels

extension Demuxer {
  /// All streams of the container as plain values.
  public var streams: [StreamInfo] {
    (0..<Int(context.pointee.nb_streams)).map { info(of: stream($0)) }
  }

  private func info(of stream: UnsafeMutablePointer<AVStream>) -> StreamInfo {
    let s = stream.pointee
    let p = s.codecpar.pointee
    let metadata = Self.dictionary(s.metadata)
    let sar = av_guess_sample_aspect_ratio(context, stream, nil)
    return StreamInfo(
      index: Int(s.index),
      kind: Self.kind(p.codec_type),
      codecName: Self.codecName(p),
      codecDescription: Self.codecDescription(p),
      hasDecoder: avcodec_find_decoder(p.codec_id) != nil,
      isEncrypted: Self.isEncrypted(p, metadata),
      timeBase: Ratio(s.time_base.num, s.time_base.den),
      startTime: s.start_time == qd_nopts() ? nil : s.start_time,
      duration: announcedDuration(of: stream),
      frameCount: s.nb_frames,
      averageFrameRate: Ratio(s.avg_frame_rate.num, s.avg_frame_rate.den),
      realFrameRate: Ratio(s.r_frame_rate.num, s.r_frame_rate.den),
      bitRate: p.bit_rate,
      isAttachedPicture: s.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
      isDefault: s.disposition & AV_DISPOSITION_DEFAULT != 0,
      isForced: s.disposition & AV_DISPOSITION_FORCED != 0,
      roles: Self.roles(s.disposition),
      subtitleForm: Self.subtitleForm(p),
      metadata: metadata,
      size: PixelSize(width: Int(p.width), height: Int(p.height)),
      sampleAspectRatio: sar.num > 0 && sar.den > 0 ? Ratio(sar.num, sar.den) : Ratio(1, 1),
      orientation: qd_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36).map(Self.orientation) ?? .upright,
      pixelFormat: p.codec_type == AVMEDIA_TYPE_VIDEO
        ? Self.name(av_get_pix_fmt_name(AVPixelFormat(rawValue: p.format))) : "",
      colorSpace: Self.name(av_color_space_name(p.color_space)),
      colorTransfer: Self.name(av_color_transfer_name(p.color_trc)),
      colorPrimaries: Self.name(av_color_primaries_name(p.color_primaries)),
      colorRange: Self.name(av_color_range_name(p.color_range)),
      fieldOrder: Self.fieldOrder(p.field_order),
      mastering: Self.mastering(of: stream),
      hasAlphaLayer: metadata["alpha_mode"] == "1",
      reorderDelay: Int(p.video_delay),
      sampleRate: Int(p.sample_rate),
      channelCount: Int(p.ch_layout.nb_channels))
  }

  /// Returns a stream's duration in ticks as announced by the container; nil if it is not.
  func announcedDuration(of stream: UnsafeMutablePointer<AVStream>) -> Int64? {
    let s = stream.pointee
    let known = s.duration == qd_nopts() || s.duration <= 0 ? nil : s.duration
    // For AVI, libav reduces the announced duration, at one tick per frame, to the part of the file that exists.
    guard formatName == "avi", s.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO, fileIsCutOff else { return known }
    return max(known ?? 0, s.nb_frames)
  }

  /// Returns true for the sample entries of protected MP4 and iTunes files, and for Matroska streams with a key.
  private static func isEncrypted(_ parameters: AVCodecParameters, _ metadata: [String: String]) -> Bool {
    let tag = withUnsafeBytes(of: parameters.codec_tag.littleEndian) { Array($0) }
    return ["encv", "enca", "drmi", "drms"].contains { tag.elementsEqual($0.utf8) } || metadata["enc_key_id"] != nil
  }

  private static func kind(_ type: AVMediaType) -> StreamInfo.Kind {
    switch type {
    case AVMEDIA_TYPE_VIDEO: .video
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_SUBTITLE: .subtitle
    case AVMEDIA_TYPE_DATA: .data
    case AVMEDIA_TYPE_ATTACHMENT: .attachment
    default: .unknown
    }
  }

  private static func roles(_ disposition: Int32) -> Set<StreamInfo.Role> {
    let flags: [(Int32, StreamInfo.Role)] = [
      (AV_DISPOSITION_ORIGINAL, .original), (AV_DISPOSITION_DUB, .dubbed), (AV_DISPOSITION_COMMENT, .commentary),
      (AV_DISPOSITION_HEARING_IMPAIRED, .hearingImpaired), (AV_DISPOSITION_VISUAL_IMPAIRED, .visuallyImpaired),
      (AV_DISPOSITION_DESCRIPTIONS, .visuallyImpaired), (AV_DISPOSITION_CAPTIONS, .captions),
      (AV_DISPOSITION_LYRICS, .lyrics),
    ]
    return Set(flags.filter { disposition & $0.0 != 0 }.map(\.1))
  }

  private static func subtitleForm(_ p: AVCodecParameters) -> StreamInfo.SubtitleForm? {
    guard p.codec_type == AVMEDIA_TYPE_SUBTITLE, let descriptor = avcodec_descriptor_get(p.codec_id) else { return nil }
    if descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0 { return .text }
    return descriptor.pointee.props & AV_CODEC_PROP_BITMAP_SUB != 0 ? .bitmap : nil
  }

  private static func fieldOrder(_ order: AVFieldOrder) -> StreamInfo.FieldOrder? {
    switch order {
    case AV_FIELD_PROGRESSIVE: .progressive
    // TB and BT are for interleaved fields. QuickTime's specification and libavcodec's header read the second letter as the
    // field displayed first, but Matroska's specification and what FFmpeg writes agree that it is the first one.
    case AV_FIELD_TT, AV_FIELD_TB: .topFirst
    case AV_FIELD_BB, AV_FIELD_BT: .bottomFirst
    default: nil
    }
  }

  /// Reads side data as a C structure; nil if there is none.
  private static func side<T>(_ kind: AVPacketSideDataType, as type: T.Type, of stream: UnsafeMutablePointer<AVStream>) -> T? {
    qd_stream_side_data(stream, kind, MemoryLayout<T>.size).map { UnsafeRawPointer($0).loadUnaligned(as: type) }
  }

  private static func mastering(of stream: UnsafeMutablePointer<AVStream>) -> StreamInfo.Mastering? {
    var result = StreamInfo.Mastering()
    if let display = side(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self, of: stream),
      display.has_luminance != 0, display.max_luminance.den > 0, display.max_luminance.num > 0
    {
      result.peak = Double(display.max_luminance.num) / Double(display.max_luminance.den)
    }
    if let light = side(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self, of: stream) {
      result.maximum = light.MaxCLL > 0 ? Int(light.MaxCLL) : nil
      result.maximumAverage = light.MaxFALL > 0 ? Int(light.MaxFALL) : nil
    }
    if let record = side(AV_PKT_DATA_DOVI_CONF, as: AVDOVIDecoderConfigurationRecord.self, of: stream) {
      result.dolbyVisionProfile = Int(record.dv_profile)
    }
    return result == StreamInfo.Mastering() ? nil : result
  }

  private static func name(_ text: UnsafePointer<CChar>?) -> String { text.map(String.init(cString:)) ?? "" }

  private static func codecName(_ p: AVCodecParameters) -> String {
    guard p.codec_id == AV_CODEC_ID_NONE else { return String(cString: avcodec_get_name(p.codec_id)) }
    // Only the container's four-letter tag is known.
    let letters = (0..<4).map { UInt8(truncatingIfNeeded: p.codec_tag >> (8 * $0)) }
    guard letters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "unknown" }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func codecDescription(_ p: AVCodecParameters) -> String {
    guard let descriptor = avcodec_descriptor_get(p.codec_id) else { return codecName(p) }
    let short = shortName(descriptor.pointee.long_name.map(String.init(cString:)) ?? codecName(p))
    guard let profile = avcodec_profile_name(p.codec_id, p.profile) else { return short }
    return "\(short) (\(String(cString: profile)))"
  }

  /// Returns the common name of a codec from libav's long name: "H.264" of "H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10".
  private static func shortName(_ long: String) -> String {
    let usual = ["H.265 / HEVC": "HEVC", "Alliance for Open Media AV1": "AV1", "On2 VP8": "VP8", "Google VP9": "VP9"]
    let plain = long.split(separator: "(").first.map { $0.trimmingSpaces() } ?? long
    return usual[plain] ?? plain.firstRange(of: " / ").map { String(plain[..<$0.lowerBound]) } ?? plain
  }

  /// Returns the nearest of the eight orientations to a display matrix of nine 32-bit numbers.
  private static func orientation(_ bytes: UnsafePointer<UInt8>) -> Orientation {
    bytes.withMemoryRebound(to: Int32.self, capacity: 9) { matrix in
      // A negative determinant means mirroring, which is undone so that an angle remains.
      let (a, b) = (Int64(matrix[0]), Int64(matrix[1]))
      let (c, d) = (Int64(matrix[3]), Int64(matrix[4]))
      let mirrored = a &* d &- b &* c < 0
      var plain = [Int32](UnsafeBufferPointer(start: matrix, count: 9))
      // An `Orientation` mirrors before it rotates: the image of the x axis changes its sign.
      if mirrored { (plain[0], plain[1]) = (0 &- plain[0], 0 &- plain[1]) }
      let counterclockwise = av_display_rotation_get(plain)
      guard counterclockwise.isFinite else { return .upright }
      return Orientation(
        quarterTurns: Int((-counterclockwise / 90).rounded()), isMirrored: mirrored)
    }
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
