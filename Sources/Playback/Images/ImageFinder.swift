/// Finds single frames in a source, in steps as short as the source's own.
///
/// `@unchecked Sendable`: created by the thread that opened the source, handed over once, and then used only inside one
/// lane's steps, which never overlap.
final class ImageFinder: @unchecked Sendable {
  let source: any FrameSource
  private let reader: ClipReader

  init(_ box: SourceBox) {
    source = box.source
    reader = ClipReader(box.source)
  }

  /// Does a short piece of work for a target; starts over if the target has changed.
  ///
  /// - Returns: the frame, once it has been found.
  /// - Throws: `PlaybackError` if there is none, or an error of the source; the search is then over.
  func step(_ wanted: ExactSearch.Target) throws -> (any SourceFrame)? {
    try reader.approach(inTermsOfClip(wanted)) ? reader.frame : nil
  }

  /// Converts numbers to times if these are known, and clamps times to the clip.
  private func inTermsOfClip(_ target: ExactSearch.Target) throws -> ExactSearch.Target {
    switch target {
    case .number(let number):
      guard number >= 0 else { throw PlaybackError.negativeFrame }
      guard let timeline = reader.timeline, timeline.isComplete, timeline.isCountable else { return target }
      guard let time = timeline.time(ofFrame: number) else {
        throw PlaybackError.noSuchFrame(of: timeline.frameCount)
      }
      return .time(TimeTarget(time: time))
    case .time(var wanted):
      wanted.time = max(.zero, wanted.time)
      return .time(wanted)
    case .frame(let timing):
      // Without its own timestamp, it can be identified only by its time.
      return timing.originalPTS != nil ? target : .time(TimeTarget(time: max(.zero, timing.pts)))
    }
  }
}
