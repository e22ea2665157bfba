/// Finds single frames in a source, in steps as short as the source's own.
///
/// `@unchecked Sendable`: made by the thread that opened the source, handed over once, and then used only
/// inside one lane's steps, which never overlap.
final class ImageFinder: @unchecked Sendable {
  let source: any FrameSource
  private let index: FrameIndex?
  private var search = ExactSearch()
  private var previous: (any SourceFrame)?
  private var latest: (any SourceFrame)?

  init(_ box: SourceBox) {
    source = box.source
    index = box.index
  }

  private var known: ExactSearch.Knowledge {
    ExactSearch.Knowledge(info: source.info, timeline: index?.timeline, isScanned: index?.hasPackets ?? false)
  }

  /// Does a short piece of work for a target; begins anew when it is another one than the last time.
  ///
  /// - Returns: the frame, once it has been found.
  /// - Throws: `PlaybackError` when there is none, or an error of the source; the search is then over.
  func step(_ wanted: ExactSearch.Target) throws -> (any SourceFrame)? {
    let target = try inTermsOfClip(wanted)
    do {
      if search.target != target, let frame = try perform(search.begin(target, known)) { return frame }
      return try perform(decode())
    } catch {
      search.fail(known)
      throw error
    }
  }

  /// Numbers become times where times are known; odd times become times of the clip.
  private func inTermsOfClip(_ target: ExactSearch.Target) throws -> ExactSearch.Target {
    switch target {
    case .number(let number):
      guard let timeline = index?.timeline, timeline.isComplete, timeline.isCountable else { return target }
      guard let time = timeline.time(ofFrame: number) else {
        throw PlaybackError.noSuchFrame(of: timeline.frameCount)
      }
      return .time(TimeTarget(time: time))
    case .time(var wanted):
      wanted.time = max(.zero, wanted.time)
      return .time(wanted)
    case .frame(let timing):
      // Without a stamp of its own it can be told by its time only.
      return timing.originalPTS != nil ? target : .time(TimeTarget(time: max(.zero, timing.pts)))
    }
  }

  private func decode() throws -> ExactSearch.Step {
    // Two frames are held at the most.
    previous = nil
    switch try source.decodeNext(discard: .nothing) {
    case .progress: return .decode
    case .endOfStream: return search.didReachEnd(known)
    case .frame(let frame):
      (previous, latest) = (latest, frame)
      return search.didDecode(frame.timing, known)
    }
  }

  /// Goes where a step says; nothing is decoded.
  private func perform(_ step: ExactSearch.Step) throws -> (any SourceFrame)? {
    switch step {
    case .decode: return nil
    case .latest:
      search.end()
      return latest
    case .previous:
      search.end()
      return previous
    case .failure(let error): throw error
    case .rewind:
      try rewind()
      return nil
    case .seek(let time, let options):
      forgetFrames()
      do {
        _ = try source.seek(to: time, options: options)
        search.didSeek()
      } catch {
        try rewind()
      }
      return nil
    }
  }

  private func rewind() throws {
    forgetFrames()
    // What can be read once only is at its beginning when it is first used.
    if source.info.canSeek { try source.rewind() }
    search.didRewind()
  }

  private func forgetFrames() { (previous, latest) = (nil, nil) }
}
