import Glibc
import Libav

/// The source of a clip's bytes: a local file, a pipe or a file on a server, by its name, or an image sequence. Copies share
/// the bytes that arrive over time.
struct MediaInput: Sendable {
  /// The name, taken literally; for an image sequence, the pattern of its names, which is not interpreted.
  let path: String
  /// The extension of a subtitle file's name, for files whose contents do not tell their format; nil for others.
  var subtitleEnding: String?
  /// The frame rate of the clip that a subtitle file belongs to, for files that count frames; nil if unknown.
  var frameRate: Ratio?
  /// The name that helps to find out the format; nil for the path.
  var probedName: String?
  /// The images of a sequence; nil for other sources.
  var sequence: SequenceInput?
  /// Access to servers; nil to permit none.
  private let network: Network?
  /// The file to write what arrives from a live source to; nil for none.
  private let recording: String?
  private let stream = SharedStream()

  /// Identifies an input's contents, to detect other files and changes.
  struct Identity: Hashable, Sendable {
    var numbers: [Int64]
  }

  /// The identity of a regular file, or of the images of a sequence; nil for others, such as a pipe, and if there is no file.
  var identity: Identity? {
    if let files = sequence?.files { return Identity(numbers: [files.stamp, Int64(files.numbers.count), files.byteCount]) }
    guard let status = FileName.status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    let seconds = Int64(status.st_mtim.tv_sec), nanoseconds = Int64(status.st_mtim.tv_nsec)
    return Identity(numbers: [
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
      seconds, nanoseconds,
    ])
  }

  init(
    path: String, network: Network? = nil, recording: String? = nil, subtitleEnding: String? = nil, frameRate: Ratio? = nil, probedName: String? = nil,
    sequence: SequenceInput? = nil
  ) {
    self.path = path
    self.sequence = sequence
    (self.network, self.recording) = (network, recording)
    self.subtitleEnding = subtitleEnding
    self.frameRate = frameRate
    self.probedName = probedName
  }

  /// The bytes that arrive over time; nil for a regular file, and before the input has been opened.
  var arrivals: Arrivals? { stream.bytes?.arrivals }

  /// The state of fetching from a server; nil for other sources.
  var networkStatus: NetworkStatus? { stream.live?.packets.status ?? stream.bytes?.networkStatus }

  /// The live source, once it has been opened; nil for other sources.
  var live: LiveSource? { stream.live }

  /// The segments of HTTP Live Streaming, once it has been opened; nil for other sources.
  var segments: HLSSource? { stream.segments }

  /// Viewers' preferences for a stream with variants.
  var preferences: HLSPreferences { stream.currentPreferences }

  /// Changes what is asked of a stream with variants.
  func updatePreferences(_ body: (inout HLSPreferences) -> Void) { stream.updatePreferences(body) }

  /// True for HTTP Live Streaming and live sources, once they have been opened: they are not read to their end to learn of
  /// something.
  var isSegmented: Bool { segments != nil || live != nil }

  /// The reason that no more data come; nil if they may.
  var failure: PlaybackError? { stream.failure }

  /// True if the input can be opened more than once.
  var canReopen: Bool { arrivals != nil || live != nil || identity != nil }

  /// Opens the input and reads its headers; blocks until done or interrupted.
  ///
  /// - Parameters:
  ///   - appliesEditLists: true for timestamps of what is shown, false for those of the media.
  ///   - role: the use of what is read; it matters for data that arrive over time.
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func open(_ interrupter: Interrupter, appliesEditLists: Bool = true, role: ReadingRole = ReadingRole(.sampling)) throws -> OpenedInput {
    if let sequence { return OpenedInput(try Demuxer.images(of: sequence, interrupter: interrupter), interrupter) }
    if let segments = stream.segments { return try openSegments(segments, role, interrupter) }
    if let live = try stream.openLive(path, network, recording: recording, interrupter) {
      return OpenedInput(try Demuxer.packets(of: live.packets, interrupter: interrupter), interrupter)
    }
    guard let bytes = try stream.open(path, network, interrupter) else { return try openFile(interrupter, appliesEditLists) }
    do {
      let demuxer = try Demuxer(
        bytes.inRole(role), name: probedName ?? path, interrupter: interrupter, appliesEditLists: appliesEditLists)
      return OpenedInput(demuxer, interrupter)
    } catch {
      if interrupter.isInterrupted { throw error }
      if let network, case DemuxerError.playlist(let format) = error, ["hls", "dash"].contains(format) {
        return try openSegments(stream.openSegments(bytes, of: path, network, interrupter), role, interrupter)
      }
      throw bytes.arrivals.status.failure ?? error
    }
  }

  private func openSegments(_ source: HLSSource, _ role: ReadingRole, _ interrupter: Interrupter) throws -> OpenedInput {
    try openSegments(source, source.video, role, interrupter)
  }

  /// Opens a rendition of HTTP Live Streaming: sound with a playlist of its own. Timestamps are on the video's timeline, wherever
  /// the rendition's own begin.
  ///
  /// - Parameters:
  ///   - track: one that stands for a rendition.
  ///   - role: the use of what is read.
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func open(rendition track: AssetTrack, _ interrupter: Interrupter, role: ReadingRole) throws -> OpenedInput {
    guard case .rendition(let index)? = track.streamPart, let source = segments else {
      throw PlaybackError(.playlist, "has no such rendition")
    }
    return try openSegments(source, source.rendition(index, interrupter), role, interrupter)
  }

  private func openSegments(
    _ source: HLSSource, _ supply: HLSSupply, _ role: ReadingRole, _ interrupter: Interrupter
  ) throws -> OpenedInput {
    do {
      let demuxer = try Demuxer.segments(
        of: HLSReading(source, supply, role: role), name: "segment", base: source.base, interrupter: interrupter)
      if supply === source.video, let base = demuxer.segmentBase { source.noteBase(base) }
      return OpenedInput(demuxer, interrupter)
    } catch {
      throw supply.failure ?? error
    }
  }

  private func openFile(_ interrupter: Interrupter, _ appliesEditLists: Bool) throws -> OpenedInput {
    do {
      let demuxer = try Demuxer(
        path: path, interrupter: interrupter, appliesEditLists: appliesEditLists, subtitleEnding: subtitleEnding,
        frameRate: frameRate, probedName: probedName)
      return OpenedInput(demuxer, interrupter)
    } catch FileInputError.notFound {
      guard let scheme = path.networkScheme else { throw FileInputError.notFound }
      throw PlaybackError(.network, "\(scheme): is not supported")
    }
  }

  /// Returns language details of a Matroska file that libavformat omits; nil for other formats and pipes.
  func matroskaLanguages(_ opened: OpenedInput) -> MatroskaLanguages? {
    guard opened.canReopen, opened.demuxer.formatName.hasPrefix("matroska") else { return nil }
    return MatroskaLanguages(ofFile: path)
  }
}

extension String {
  /// The scheme of an address such as `rtsp://…`; nil for other text.
  fileprivate var networkScheme: Substring? {
    guard let range = firstRange(of: "://") else { return nil }
    let scheme = self[..<range.lowerBound]
    let isScheme = !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isScheme ? scheme : nil
  }
}
