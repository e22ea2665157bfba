import CFFmpeg

extension Demuxer {
  /// Formats of subtitles by the extension of the file's name. `.sub` may be one of several, of which this one is the least
  /// recognisable.
  private static let subtitleFormats = [
    "srt": "srt", "vtt": "webvtt", "ass": "ass", "ssa": "ass", "smi": "sami", "sami": "sami", "mpl": "mpl2", "sub": "mpl2",
    "jss": "jacosub", "stl": "stl", "rt": "realtext", "scc": "scc",
  ]

  /// Returns the format of a file, and true if only the file's name suggests it.
  static func probe(
    _ input: ByteInput, name: String, _ subtitleEnding: String?
  ) throws -> (format: UnsafePointer<AVInputFormat>, isAssumed: Bool) {
    do {
      let format = try probe(input, name: name)
      // These take any text, and any line in brackets.
      if !["tty", "bin", "lrc"].contains(String(cString: format.pointee.name)) { return (format, false) }
      return assumedFormat(subtitleEnding).map { ($0, true) } ?? (format, false)
    } catch DemuxerError.unknownFormat {
      guard let format = assumedFormat(subtitleEnding) else { throw DemuxerError.unknownFormat }
      return (format, true)
    }
  }

  private static func assumedFormat(_ subtitleEnding: String?) -> UnsafePointer<AVInputFormat>? {
    subtitleEnding.flatMap { subtitleFormats[$0] }.flatMap { av_find_input_format($0) }
  }

  /// Rejects a file of an assumed format in which nothing can be read.
  func refuseWithoutPackets() throws {
    guard try read(into: Packet()) == .packet else { throw DemuxerError.unknownFormat }
    try seekToFirstSubtitle()
  }

  /// Seeks to the beginning of a subtitle file, wherever its first subtitle is.
  ///
  /// - Throws: `AVError` if it cannot.
  public func seekToFirstSubtitle() throws {
    try AVError.check(avformat_seek_file(context, -1, .min, 0, .max, 0), "rewinding")
  }
}
