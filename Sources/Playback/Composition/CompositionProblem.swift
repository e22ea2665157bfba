/// A part of a composition that cannot be shown as described.
public struct CompositionProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Kind: Hashable, Sendable {
    /// An instruction names a track that does not exist; that side of the transition is black.
    case unknownTrack(Int)
    /// The range of an instruction or overlay is empty or invalid, or outside the composition, so it is never seen.
    case neverShown
    /// A clip cannot be opened, or the media has been missing from the start; a placeholder is shown.
    case missing(PlaybackError)
    /// A clip ends before the range that is used of it; its last frame is held.
    case tooShort
  }

  /// The kind of problem.
  public let kind: Kind
  /// The range on the composition's timeline, or that of the instruction or overlay.
  public let timeRange: TimeRange
  /// A sentence without a full stop that names what is affected. Untrusted text: it may quote a file.
  public let description: String
}

extension Composition {
  /// Returns what cannot be shown as described: instructions for tracks that do not exist, ranges that are never seen, and
  /// clips that cannot be opened or are too short. Playing works around all of them.
  ///
  /// Opens all clips, also those of nested compositions, one after another, and stops if the task is cancelled. Clips
  /// that do not state their duration are not read through, so they are not found to be too short.
  ///
  /// - Returns: the problems of instructions, then of overlays, then those of clips, in the order of tracks and times.
  public func validate() async -> [CompositionProblem] {
    var problems = instructionProblems + overlayProblems
    var facts: [Asset: Result<AssetFacts, PlaybackError>] = [:]
    for use in clipUses {
      if Task.isCancelled { break }
      let asset = use.clip.asset
      if facts[asset] == nil {
        do {
          facts[asset] = .success(try await asset.load(.facts))
        } catch {
          facts[asset] = .failure(PlaybackError(error))
        }
        if facts.count > OpenClips.maxIdle { asset.closeInput() }
        if let inner = asset.composition?.composition {
          problems += await inner.validate().map { $0.inside(asset.path, use.timeRange) }
        }
      }
      if let found = facts[asset] { problems += use.problems(found) }
    }
    return problems + missingProblems
  }

  /// Returns an overlay's range as it is seen: only within the composition.
  private func isSeen(_ range: TimeRange) -> Bool {
    !range.intersection(TimeRange(start: .zero, duration: duration)).isEmpty
  }

  private var instructionProblems: [CompositionProblem] {
    videoComposition.instructions.enumerated().flatMap { number, item in
      let name = "instruction \(number)"
      var problems = Set([item.from, item.to]).subtracting(tracks.indices).sorted().map { track in
        CompositionProblem(
          kind: .unknownTrack(track), timeRange: item.timeRange, description: "\(name): there is no track with index \(track)")
      }
      if !isSeen(item.timeRange) { problems.append(.neverShown(name, item.timeRange)) }
      return problems
    }
  }

  private var overlayProblems: [CompositionProblem] {
    videoComposition.overlays.enumerated().compactMap { number, item in
      isSeen(item.timeRange) ? nil : .neverShown("overlay \(number)", item.timeRange)
    }
  }

  private var missingProblems: [CompositionProblem] {
    func missing(_ name: String, _ reason: String, _ range: TimeRange) -> CompositionProblem {
      CompositionProblem(kind: .missing(PlaybackError(.notFound, reason)), timeRange: range, description: "\(name): \(reason)")
    }
    let whole = TimeRange(start: .zero, duration: duration)
    return (tracks + audioTracks).flatMap(\.segments).compactMap { segment in
      guard case .missing(let name, let reason) = segment.content else { return nil }
      return missing(name, reason, segment.timeRange)
    } + missingOverlays.map { missing($0.name, $0.reason, whole) }
  }

  /// A use of a clip.
  private struct ClipUse {
    var clip: CompositionClip
    var timeRange: TimeRange
    var isSoundOnly = false

    func problems(_ facts: Result<AssetFacts, PlaybackError>) -> [CompositionProblem] {
      func problem(_ kind: CompositionProblem.Kind, _ words: String) -> CompositionProblem {
        CompositionProblem(kind: kind, timeRange: timeRange, description: "\(clip.asset.path): \(words)")
      }
      switch facts {
      case .failure(let error): return [problem(.missing(error), error.message)]
      case .success where isSoundOnly: return []
      case .success(let facts):
        guard facts.videoTrack(clip.videoTrack) != nil else {
          let error = PlaybackError(MovieSource.noVideo(facts))
          return [problem(.missing(error), error.message)]
        }
        let stretch = ClipStretch(
          name: clip.asset.path, asset: clip.asset, videoTrack: clip.videoTrack,
          timeRange: clip.direction == .freeze ? TimeRange(start: clip.timeRange.start, duration: .zero) : clip.timeRange)
        return stretch.shortfall.map { [problem(.tooShort, $0)] } ?? []
      }
    }
  }

  private var clipUses: [ClipUse] {
    let pieces = tracks.flatMap(\.segments).compactMap { segment -> ClipUse? in
      guard case .clip(let clip) = segment.content else { return nil }
      return ClipUse(clip: clip, timeRange: segment.timeRange)
    }
    let sounds = audioTracks.flatMap(\.segments).compactMap { segment -> ClipUse? in
      guard case .clip(let clip) = segment.content else { return nil }
      return ClipUse(clip: clip, timeRange: segment.timeRange, isSoundOnly: true)
    }
    return pieces
      + videoComposition.overlays.compactMap { overlay in
        // An image is shown for as long as the overlay lasts.
        overlay.clip.map { ClipUse(clip: $0, timeRange: overlay.timeRange) }
      } + sounds
  }
}

extension CompositionProblem {
  fileprivate static func neverShown(_ name: String, _ range: TimeRange) -> CompositionProblem {
    CompositionProblem(kind: .neverShown, timeRange: range, description: "\(name): its time range is never shown: \(range)")
  }

  /// The problem of a nested composition.
  fileprivate func inside(_ name: String, _ range: TimeRange) -> CompositionProblem {
    CompositionProblem(kind: kind, timeRange: range, description: name.isEmpty ? description : "\(name): \(description)")
  }
}
