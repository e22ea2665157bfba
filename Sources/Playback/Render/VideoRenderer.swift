import DecodePool
import Libav
import Pixels

/// Writes an asset's video, such as a composition, to a file: every frame, exactly, and its sound.
///
/// Frames from a single clip keep its decoded pixels if size, pixel format and colours match the file; other frames are
/// scaled or mixed at the file's size. Overlay text becomes a track in containers that support it: Matroska, which keeps
/// positions, styles and fades, WebM, MP4 and QuickTime. Sound has one or two channels, and is in sync whatever delay its encoder
/// has. The title and chapters are kept. If neither the composition nor
/// `Options` sets a frame rate, frames keep the clips' own times.
public final class VideoRenderer: Sendable {
  /// Options for rendering.
  public struct Options: Hashable, Sendable {
    /// Name of a codec or an FFmpeg encoder: "h264", "libx265". Nil for lossless FFV1.
    public var codec: String?
    /// True to copy packets instead of decoding; cuts move to the nearest places where copying is possible.
    ///
    /// All pieces must be encoded alike, their sound too unless it is left out, and play at normal speed and volume, with no
    /// overlays except text and no audio tracks. Sound is cut between its packets, so that it begins and ends up to half a
    /// packet early or late at cuts. `codec`, `soundCodec`, `size` and `frameRate` must be nil. A frame rate set in the composition must match that of the pieces.
    public var copiesPackets = false
    /// False to leave out the sound.
    public var includesSound = true
    /// Name of a codec or an FFmpeg encoder for the sound: "aac", "libopus", "flac", "pcm_s16le". Nil for one that suits the
    /// container: lossless if `codec` is nil, else AAC in MP4 and QuickTime, and Opus in Matroska and WebM.
    public var soundCodec: String?
    /// Size of the frames in pixels, each side 1…16384; nil for that of the composition, or of its first piece.
    public var size: PixelSize?
    /// Frames per second; nil for the composition's rate, or the pieces' own times.
    public var frameRate: Ratio?
    /// The file extension that selects the container, such as "mkv"; nil for that of the output file.
    public var fileExtension: String?

    /// Creates options for lossless rendering in the composition's own size and rate.
    public init() {}
  }

  /// The progress of rendering.
  public struct Progress: Hashable, Sendable {
    /// Frames completed.
    public var completed: Int
    /// Total frames, as far as known.
    public var total: Int
  }

  /// A cut that was moved to a place where packets can be cut.
  public struct MovedCut: Hashable, Sendable {
    /// An end of a piece.
    public enum Edge: Hashable, Sendable {
      /// The start, which moves earlier.
      case start
      /// The end, which moves later.
      case end
    }

    /// Index of the piece, from 0.
    public var piece: Int
    /// The end that was moved.
    public var edge: Edge
    /// The distance moved; above zero.
    public var distance: MediaTime
  }

  /// A summary of the file written.
  public struct Result: Hashable, Sendable {
    /// Number of frames in the file.
    public var frameCount: Int
    /// Duration of the video.
    public var duration: MediaTime
    /// FFmpeg's name of the encoder, or of the codec if packets were copied.
    public var codec: String
    /// FFmpeg's name of the encoder of the sound, or of its codec if packets were copied; nil if there is none.
    public var soundCodec: String?
    /// Cuts that were moved, in order.
    public var movedCuts: [MovedCut] = []
    /// True if overlay text was omitted because the container does not support it.
    public var lacksText = false
    /// True if the clips have subtitles, which are not written.
    public var lacksSubtitles = false
    /// True if the clips have sound that was not written.
    public var lacksSound = false
  }

  private let asset: Asset
  private let options: Options
  private let cancellation = RenderCancellation()

  /// Creates a renderer without reading anything.
  public init(asset: Asset, options: Options = Options()) {
    self.asset = asset
    self.options = options
  }

  /// Writes the file; blocks until done. Call it only once.
  ///
  /// The file extension selects the container. A regular file is written completely, replacing an existing one, or not at
  /// all; it is opened once more to check that it shows the first frame. Files that the composition uses are never
  /// overwritten.
  ///
  /// - Parameters:
  ///   - path: as returned by `Asset.path(ofBytes:)`.
  ///   - progress: called after each frame, on the calling thread.
  /// - Throws: `PlaybackError`; with reason `cancelled` after `cancel()`. `message(naming:)` names the output file, or the
  ///   asset's if the error concerns that one. Missing or unreadable media is reported in full before anything is written.
  public func render(to path: String, progress: (Progress) -> Void = { _ in }) throws -> Result {
    try render(to: path, sparing: [], progress: progress)
  }

  /// - Parameter clips: further files that must not be overwritten.
  package func render(
    to path: String, sparing clips: [String], progress: (Progress) -> Void = { _ in }
  ) throws -> Result {
    do {
      let composition = try concerningInput { try self.composition() }
      let spared = clips + [asset.path] + composition.paths
      let file = try OutputFile(path, sparing: spared)
      var result = try file.stream(sparing: spared) { descriptor, writtenPath in
        try concerningInput {
          try write(composition, as: options.fileExtension ?? FileName.ending(of: path), to: descriptor, writtenPath, progress)
        }
      }
      result.lacksSubtitles = composition.has(.legible)
      result.lacksSound = result.soundCodec == nil && composition.has(.audible)
      return result
    } catch {
      try cancellation.check()
      throw PlaybackError(error)
    }
  }

