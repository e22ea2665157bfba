import Playback

/// The course of a storyboard with given choices: its tracks and events, with their times.
///
/// It runs at once, and needs no clips if all lengths are known. Times are those of playing it, with instant jumps.
public struct StoryboardTrace: Sendable {
  /// The events, one per line: time since the beginning, time in the scene's composition, and what happens.
  ///
  /// Lines may quote the file: any characters.
  public var lines: [String] { log.lines }
  /// The tracks, in order.
  public private(set) var tracks: [Storyboard.TrackID] = []
  /// The run in its final state.
  public private(set) var run: StoryboardRun
  private var log: StoryboardLog

  /// The maximum number of tracks.
  public static let maxTracks = 1000

  /// Runs a storyboard until it ends, loops after the last choice, or has played `maxTracks` tracks.
  ///
  /// - Parameters:
  ///   - storyboard: a storyboard whose track lengths are all known.
  ///   - choices: one for each decision with controls: a label, a letter (`a` is the first choice), a number (from 1), or `-`
  ///     for none. After the last one, nothing is chosen.
  ///   - seed: the seed for `chance()`; nil for the storyboard's own.
  /// - Throws: `StoryboardFailure` for a storyboard that cannot be run, and for a choice that cannot be made.
  public init(_ storyboard: Storyboard, choices: [String], seed: UInt64? = nil) throws(StoryboardFailure) {
    run = try StoryboardRun(storyboard, seed: seed)
    log = StoryboardLog(storyboard)
    var pending = choices[...]
    var rounds: Set<Round> = []
    var hasChosen = false
    var effects = run.begin()
    while true {
      for effect in effects {
        log.write(effect)
        switch effect {
        case .go(let departure): tracks.append(departure.to)
        case .decided: hasChosen = false
        default: break
        }
      }
      guard let place = run.place else { break }
      if !hasChosen, let controls = run.controls, let wish = pending.popFirst() {
        hasChosen = true
        effects = try choose(wish, controls, place.track)
        if !effects.isEmpty { continue }
      }
      let round = Round(track: place.track, standing: run.standing, chosen: run.controls?.chosen)
      if pending.isEmpty, place.trackTime == .zero, !rounds.insert(round).inserted {
        log.write("loops from here")
        break
      }
      guard tracks.count < Self.maxTracks else {
        log.write("stops after \(Self.maxTracks) tracks")
        break
      }
      guard let stop = run.nextStop else { break }
      log.pass(to: stop, from: place)
      effects = run.advance(toTrackTime: stop)
    }
    if let choice = pending.first {
      let count = choices.count - pending.count
      let needed = count == 0 ? "no choices" : count == 1 ? "one choice" : "\(count) choices"
      throw Self.failure(storyboard, "choice \"\(choice)\" is not used: the story asks for \(needed)")
    }
  }

  /// A state that determines how the story continues.
  private struct Round: Hashable {
    var track: Storyboard.TrackID
    var standing: StoryboardRun.Standing
    var chosen: Int?
  }

  private mutating func choose(
    _ wish: String, _ controls: StoryboardControls, _ track: Storyboard.TrackID
  ) throws(StoryboardFailure) -> [StoryboardEffect] {
    if wish == "-" { return [] }
    guard let number = controls.number(of: wish) else {
      let labels = controls.choices.map { "\($0.number) \"\($0.label)\"" }.joined(separator: ", ")
      throw Self.failure(
        run.storyboard, "cannot choose \"\(wish)\" in track \"\(run.storyboard[track].name)\"; expected one of \(labels)")
    }
    return run.choose(number)
  }

  private static func failure(_ storyboard: Storyboard, _ message: String) -> StoryboardFailure {
    StoryboardFailure(message, file: storyboard.errorName)
  }
}
