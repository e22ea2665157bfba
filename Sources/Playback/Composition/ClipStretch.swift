import Pixels

/// A range of a clip that is shown, although the clip's actual duration may not have been checked yet.
package struct ClipStretch: Hashable, Sendable {
  /// The start of its remark. Untrusted text: it may quote a file.
  package let name: String
  package let asset: Asset
  /// As of `CompositionClip`.
  package let videoTrack: Int?
  /// On the clip's timeline; empty for a freeze frame.
  package let timeRange: TimeRange

  package init(name: String, asset: Asset, videoTrack: Int?, timeRange: TimeRange) {
    (self.name, self.asset, self.videoTrack, self.timeRange) = (name, asset, videoTrack, timeRange)
  }

  /// True if the clip's duration is known.
  package var isMeasured: Bool { known != nil }

  /// The clip's end and its consequence, as the end of a sentence; nil if the clip has the whole range, or is not measured.
  package var shortfall: String? {
    guard let known else { return nil }
    // Lengths in headers may be rounded, but not by a frame.
    guard timeRange.isEmpty ? timeRange.start >= known.end : timeRange.end >= known.end + known.frame else { return nil }
    return "ends at \(known.end.seconds) s; its last frame is held after that"
  }

  /// The shortfall as a complete sentence.
  var remark: String? { shortfall.map { "\(name): \($0)" } }

  /// The duration of the clip and of a frame, without opening anything.
  private var known: (end: MediaTime, frame: MediaTime)? {
    guard let facts = asset.loadedValue(of: .facts), let track = facts.videoTrack(videoTrack) else { return nil }
    let frame = track.frameRate.map { MediaTime(ticks: 1, in: $0.inverse) } ?? MediaTime(value: 1, timescale: 10)
    if !facts.durationIsEstimate, let end = facts.length(of: track) { return (end, frame) }
    guard let timeline = asset.knownTimeline(of: track), timeline.isComplete else { return nil }
    // A file may state only the start of its last frame.
    let end = timeline.duration ?? timeline.time(ofFrame: timeline.frameCount - 1).map { $0 + frame }
    return end.map { ($0, frame) }
  }

  /// Opens the clip if that is necessary to find its duration; blocks until done.
  ///
  /// - Parameter isPrecise: true to read all of a file that does not announce its duration.
  func measure(isPrecise: Bool) {
    guard !isMeasured, (try? asset.wait(for: .facts)) != nil else { return }
    if isPrecise, !isMeasured { _ = asset.waitForTimeline(ofVideoTrack: videoTrack) }
    asset.closeInput()
  }
}

extension Asset {
  /// Opens the clips of a composition, so that `remarks` lists those that are missing or too short; blocks until done.
  ///
  /// - Parameter isPrecise: true to read all of files that do not announce their duration.
  package func measureClips(isPrecise: Bool) {
    guard let composition else { return }
    var seen: Set<CompositionClip> = []
    for clip in composition.plan.spans.lazy.flatMap(\.clips) where seen.insert(clip.clip.source).inserted {
      let asset = clip.clip.asset
      composition.failures.note(Result { try asset.wait(for: .facts) }, of: clip.clip, in: composition.plan)
      if seen.count > OpenClips.maxIdle { asset.closeInput() }
    }
    for stretch in composition.composition.unmeasured { stretch.measure(isPrecise: isPrecise) }
  }
}
