import Playback
import Typesetting

/// Text drawn into frames in pixels.
extension PaneSubtitles {
  /// Sets the text for a moment. Returns true if other text is shown.
  ///
  /// - Parameters:
  ///   - time: The time of the displayed cues; nil while no frame is displayed.
  ///   - layout: nil if the frame is not in pixels.
  ///   - step: The time to the next frame; nil if none is about to follow.
  func showText(at time: MediaTime?, _ layout: TypesetLayout?, step: MediaTime?) -> Bool {
    guard let program = preferences.typesetter else { return false }
    var wanted: TypesetRequest?
    if let time, let layout { wanted = text(at: time, layout) }
    return typeset.show(wanted, isResting: step == nil) {
      guard let time, let layout, let step else { return nil }
      let script = track?.nextScriptChange(after: time - delay).map { $0 + delay }
      let change = [nextChange(after: time), script].compactMap { $0 }.min() ?? .positiveInfinity
      let next = wanted?.isAnimated == true ? min(change, time + step) : change
      return next.isNumeric ? text(at: next, layout) : nil
    } start: {
      TypesettingWorker(fonts: (item?.asset).map { AttachedFonts(of: $0) }, wake: wake) { () throws(TypesettingError) in
        try TypesettingProcess(program: program)
      }
    }
  }

  /// The text of a moment. A movie's text lies in cells over a script that has a style of its own.
  private func text(at time: MediaTime, _ layout: TypesetLayout) -> TypesetRequest {
    let isShown = !isHidden && selected?.track.subtitleForm == .text
    if isShown, let script = track?.script(at: time - delay) {
      return TypesetRequest(.authored(header: script.header), script.lines, layout, at: time - delay)
    }
    let spoken = isShown ? track?.cues(at: time - delay) ?? [] : []
    return TypesetRequest(.plain, (item?.overlayText(at: time) ?? []) + spoken, layout, at: time)
  }
}
