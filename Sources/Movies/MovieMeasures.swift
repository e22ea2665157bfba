import Playback

/// Fills in what other programs' formats need and only the clips know: the rate, where pieces end, and points given as frame
/// numbers or timecodes of a clip.
public struct MovieMeasures {
  private var clips: ClipFacts

  /// - Parameter makeAsset: called for each clip that has to be opened.
  public init(makeAsset: @escaping @Sendable (_ path: String) -> Asset) { clips = ClipFacts(makeAsset) }

  /// Returns the movie with these facts filled in, as far as they can be found. Opens clips, which may block on a slow disk.
  ///
  /// - Parameters:
  ///   - document: a movie with absolute paths.
  ///   - form: the format to write; YAML needs no facts.
  public mutating func said(in document: MovieDocument, for form: MovieFile.Form) -> MovieDocument {
    if form == .yaml { return document }
    var result = document
    var countingRate: Ratio?
    for index in document.pieces.indices {
      let piece = document.pieces[index]
      guard case .clip(let clip) = piece.content else { continue }
      // What another program wrote stays unchanged.
      if form == .openTimelineIO, piece.isOfTimeline, !clip.isCountedByClip { continue }
      var track: Int?
      if let number = piece.videoTrack {
        guard let found = try? clips.videoTrack(number, of: clip.path) else { continue }
        track = found
      }
      if result.output.rate == nil { result.output.rate = try? clips.frameRate(of: clip.path, track) }
      let said = said(of: clip, piece.foreign, track, form)
      countingRate = countingRate ?? said.rate
      result.pieces[index].content = .clip(said)
    }
    if result.output.rate == nil { result.output.rate = countingRate }
    for index in document.overlays.indices {
      guard case .clip(let clip) = document.overlays[index].content, document.overlays[index].foreign == nil || clip.isCountedByClip
      else { continue }
      result.overlays[index].content = .clip(said(of: clip, nil, nil, form))
    }
    for index in document.sounds.indices {
      let isOfTimeline = document.sounds[index].foreign.flatMap(OTIOSchema.name) != nil
      if form == .openTimelineIO, isOfTimeline, !document.sounds[index].clip.isCountedByClip { continue }
      var clip = said(of: document.sounds[index].clip, nil, nil, form)
      if case .plays(let speed, .clipEnd) = clip.motion, let end = try? clips.soundDuration(of: clip.path) {
        let start = clip.start?.time ?? .zero
        if end > start { clip.motion = .plays(speed: speed, until: .length((end - start).shown(at: speed))) }
      }
      result.sounds[index].clip = clip
    }
    return result
  }

  private mutating func said(of clip: MovieClip, _ foreign: JSONValue?, _ track: Int?, _ form: MovieFile.Form) -> MovieClip {
    guard let stretch = try? clips.stretch(of: clip, foreign, of: clip.path, track) else { return clip }
    var result = clip
    result.rate = try? clips.countingRate(of: clip.path, track)
    if case .plays(let speed, let end) = clip.motion {
      var last = stretch.end
      if end == .clipEnd { last = try? clips.knownDuration(of: clip.path, track) }
      if let last, last > stretch.start { result.motion = .plays(speed: speed, until: .length((last - stretch.start).shown(at: speed))) }
    }
    if let start = try? start(of: clip, stretch.start, track, form) { result.start = start }
    return result
  }

  /// The in point; lists use the clip's timecode, if it has one.
  private mutating func start(
    of clip: MovieClip, _ time: MediaTime, _ track: Int?, _ form: MovieFile.Form
  ) throws -> ClipPosition? {
    // Timelines only need times.
    if form == .openTimelineIO, !clip.isCountedByClip { return clip.start }
    let rate = try clips.frameRate(of: clip.path, track)
    if case .timecode(let code) = clip.start { return rate.map { .listed(code, at: $0) } }
    if case .listed = clip.start { return clip.start }
    if form == .edl, let rate, let first = try clips.firstTimecode(of: clip.path, track),
      let before = first.frameNumber(at: rate),
      let after = try frameNumber(at: time, of: clip.path, track, rate), after >= 0,
      let code = Timecode(frameNumber: before + after, at: rate, isDropFrame: first.isDropFrame)
    {
      return .listed(code, at: rate)
    }
    return clip.start.map { $0.isCountedByClip ? .time(time) : $0 }
  }

  /// The number of the frame shown at a time, which may come from a coarse timestamp.
  private mutating func frameNumber(at time: MediaTime, of path: String, _ track: Int?, _ rate: Ratio) throws -> Int64? {
    let base = try clips.track(of: path, track).timeBase
    let tick = MediaTime(value: Int64(base.numerator), timescale: base.denominator)
    let slack = tick * 4 <= MediaTime(frames: 1, at: rate) ? tick : .zero
    return (time + slack).roundedFrames(at: rate, rounding: .towardNegativeInfinity)
  }
}
