import DecodePool
import Playback
import Synchronization
import Terminal

/// A text search in a pane's subtitles, from the typed line until it is closed. Screen thread only.
final class SubtitleSearch {
  enum State: Equatable {
    /// The clip's subtitles are not known yet.
    case waiting
    /// No subtitles have text.
    case nothingToSearch
    case underway
    /// Start times of the matching cues, in file time.
    case found([MediaTime])
    case failed(PlaybackError)
  }

  let text: String
  let pane: Pane
  private(set) var state = State.waiting
  /// Index of the last match visited.
  private(set) var current: Int?
  /// The last match visited and the time the clip reached, which may differ because of the clip's ends or other panes.
  private var landing: (place: MediaTime, time: MediaTime)?
  private let answer = Answer()
  private let wake: @Sendable () -> Void

  /// The result, from the search thread.
  private final class Answer: Sendable {
    let state = Mutex<State?>(nil)
  }

  /// Playback continues between key presses, so a cue that has just started counts as current.
  private static let threshold = MediaTime(value: 1, timescale: 1)

  /// - Parameter wake: Called from any thread when the result is available.
  init(_ text: String, in pane: Pane, wake: @escaping @Sendable () -> Void) {
    self.text = text
    self.pane = pane
    self.wake = wake
    begin()
  }

  /// Starts when the clip's subtitles are known.
  private func begin() {
    guard let track = pane.subtitles.trackToSearch() else {
      if !pane.subtitles.isLooking || pane.error != nil { state = .nothingToSearch }
      return
    }
    state = .underway
    let text = text
    let finish: @Sendable (State) -> Void = { [answer, wake] state in
      answer.state.withLock { $0 = state }
      wake()
    }
    // This may have to read the whole file.
    do throws(ThreadError) {
      try detachThread {
        track.load { result in
          switch result {
          case .success(let timeline): finish(.found(timeline.cues(saying: text).map(\.timeRange.start)))
          case .failure(let error): finish(.failed(error))
          }
        }
      }
    } catch {
      finish(.failed(PlaybackError(.system, "cannot be searched: \(error.reason)")))
    }
  }

  /// Handles the result. Returns true if it has just arrived.
  func update() -> Bool {
    if state == .waiting {
      begin()
      if state == .nothingToSearch { return true }
    }
    guard state == .underway, let state = answer.state.withLock({ $0 }) else { return false }
    self.state = state
    return true
  }

  /// The clip times of the matches, without duplicates.
  private var places: [MediaTime] {
    guard case .found(let starts) = state else { return [] }
    return Self.places(starts, delay: pane.subtitles.delay, length: pane.length)
  }

  /// - Parameters:
  ///   - starts: Start times of the cues, in file time.
  ///   - delay: Delay of the subtitles.
  ///   - length: Length of the clip; the subtitles may be longer.
  static func places(_ starts: [MediaTime], delay: MediaTime, length: MediaTime) -> [MediaTime] {
    let within = starts.map { max(.zero, $0 + delay) }.filter { !length.isNumeric || $0 < length }.sorted()
    return within.enumerated().filter { $0.offset == 0 || within[$0.offset - 1] < $0.element }.map(\.element)
  }

  /// The next or previous match from the current time, wrapping around; nil if there are no matches.
  func place(forward: Bool) -> MediaTime? {
    let places = places, now = pane.player.currentTime()
    guard !places.isEmpty else { return nil }
    let index: Int
    if let current, let landing, landing.time == now, places.indices.contains(current), places[current] == landing.place {
      index = (current + (forward ? 1 : places.count - 1)) % places.count
    } else {
      let here = pane.player.rate != 0 && !forward ? now - Self.threshold : now
      index = forward ? places.firstIndex { $0 > here } ?? 0 : places.lastIndex { $0 < here } ?? places.count - 1
    }
    current = index
    return places[index]
  }

  /// Records that the clip has been taken to a match.
  func didGo(to place: MediaTime) { landing = (place, pane.player.currentTime()) }

  /// The status text of the search.
  var words: TerminalText {
    let wish: TerminalText = "\"\(text)\""
    switch state {
    case .nothingToSearch: return wish + ": this clip has no text subtitles  esc closes"
    case .waiting, .underway: return wish + ": searching…  esc closes"
    case .failed(let error): return wish + ": \(error.message)  esc closes"
    case .found:
      let places = places
      guard !places.isEmpty else { return wish + ": not found  esc closes" }
      let count: TerminalText = current.map { "\($0 + 1)/\(places.count)" } ?? "\(places.count)"
      return wish + ": \(count)  n next  N previous  esc closes"
    }
  }
}
