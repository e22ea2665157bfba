import DecodePool
import Playback
import Synchronization
import Terminal

/// A search for words in a pane's subtitles, from the line that was typed until it is left. Screen thread only.
final class SubtitleSearch {
  enum State: Equatable {
    /// The clip's subtitles are still being looked for.
    case waiting
    /// There are none with text.
    case nothingToSearch
    case underway
    /// When the cues begin that say it, by the file.
    case found([MediaTime])
    case failed(PlaybackError)
  }

  let text: String
  let pane: Pane
  private(set) var state = State.waiting
  /// Which of the places was gone to last.
  private(set) var current: Int?
  /// Where that is, and where it has led in the clip: nearer ends, or other panes, may have kept it from the place itself.
  private var landing: (place: MediaTime, time: MediaTime)?
  private let answer = Answer()
  private let wake: @Sendable () -> Void

  /// What was found, from the thread that looks.
  private final class Answer: Sendable {
    let state = Mutex<State?>(nil)
  }

  /// Playing goes on while a key is looked for: a cue that has just begun is the present one.
  private static let threshold = MediaTime(value: 1, timescale: 1)

  /// - Parameter wake: called from any thread when it is known where it is said.
  init(_ text: String, in pane: Pane, wake: @escaping @Sendable () -> Void) {
    self.text = text
    self.pane = pane
    self.wake = wake
    begin()
  }

  /// Begins as soon as it is known which subtitles the clip has.
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
    // All of it may have to be read, and there may be much.
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

  /// Takes in what was found. Returns whether that has just come.
  func update() -> Bool {
    if state == .waiting {
      begin()
      if state == .nothingToSearch { return true }
    }
    guard state == .underway, let state = answer.state.withLock({ $0 }) else { return false }
    self.state = state
    return true
  }

  /// The times of the clip at which the words are said, each once.
  private var places: [MediaTime] {
    guard case .found(let starts) = state else { return [] }
    return Self.places(starts, delay: pane.subtitles.delay, length: pane.length)
  }

  /// - Parameters:
  ///   - starts: when the cues begin, by the file.
  ///   - delay: by which they are shown later.
  ///   - length: of the clip; subtitles may be those of a longer one.
  static func places(_ starts: [MediaTime], delay: MediaTime, length: MediaTime) -> [MediaTime] {
    let within = starts.map { max(.zero, $0 + delay) }.filter { !length.isNumeric || $0 < length }.sorted()
    return within.enumerated().filter { $0.offset == 0 || within[$0.offset - 1] < $0.element }.map(\.element)
  }

  /// The next place behind where the clip is, or the one before, in a ring; nil where there is none.
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

  /// The clip has been taken to a place.
  func didGo(to place: MediaTime) { landing = (place, pane.player.currentTime()) }

  /// What is said of it while it lasts.
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
