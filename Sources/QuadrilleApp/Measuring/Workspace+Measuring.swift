import Measuring
import Playback
import Terminal

/// Panes compared frame by frame.
extension Workspace {
  /// Keeps the panes' positions as offsets; again: aligns them frame by frame; again: releases them.
  func toggleAlignment() {
    if case .aligning = measuring.stage { return releaseFrames("alignment stopped") }
    if alignment.frames != nil { return releaseFrames("alignment off") }
    guard alignment.keepsOffsets, measurable != nil else {
      return say(alignment.toggle(key: options.keys.keys(for: .align).first))
    }
    alignFrames(wish: .none)
  }

  private func releaseFrames(_ words: TerminalText) {
    measuring.stop()
    measuring.metric = nil
    alignment.follow(nil)
    updatePartners()
    say(words)
  }

  /// Opens or closes the list of events; aligns the panes first, if they are not.
  func toggleEvents() {
    if panels.list?.kind == .events { return closeList() }
    switch measuring.stage {
    case .idle: alignFrames(wish: .listEvents)
    case .aligning:
      measuring.wish(.listEvents)
      say("the events are listed once the clips are aligned")
    case .aligned: toggleList(.events)
    }
  }

  /// The reference and the panes that can be aligned with it; nil if there are none.
  var measurable: (reference: Pane, candidates: [Pane])? {
    let panes = panes.playable.filter(\.canBeMeasured)
    guard panes.count > 1, let reference = panes.first(where: { $0 === evaluation.reference }) ?? panes.first else { return nil }
    return (reference, panes.filter { $0 !== reference })
  }

  /// Aligns all panes with the reference in the background. Returns false if they cannot be aligned.
  ///
  /// - Parameter edits: changes to the sync points, by the panes to be aligned.
  @discardableResult func alignFrames(wish: MeasuringControl.Wish, edits: [PaneIdentifier: SyncEdit] = [:]) -> Bool {
    guard let (reference, candidates) = measurable else {
      let isAlone = panes.panes.count < 2
      say(isAlone ? "two clips are needed to compare frames" : "only files with video can be aligned frame by frame")
      return false
    }
    let numbered = candidates.enumerated().compactMap { index, pane in edits[ObjectIdentifier(pane)].map { (index, $0) } }
    measuring.align(candidates, with: reference, wish: wish, edits: Dictionary(numbered) { first, _ in first }) { [wakeup = resources.wakeup] in wakeup.signal() }
    say("aligning frame by frame\(key(.align).map { "; \($0) stops" } ?? "")")
    return true
  }

  /// Aligns the panes as the command line asks, once all clips are open.
  func beginRequestedAlignment() {
    guard evaluation.awaitsAlignment, panes.panes.allSatisfy({ $0.clip.isOpen || $0.error != nil }) else { return }
    evaluation.awaitsAlignment = false
    alignFrames(wish: .none)
  }

  /// Aligns the panes again, with another reference.
  func realignFrames() {
    guard let reference = measuring.reference, reference !== evaluation.reference else { return }
    alignFrames(wish: .none)
  }

  /// Takes up the results of the alignment.
  func updateMeasuring() {
    alignment.followFrames()
    updateScores()
    guard case .aligning(let work) = measuring.stage else { return }
    chrome.invalidate()
    let progress = work.job.progress
    guard progress.allSatisfy({ if case .underway = $0 { false } else { true } }) else { return }
    var clips: [(pane: Pane, clip: AlignedClip)] = []
    var message: TerminalText?
    for (pane, result) in zip(work.candidates, progress) {
      switch result {
      case .underway: break
      case .done(let clip) where clip.map.verdict != .unrelated && clip.map.pairCount > 0:
        clips.append((pane, clip))
        if let failure = clip.syncFailure { message = "\(failure.message)" }
      case .done: message = "\(pane.title) has nothing in common with the reference"
      case .failed(let path, let error): message = hidesNames ? "a clip cannot be aligned" : "\(error.message(naming: path))"
      }
    }
    measuring.stop()
    guard let first = clips.first else {
      measuring.metric = nil
      return say(message, seconds: 8)
    }
    didAlign(clips, with: work.reference)
    say(message ?? (clips.count == 1 ? words(about: first.clip) : "\(clips.count) clips aligned frame by frame"), seconds: 8)
    if case .listEvents = work.wish, panels.list == nil { toggleList(.events) }
  }

  private func didAlign(_ clips: [(pane: Pane, clip: AlignedClip)], with reference: Pane) {
    let pairs = clips.map { (ObjectIdentifier($0.pane), $0.clip) }
    alignment.follow(FrameAlignment(reference: ObjectIdentifier(reference), clips: Dictionary(pairs) { first, _ in first }))
    for (index, (pane, clip)) in clips.enumerated() { pane.view.measurement = PaneMeasurement(candidate: clip, index: index) }
    reference.view.measurement = PaneMeasurement(
      reference: clips.map { (number: (panes.index(of: $0.pane) ?? 0) + 1, clip: $0.clip) })
    measuring.didAlign(clips.map(\.pane), with: reference)
    beginScores()
    updatePartners()
    chrome.invalidateAtOnce()
  }

  private func words(about clip: AlignedClip) -> TerminalText {
    let count = clip.map.events.count
    let words = "aligned: " + PaneMeasurement.summary(clip.map)
    if clip.map.verdict == .ambiguous, let key = key(.syncPoint) { return words + "; \(key) names frames that belong together" }
    guard count > 0 else { return words }
    return words + "; \(count) event\(count == 1 ? "" : "s")\(key(.eventList).map { ", \($0) lists them" } ?? "")"
  }

  /// Tells comparisons which frames belong together.
  func updatePartners() {
    for pane in panes.panes {
      guard let comparison = pane.view.comparison else { continue }
      let reference = ObjectIdentifier(comparison.reference)
      comparison.output.setNumberings(alignment.frames?.numberings(reference, ObjectIdentifier(pane)))
    }
  }

  /// Forgets what was found about the clip of a pane.
  func forgetMeasurement(of pane: Pane) {
    guard measuring.concerns(pane) else { return }
    measuring.stop()
    measuring.metric = nil
    alignment.follow(nil)
    updatePartners()
    if panels.list?.kind == .events { closeList() }
  }

  /// True if a pane shows a frame that is not the partner of the leading one.
  func lacksPartner(_ pane: Pane) -> Bool {
    guard alignment.frames != nil, let focused = panes.focused else { return false }
    if let comparison = pane.view.comparison, let pair = comparison.pair,
      let numberings = alignment.frames?.numberings(ObjectIdentifier(comparison.reference), ObjectIdentifier(pane)) {
      let shown = pair.second.timing.pts.nanoseconds, other = pair.first.timing.pts.nanoseconds
      let number = shown.flatMap(numberings.second.number(at:))
      return number == nil || number != other.flatMap(numberings.first.number(at:))
    }
    return pane !== focused && alignment.lacksPartner(pane, of: focused)
  }
}

extension Pane {
  /// True if all frames of the clip can be read in the background: the first video track of a file, not a movie, images or a
  /// live source.
  var canBeMeasured: Bool {
    guard let videoTrack, videoTrack.index == clip.facts?.preferredVideoTrack?.index else { return false }
    return story == nil && asset.sequence == nil && !asset.isComposition && canBeReadAgain
      && player.currentItem?.isSegmented != true
  }
}
