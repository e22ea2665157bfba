import Libav
import Pixels

/// Copies the packets of a composition's pieces into a file, without decoding them.
///
/// A piece starts at a random access point that resets the decoder, and ends where the packets up to there give gapless
/// frames. Use from one thread.
final class PacketCopy {
  private let segments: [CopySegment]
  private let movedCuts: [VideoRenderer.MovedCut]
  private let duration: MediaTime
  /// Overlay text, at the movie's times.
  private let text: [SubtitleCue]
  private let chapters: [Chapter]
  private let movieDuration: MediaTime
  private let cancellation: RenderCancellation
  private let sound: [SoundCopy.Piece]

  /// Finds out what to copy; blocks until done.
  ///
  /// - Throws: `PlaybackError` if the pieces cannot be copied, or an error of the layer below.
  init(_ composition: Composition, includesSound: Bool, _ cancellation: RenderCancellation) throws {
    self.cancellation = cancellation
    let clips = try Self.clips(of: composition)
    let isHeard = includesSound ? try Self.heardPieces(of: composition) : []
    let files = CopyFiles()
    var sources: [CopySource] = []
    var segments: [CopySegment] = []
    var movieTime = MediaTime.zero
    for (number, clip) in clips.enumerated() {
      try cancellation.check()
      let source: CopySource
      if let known = sources.first(where: { $0.clip.hasSameSource(as: clip) }) {
        source = known
      } else {
        source = try CopySource(clip, files, cancellation)
        sources.append(source)
      }
      let wanted = source.frames(of: clip)
      // If a piece continues in the middle of a frame, both show it.
      if let last = segments.last, last.source === source, last.range.end == clip.timeRange.start,
        !includesSound || isHeard.contains(number - 1) == isHeard.contains(number),
        (last.frames.upperBound - 1...last.frames.upperBound).contains(wanted.lowerBound) {
        segments[segments.count - 1].extend(to: wanted.upperBound, clip.timeRange.end, piece: number)
      } else {
        segments.append(CopySegment(source, wanted, clip.timeRange, piece: number, at: movieTime))
      }
      movieTime = movieTime + clip.timeRange.duration
    }
    var place = MediaTime.zero
    for i in segments.indices {
      try segments[i].cut(at: place)
      place = place + segments[i].range.duration
      guard segments[i].signature == segments[0].signature else {
        throw Self.refusal("piece \(segments[i].pieces.lowerBound + 1) is encoded differently from the first")
      }
    }
    if let length = composition.videoComposition.frameDuration { try Self.check(segments, haveFramesOf: length) }
    self.segments = segments
    sound = segments.filter { isHeard.contains($0.pieces.lowerBound) }.compactMap(\.sound)
    movedCuts = segments.flatMap(\.movedCuts)
    duration = place
    text = try CompositionMedia(composition).textSeen(with: nil, cancellation.check)
    chapters = composition.chapters
    movieDuration = movieTime
  }

  /// Returns the display range of a range of the movie.
  private func placed(_ range: TimeRange) -> TimeRange {
    let first = segments.last { $0.movieStart <= range.start }, last = segments.last { $0.movieStart < range.end }
    return TimeRange(
      start: first?.time(ofMovie: range.start) ?? range.start, end: min(last?.time(ofMovie: range.end) ?? range.end, duration))
  }

  static func refusal(_ why: String) -> PlaybackError { PlaybackError(.invalidEdit, "cannot copy: \(why)") }

  /// Returns the pieces if they are plain ranges of files.
  private static func clips(of composition: Composition) throws -> [CompositionClip] {
    let video = composition.videoComposition
    guard video.instructions.isEmpty else { throw refusal("it has transitions") }
    let isCovered = video.overlays.contains { if case .text = $0.content { false } else { true } }
    guard !isCovered else { throw refusal("it has overlays other than text") }
    guard video.renderSize == nil, video.pixelFormat == nil else {
      throw refusal("it sets a size or a pixel format")
    }
    let tracks = composition.tracks.filter { track in track.segments.contains { $0.content != .empty } }
    guard let track = tracks.first else { throw refusal("it has no pieces") }
    guard tracks.count == 1 else { throw refusal("it has more than one track") }
    return try track.segments.enumerated().map { number, segment in
      let clip: CompositionClip
      switch segment.content {
      case .empty: throw refusal("piece \(number + 1) is empty")
      case .missing(let name, let reason): throw refusal("piece \(number + 1) is missing: \(name): \(reason)")
      case .clip(let content): clip = content
      }
      guard clip.asset.composition == nil else { throw refusal("piece \(number + 1) is itself a movie") }
      guard clip.direction == .forward, clip.timeRange.duration == segment.timeRange.duration else {
        throw refusal("piece \(number + 1) does not play forwards at normal speed")
      }
      return clip
    }
  }