  /// Writes the file, and checks it if it can be read.
  private func write(
    _ composition: Composition, as ending: String, to descriptor: Int32, _ path: String?, _ progress: (Progress) -> Void
  ) throws -> Result {
    let muxer = try Muxer(ending: ending, descriptor: descriptor, isSeekable: path != nil)
    if let title = composition.title { muxer.setTitle(title) }
    // Before writing: afterwards, clips may be gone.
    let first = try path.map { _ in
      try RenderCheck.firstImage(of: Asset(composition: composition, path: asset.path), cancellation)
    }
    let result: Result
    if options.copiesPackets {
      result = try PacketCopy(composition, includesSound: options.includesSound, cancellation).write(muxer, progress)
    } else {
      result = try CompositionEncoding(composition, asset.path, options, cancellation).write(muxer, progress)
    }
    guard let path else { return result }
    let isMoved = result.movedCuts.first.map { $0.piece == 0 && $0.edge == .start } ?? false
    let written = Asset(file: path, probedAs: "file.\(ending)")
    guard try RenderCheck.shows(isMoved ? nil : first, written, cancellation) else {
      throw MuxerError.cannotBeReadBack(codec: result.codec, container: muxer.name)
    }
    if let codec = result.soundCodec, try !RenderCheck.sounds(written, cancellation) {
      throw MuxerError.cannotBeReadBack(codec: codec, container: muxer.name)
    }
    return result
  }

  /// Returns the result of `body`; its errors concern the asset, except those of encoding and of the output file.
  private func concerningInput<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch where error is MuxerError || error is VideoEncoderError || error is SoundEncoderError || error is FileOutputError {
      throw error
    } catch {
      throw PlaybackError(error).concerning(asset.path)
    }
  }

  /// Writes the file like the other `render`, on a separate thread.
  ///
  /// Cancelling the task cancels the rendering, which leaves no file.
  ///
  /// - Parameters:
  ///   - path: as returned by `Asset.path(ofBytes:)`.
  ///   - progress: called after each frame, on that thread.
  /// - Returns: a summary, which tells what of the clips the file lacks.
  /// - Throws: as the other `render`.
  public func render(
    to path: String, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
        runInBackground(detachThread) { [self] in
          continuation.resume(with: Swift.Result { try render(to: path, sparing: [], progress: progress) })
        } refused: {
          continuation.resume(throwing: $0)
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Makes `render` end soon, leaving no file. May be called from any thread.
  public func cancel() { cancellation.cancel() }

  /// Returns the composition to render, with the options' size and rate.
  private func composition() throws -> Composition {
    let facts = try cancellation.facts(of: asset)
    var composition = try asset.composition?.composition ?? whole(facts)
    guard composition.duration > .zero else { throw PlaybackError(.noVideo, "nothing to render") }
    if let missing = PlaybackError(listing: try MissingPieces(composition, cancellation).all) {
      throw PlaybackError(missing.reason, "cannot render: \(missing.message)", file: missing.file, line: missing.line)
    }
    if let size = options.size {
      let sides = 1...FrameGeometry.maxSide
      guard sides.contains(size.width), sides.contains(size.height) else {
        throw PlaybackError(.invalidEdit, "cannot render at \(size): a side must have 1 to \(FrameGeometry.maxSide) pixels")
      }
      composition.videoComposition.renderSize = size
    }
    if let rate = options.frameRate {
      composition.videoComposition.frameDuration = MediaTime(ticks: 1, in: rate.inverse)
    }
    return composition
  }

  /// Returns a clip as a composition of one piece.
  private func whole(_ facts: AssetFacts) throws -> Composition {
    guard let track = facts.preferredVideoTrack else { throw MovieSource.noVideo(facts) }
    let timeline = try cancellation.index(of: asset, nil)?.timeline
    var end = timeline?.duration ?? facts.length(of: track) ?? .zero
    if let timeline, let last = timeline.time(ofFrame: timeline.frameCount - 1), end <= last {
      end = last + MediaTime(seconds: 1 / (track.nominalFrameRate > 0 ? track.nominalFrameRate : 25), preferredTimescale: 90_000)
    }
    guard end > .zero else { throw PlaybackError(.damaged, "length is unknown") }
    var composition = Composition()
    try composition.append(TimeRange(start: .zero, duration: end), of: asset)
    (composition.title, composition.chapters) = (facts.title, facts.chapters)
    return composition
  }
}

extension Composition {
  /// Returns true if clips whose facts are loaded have tracks with a characteristic.
  fileprivate func has(_ characteristic: MediaCharacteristic) -> Bool {
    (tracks + audioTracks).lazy.flatMap(\.segments).contains { segment in
      guard case .clip(let clip) = segment.content else { return false }
      if let inner = clip.asset.composition?.composition { return inner.has(characteristic) }
      return clip.asset.loadedValue(of: .tracks)?.contains { $0.characteristic == characteristic } ?? false
    }
  }
}
