import Libav
import Pixels

/// Encodes every frame of a composition into a file, in order.
///
/// Use from one thread.
final class CompositionEncoding {
  private let asset: Asset
  private let cancellation: RenderCancellation
  private let source: any FrameSource
  private let timeline: PresentationTimeline
  private let track: AssetTrack
  private let format: VideoFormat
  private let options: VideoRenderer.Options
  private let frameRate: Ratio

  private static let threads = 2

  /// Opens the composition and its frame index; blocks until done.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below.
  init(
    _ composition: Composition, _ path: String, _ options: VideoRenderer.Options, _ cancellation: RenderCancellation
  ) throws {
    self.cancellation = cancellation
    self.options = options
    asset = Asset(composition: composition, path: path)
    let facts = try asset.wait(for: .facts)
    guard let track = facts.preferredVideoTrack else { throw PlaybackError(.noVideo, "nothing to render") }
    self.track = track
    let session = InputSession(asset.input)
    cancellation.whenCancelled { session.interrupt() }
    source = try asset.openSource(of: track, facts, session: session, threads: Self.threads)
    if let index = source.index { try cancellation.wait(for: index) }
    guard let timeline = source.index?.timeline else {
      throw asset.missingClips.first.map(Self.failure) ?? PlaybackError(.noVideo, "no frames to render")
    }
    self.timeline = timeline
    let model = asset.composition?.models.lazy
      .compactMap { try? $0.clip.asset.wait(for: .facts).videoTrack($0.clip.videoTrack) }.first
    format = try Self.format(of: composition, track, model)
    let duration = composition.videoComposition.frameDuration
    frameRate = duration?.rate ?? model?.frameRate ?? Ratio(Int32(saturating: (track.nominalFrameRate * 1000).rounded()), 1000)
  }

  /// The error for a clip that failed.
  private static func failure(_ clip: MissingClip) -> PlaybackError {
    let error = clip.namedError
    return PlaybackError(error.reason, "cannot render: \(error.message)", file: error.file, line: error.line)
  }

  // MARK: - The format

  private static func format(
    of composition: Composition, _ track: AssetTrack, _ model: AssetTrack?
  ) throws -> VideoFormat {
    let video = composition.videoComposition
    let wanted = video.pixelFormat ?? model?.pixelFormat ?? ""
    let pixelFormat = wanted.isEmpty ? "yuv420p" : wanted
    guard VideoFormat.isPixelFormat(pixelFormat) else {
      throw PlaybackError(.invalidEdit, "cannot render: unknown pixel format \(pixelFormat)")
    }
    var format = VideoFormat(
      size: track.presentationSize, pixelFormat: pixelFormat, colorSpace: model?.colorSpace ?? "",
      colorTransfer: model?.colorTransfer ?? "", colorPrimaries: model?.colorPrimaries ?? "",
      colorRange: model?.colorRange ?? "")
    // Keep the first piece's own pixels, whatever their shape.
    if video.renderSize == nil, let model, model.orientation == .upright, model.presentationSize == track.presentationSize {
      format.size = model.codedSize
      if model.sampleAspectRatio.isPositive { format.sampleAspectRatio = model.sampleAspectRatio }
    }
    return format
  }

  // MARK: - Writing

  /// Writes the file.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func write(_ muxer: Muxer, _ progress: (VideoRenderer.Progress) -> Void) throws -> VideoRenderer.Result {
    let encoder = try VideoEncoder(
      codec: options.codec ?? "ffv1", format: format, frameRate: frameRate, threads: Self.threads, hasGlobalHeader: muxer.hasGlobalHeader)
    let fitter = FrameFitter(encoder.format, presentationSize: track.presentationSize)
    let (timeBase, constantRate) = times()
    let stream = try muxer.addStream(from: encoder, timeBase: timeBase, frameRate: constantRate)
    let cues = try asset.composition?.textSeen(with: timeline, cancellation.check) ?? []
    let text = try TextTrackWriter(cues, size: track.presentationSize, muxer, videoTick: timeBase) { [timeline] time in
      let holding = timeline.frameNumber(at: time)
      return timeline.time(ofFrame: holding).flatMap { $0 < time ? $0 : timeline.time(ofFrame: holding - 1) }
    }
    let sound = options.includesSound
      ? try SoundTrackWriter(asset, muxer, codec: options.soundCodec, isLossless: options.codec == nil, cancellation) : nil
    try muxer.add(asset.loadedValue(of: .chapters) ?? [])
    try muxer.writeHeader()
    let packets = try PacketWriter(encoder, muxer, stream, timeBase, text, sound)
    var end = MediaTime.zero
    try source.rewind()
    loop: while true {
      try cancellation.check()
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: break loop
      case .frame(let frame):
        if let missing = asset.missingClips.first { throw Self.failure(missing) }
        try packets.send(fitter.fit(frame), from: frame.timing.pts, to: frame.timing.end)
        end = frame.timing.end
        progress(VideoRenderer.Progress(completed: packets.frameCount, total: max(packets.frameCount, timeline.frameCount)))
      }
    }
    guard packets.frameCount > 0 else { throw PlaybackError(.noVideo, "no frames to render") }
    try packets.finish()
    return VideoRenderer.Result(
      frameCount: packets.frameCount, duration: end, codec: encoder.name, soundCodec: sound?.codec, lacksText: text == nil && !cues.isEmpty)
  }

  /// Returns a time base that suits all frames, and the frame rate if all have the same duration.
  private func times() -> (timeBase: Ratio, constantRate: Ratio?) {
    var length: MediaTime?
    var isConstant = true
    var last = MediaTime.zero
    for number in 0..<timeline.frameCount {
      guard let time = timeline.time(ofFrame: number) else { continue }
      if number > 0 {
        let own = time - last
        isConstant = isConstant && (length ?? own) == own
        length = length ?? own
      }
      last = time
    }
    return (RenderTimeBase(timeline, end: track.duration).tick, isConstant ? length?.rate ?? (frameRate.isPositive ? frameRate : nil) : nil)
  }
}
