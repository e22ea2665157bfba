import Libav
import Pixels

/// Writes what an asset shows, such as a movie made of pieces, into a video file: every frame, exactly, without sound.
///
/// Frames that are one clip's alone keep the pixels that its decoder gave, where size, pixel format and colours are the
/// file's; others are scaled or mixed at the file's size. Text over the frames is a track of its own in containers that have such:
/// Matroska, where it keeps its places, styles and fades, WebM, MP4 and QuickTime. Title and chapters are kept. Where neither the movie nor `Options` say a frame
/// rate, frames have the clips' own times.
public final class VideoRenderer: Sendable {
  /// How a file is made.
  public struct Options: Hashable, Sendable {
    /// Name of a codec, or of one of FFmpeg's encoders: "h264", "libx265". Nil codes without loss, by FFV1.
    public var codec: String?
    /// Whether packets are copied, not decoded: where a cut lies between two places at which that can be, it moves.
    ///
    /// All pieces have to be coded alike, at their own speed, with nothing but text over them; `codec`, `size` and `frameRate`
    /// are to be nil. A frame rate of the movie has to be that of the pieces' frames.
    public var copiesPackets = false
    /// Of the frames, in pixels; nil for that of the movie, or of its first piece.
    public var size: PixelSize?
    /// Frames a second; nil for that of the movie, or for the pieces' own times.
    public var frameRate: Ratio?

    /// Lossless, in the movie's own size and rate.
    public init() {}
  }

  /// How far a rendering has come.
  public struct Progress: Hashable, Sendable {
    /// Frames that are done.
    public var completed: Int
    /// Frames in all, as far as is known.
    public var total: Int
  }

  /// A cut that was moved to where packets can be cut.
  public struct MovedCut: Hashable, Sendable {
    /// Which end of a piece.
    public enum Edge: Hashable, Sendable {
      /// It begins earlier.
      case start
      /// It ends later.
      case end
    }

    /// Counted from 0 among the pieces.
    public var piece: Int
    /// Which end of the piece.
    public var edge: Edge
    /// How far; above zero.
    public var distance: MediaTime
  }

  /// What was written.
  public struct Result: Hashable, Sendable {
    /// Frames in the file.
    public var frameCount: Int
    /// Length of what it shows.
    public var duration: MediaTime
    /// FFmpeg's name of the encoder, or of the codec where packets were copied.
    public var codec: String
    /// Cuts that are elsewhere than the movie has them, in order.
    public var movedCuts: [MovedCut] = []
    /// Whether there is text over the movie's frames that is not in the file, whose container holds none.
    public var lacksText = false
    /// Whether the movie's clips have subtitles, which are not in the file.
    public var lacksSubtitles = false
  }

  private let asset: Asset
  private let options: Options
  private let cancellation = RenderCancellation()

  /// Reads nothing.
  public init(asset: Asset, options: Options = Options()) {
    self.asset = asset
    self.options = options
  }

  /// Writes the file; blocks until that is done. To be called once.
  ///
  /// The name's ending tells the container. Of a regular file there is either all, in the place of what had that name, or
  /// nothing. Files that the movie is made of are not written.
  ///
  /// - Parameters:
  ///   - path: as `Asset.path(ofBytes:)` makes it.
  ///   - clips: names of more files that must not be written.
  ///   - progress: called after each frame, on the caller's thread.
  /// - Throws: `PlaybackError`, in words that go behind the name of the file; with reason `cancelled` after `cancel()`. What
  ///   is wrong with a clip names the clip. All that is missing or cannot be opened is named before anything is written.
  public func render(
    to path: String, sparing clips: [String] = [], progress: (Progress) -> Void = { _ in }
  ) throws -> Result {
    do {
      let composition = try composition()
      let spared = clips + [asset.path] + composition.paths
      let file = try OutputFile(path, sparing: spared)
      var result = try file.stream(sparing: spared) { descriptor, isSeekable in
        let muxer = try Muxer(ending: FileName.ending(of: path), descriptor: descriptor, isSeekable: isSeekable)
        if let title = composition.title { muxer.setTitle(title) }
        if options.copiesPackets {
          return try PacketCopy(composition, cancellation).write(muxer, progress)
        }
        return try CompositionEncoding(composition, asset.path, options.codec, cancellation).write(muxer, progress)
      }
      result.lacksSubtitles = composition.hasSubtitles
      return result
    } catch {
      try cancellation.check()
      throw PlaybackError(error)
    }
  }

  /// Ends `render` soon; nothing is left of the file. From any thread.
  public func cancel() { cancellation.cancel() }

  /// What is to be rendered, with the options' size and rate.
  private func composition() throws -> Composition {
    let facts = try cancellation.facts(of: asset)
    var composition = try asset.composition?.composition ?? whole(facts)
    guard composition.duration > .zero else { throw PlaybackError(.noVideo, "has no video") }
    if let missing = try MissingPieces(composition, cancellation).error { throw missing }
    if let size = options.size { composition.videoComposition.renderSize = size }
    if let rate = options.frameRate {
      composition.videoComposition.frameDuration = MediaTime(ticks: 1, in: rate.inverse)
    }
    return composition
  }

  /// A clip as a movie of one piece.
  private func whole(_ facts: AssetFacts) throws -> Composition {
    guard let track = facts.preferredVideoTrack else { throw MovieSource.noVideo(facts) }
    let timeline = try cancellation.index(of: asset, nil)?.timeline
    var end = timeline?.duration ?? facts.length(of: track) ?? .zero
    if let timeline, let last = timeline.time(ofFrame: timeline.frameCount - 1), end <= last {
      end = last + MediaTime(seconds: 1 / (track.nominalFrameRate > 0 ? track.nominalFrameRate : 25), preferredTimescale: 90_000)
    }
    guard end > .zero else { throw PlaybackError(.damaged, "\(asset.path): length is unknown") }
    var composition = Composition()
    try composition.append(TimeRange(start: .zero, duration: end), of: asset)
    (composition.title, composition.chapters) = (facts.title, facts.chapters)
    return composition
  }
}

extension Composition {
  /// Whether clips whose facts are loaded have subtitles.
  fileprivate var hasSubtitles: Bool {
    tracks.lazy.flatMap(\.segments).contains { segment in
      guard case .clip(let clip) = segment.content else { return false }
      if let inner = clip.asset.composition?.composition { return inner.hasSubtitles }
      return clip.asset.loadedValue(of: .tracks)?.contains { $0.characteristic == .legible } ?? false
    }
  }
}
