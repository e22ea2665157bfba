import Synchronization

/// Finds out whether a composition has sound, from the facts of its clips that are loaded. Safe to use from any thread.
final class SoundPresence: Sendable {
  private struct State: Equatable {
    var hasSound = false
    /// The index of the first clip that is not known to be silent.
    var next = 0
  }

  /// The clips that may be heard, each once.
  private let clips: [Asset]
  private let state = Mutex(State())

  init(_ composition: Composition) {
    var seen: Set<Asset> = []
    clips = SoundPlan(composition, form: SoundForm(rate: 48_000, channels: 1)).audible().pieces.map(\.asset).filter { seen.insert($0).inserted }
  }

  /// True once a clip with sound has been loaded.
  var isKnown: Bool {
    let former = state.withLock { $0 }
    var state = former
    search: while !state.hasSound, state.next < clips.count {
      let clip = clips[state.next]
      switch clip.status(of: .facts) {
      // Clips are loaded in the order in which they are needed: later ones are looked at in their turn.
      case .unknown, .loading, .cancelled: break search
      case .loaded: state.hasSound = clip.composition?.soundPresence.isKnown ?? (clip.loadedValue(of: .facts)?.preferredSoundTrack != nil)
      case .failed: break
      }
      state.next += 1
    }
    if state != former { self.state.withLock { $0 = $0.next > state.next ? $0 : state } }
    return state.hasSound
  }
}