  /// Returns the indices of the pieces whose sound is heard.
  private static func heardPieces(of composition: Composition) throws -> Set<Int> {
    let hint = "; leave the sound out"
    guard composition.audioTracks.isEmpty else { throw refusal("it has audio tracks\(hint)") }
    let number = composition.tracks.firstIndex { track in track.segments.contains { $0.content != .empty } } ?? 0
    let form = SoundForm(rate: 48_000, channels: 1)
    let gain = SoundGain(composition.audioMix.volumes[number] ?? AudioVolume(), rate: form.rate)
    var heard: Set<Int> = []
    for (piece, segment) in composition.tracks[number].segments.enumerated() {
      let samples = form.index(of: segment.timeRange.start)..<form.index(of: segment.timeRange.end)
      guard !samples.isEmpty, !gain.isSilent(in: samples) else { continue }
      guard gain.constant(in: samples) == 1 else { throw refusal("piece \(piece + 1) changes the volume\(hint)") }
      heard.insert(piece)
    }
    return heard
  }

  /// Checks that the requested frame rate is that of the frames: each starts one frame duration after the previous one.
  private static func check(_ segments: [CopySegment], haveFramesOf length: MediaTime) throws {
    var (number, drift) = (0, MediaTime.zero)
    for segment in segments {
      // Timestamps differ from the true times of their frames, but not by a significant part of a frame.
      let tick = MediaTime(ticks: 1, in: segment.source.track.timeBase)
      let tolerance = tick * 4 <= length ? tick : .zero
      for time in segment.packets.map(segment.time).sorted() {
        let expected = length * number
        guard max(time - expected, expected - time) <= min(tolerance + drift, length) else {
          throw refusal(
            "piece \(segment.pieces.lowerBound + 1) (\(segment.source.clip.asset.path)) does not have one frame every \(length.seconds) s")
        }
        number += 1
      }
      // Moved cuts are also at timestamps.
      drift = drift + tolerance * segment.movedCuts.count
    }
  }

  // MARK: - Writing

  /// Writes the file.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func write(_ muxer: Muxer, _ progress: (VideoRenderer.Progress) -> Void) throws -> VideoRenderer.Result {
    guard let first = segments.first?.source else { throw Self.refusal("it has no pieces") }
    // Packets in order, with the times of their frames.
    let exactTimes = segments.flatMap { segment in segment.packets.map { segment.time(of: $0) } }
    let timeBase = timeBase(for: exactTimes)
    let times = exactTimes.map { $0.ticks(of: timeBase) }
    let order = times.sorted()
    let end = duration.ticks(of: timeBase)
    let decoding = Self.decodingTimes(times, order, end)
    let stream = try muxer.addStream(copying: first.file().demuxer, stream: first.track.index, timeBase: timeBase, frameRate: Self.rate(of: exactTimes, end: duration))
    let cues = text.map { cue in
      var cue = cue
      cue.timeRange = placed(cue.timeRange)
      return cue
    }
    let text = try TextTrackWriter(cues, size: first.track.presentationSize, muxer, videoTick: timeBase) { [sorted = exactTimes.sorted()] time in
      let next = sorted.partitioningIndex { $0 >= time }
      return next > 0 ? sorted[next - 1] : nil
    }
    let shown = chapters.filter { $0.timeRange.start < movieDuration }
    try muxer.add(shown.map { Chapter(timeRange: placed($0.timeRange), title: $0.title) })
    let sound = try SoundCopy(sound, muxer, cancellation)
    try muxer.writeHeader()
    var done = 0
    for segment in segments {
      try segment.source.file().read(segment) { packet in
        try cancellation.check()
        try text?.write(through: exactTimes[done])
        try sound?.write(through: MediaTime(ticks: decoding[done], in: timeBase))
        let next = order.partitioningIndex { $0 > times[done] }
        try muxer.write(
          packet, to: stream, pts: times[done], dts: decoding[done],
          duration: (next < order.count ? order[next] : end) - times[done])
        done += 1
        progress(VideoRenderer.Progress(completed: done, total: times.count))
      }
    }
    try text?.write(through: .positiveInfinity)
    try sound?.write(through: .positiveInfinity)
    try muxer.finish()
    return VideoRenderer.Result(
      frameCount: done, duration: duration, codec: first.track.codec, soundCodec: sound?.codec, movedCuts: movedCuts,
      lacksText: text == nil && !self.text.isEmpty)
  }

  /// Returns decoding times: the frames' times, delayed by as many packets as the latest one needs.
  private static func decodingTimes(_ times: [Int64], _ order: [Int64], _ end: Int64) -> [Int64] {
    let displayIndices = times.map { time in order.partitioningIndex { $0 >= time } }
    let delay = displayIndices.enumerated().map { $0.offset - $0.element }.max() ?? 0
    let length = order.count > 1 ? order[1] - order[0] : max(1, end)
    return times.indices.map { i in
      i >= delay ? order[i - delay] : (order.first ?? 0) - Int64(delay - i) * length
    }
  }

  /// Returns the frame rate if all frames have the same duration; else nil.
  private static func rate(of times: [MediaTime], end: MediaTime) -> Ratio? {
    let bounds = times.sorted() + [end]
    let lengths = zip(bounds.dropFirst(), bounds).map { $0 - $1 }
    guard let length = lengths.first, length > .zero, lengths.allSatisfy({ $0 == length }) else { return nil }
    return length.rate
  }

  /// Returns a time base that suits the times of all frames.
  private func timeBase(for times: [MediaTime]) -> Ratio {
    var base = RenderTimeBase()
    for segment in segments { base.add(segment.place) }
    for time in times { base.add(time) }
    base.add(duration)
    return base.tick
  }
}
