/// A command with an optional number, as bound to keys.
public struct Command: Hashable, Sendable {
  /// Command names, as used in the settings file.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case mute, volume
    case soundDelay = "sound-delay"
    case reopen, cells
    case quit, pause, seek, step, speed, shuttle, start, end, position, focus, link, zoom, gravity, chrome, loop, align
    case open, close, goto, find, save, info, help, redraw, suspend, subtitles, chapter, video, sound, clip, shuffle, magnify
    case magnifyFit = "magnify-fit"
    case wipe, difference, flicker, mix, checkerboard, butterfly, errors, reference
    case flickerFaster = "flicker-faster"
    case compareSwap = "compare-swap"
    case compareNext = "compare-next"
    case nudge, vote, reveal
    case saveView = "save-view"
    case probe, scope
    case frameFacts = "frame-facts"
    case compareList = "compare-list"
    case eventList = "event-list"
    case syncPoint = "sync-point"
    case metric
    case speedReset = "speed-reset"
    case focusNext = "focus-next"
    case focusPrevious = "focus-previous"
    case loopPoint = "ab-loop"
    case chapterList = "chapter-list"
    case trackList = "track-list"
    case clipList = "clip-list"
    case hideSubtitles = "hide-subtitles"
    case subtitleDelay = "subtitle-delay"
    case markIn = "mark-in"
    case markOut = "mark-out"
    case addPiece = "add-piece"
    case undoPiece = "undo-piece"
    case movie
    case writeMovie = "write-movie"
    /// Removes a default binding.
    case none
  }

  public let name: Name
  /// The number; 0 for commands without one.
  public let argument: Double

  private init(_ name: Name, _ argument: Double = 0) {
    self.name = name
    self.argument = argument
  }
}

extension Command {
  public static let quit = Command(.quit)
  public static let playPause = Command(.pause)
  /// Seeks by seconds.
  public static func seek(_ seconds: Double) -> Command { Command(.seek, seconds) }
  /// Steps by frames and pauses.
  public static func step(_ count: Int) -> Command { Command(.step, Double(count)) }
  /// Multiplies the rate.
  public static func speed(_ factor: Double) -> Command { Command(.speed, factor) }
  public static let normalSpeed = Command(.speedReset)
  /// Plays in reverse (−1) or forward (1), faster each time; 0 stops.
  public static func shuttle(_ direction: Int) -> Command { Command(.shuttle, Double(direction)) }
  public static let start = Command(.start)
  public static let end = Command(.end)
  /// Goes to a percentage of the clip, 0…100.
  public static func position(percent: Double) -> Command { Command(.position, percent) }
  public static let focusNext = Command(.focusNext)
  public static let focusPrevious = Command(.focusPrevious)
  /// Focuses a pane by number, from 1.
  public static func focus(_ number: Int) -> Command { Command(.focus, Double(number)) }
  public static let link = Command(.link)
  public static let zoom = Command(.zoom)
  public static let gravity = Command(.gravity)
  /// Shows the frame larger by steps, or smaller: the whole, 1:1, 2:1, 4:1, 8:1.
  public static func magnify(_ steps: Int) -> Command { Command(.magnify, Double(steps)) }
  /// Compares with the reference in one pane.
  public static let wipe = Command(.wipe)
  public static let difference = Command(.difference)
  public static let mix = Command(.mix)
  public static let checkerboard = Command(.checkerboard)
  /// Shows the errors of blocks over the clip.
  public static let errors = Command(.errors)
  public static let butterfly = Command(.butterfly)
  /// Shows the pane's clip and the reference in turn.
  public static let flicker = Command(.flicker)
  /// Alternates without keys, faster each time.
  public static let flickerFaster = Command(.flickerFaster)
  /// Makes the focused pane the reference.
  public static let reference = Command(.reference)
  /// Exchanges the sides of a comparison.
  public static let compareSwap = Command(.compareSwap)
  /// Lists the ways to compare, and their settings.
  public static let compareList = Command(.compareList)
  /// Shows the next metric of aligned clips, or none.
  public static let metric = Command(.metric)
  /// Lists the places at which aligned clips differ in their frames.
  public static let eventList = Command(.eventList)
  /// Names the frames shown as belonging together.
  public static let syncPoint = Command(.syncPoint)
  /// Moves the focused pane alone by frames and keeps that as its offset.
  public static func nudge(_ count: Int) -> Command { Command(.nudge, Double(count)) }
  /// Votes for the focused pane in a blind test.
  public static let vote = Command(.vote)
  /// Shows the names of a blind test.
  public static let reveal = Command(.reveal)
  /// Saves the visible parts of the frames of all linked panes.
  public static let saveView = Command(.saveView)
  /// Shows the values of the pixel under the pointer.
  public static let probe = Command(.probe)
  /// Shows the next of histogram, waveform and vectorscope.
  public static let scope = Command(.scope)
  /// Shows facts of the displayed frame, then the packets around it.
  public static let frameFacts = Command(.frameFacts)
  /// Compares with the next clip.
  public static let compareNext = Command(.compareNext)
  /// Shows the whole frame.
  public static let magnifyFit = Command(.magnifyFit)
  /// Draws frames with the next kind of cells that the terminal has.
  public static let cells = Command(.cells)
  /// Shows or hides titles, bars and the status row.
  public static let chrome = Command(.chrome)
  public static let loopPoint = Command(.loopPoint)
  public static let loop = Command(.loop)
  public static let align = Command(.align)
  public static let open = Command(.open)
  public static let close = Command(.close)
  /// Opens the clip again, as after its file has changed.
  public static let reopen = Command(.reopen)
  public static let goTo = Command(.goto)
  /// Asks for text to search for in subtitles.
  public static let find = Command(.find)
  /// Saves the displayed frame to a file.
  public static let save = Command(.save)
  public static let info = Command(.info)
  public static let help = Command(.help)
  public static let redraw = Command(.redraw)
  public static let suspend = Command(.suspend)
  /// Lists the chapters.
  public static let chapterList = Command(.chapterList)
  /// Lists video, sound and subtitle tracks.
  public static let trackList = Command(.trackList)
  /// Goes forward or back by clips of the list.
  public static func clip(_ count: Int) -> Command { Command(.clip, Double(count)) }
  /// Lists the pane's clips.
  public static let clipList = Command(.clipList)
  /// Turns shuffle on or off.
  public static let shuffle = Command(.shuffle)
  /// Shows the next video track.
  public static let video = Command(.video)
  /// Selects the next sound track.
  public static let sound = Command(.sound)
  /// Turns sound off or on.
  public static let mute = Command(.mute)
  /// Changes the volume by decibels.
  public static func volume(_ decibels: Double) -> Command { Command(.volume, decibels) }
  /// Changes the time by which sound comes after its frames, by seconds.
  public static func soundDelay(_ seconds: Double) -> Command { Command(.soundDelay, seconds) }
  /// Selects the next subtitles, or none.
  public static let subtitles = Command(.subtitles)
  public static let hideSubtitles = Command(.hideSubtitles)
  /// Changes the subtitle delay by seconds.
  public static func subtitleDelay(_ seconds: Double) -> Command { Command(.subtitleDelay, seconds) }
  /// Seeks by chapters, or by 10 minutes in a clip without chapters.
  public static func chapter(_ count: Int) -> Command { Command(.chapter, Double(count)) }
  /// Sets the in point to the displayed frame.
  public static let markIn = Command(.markIn)
  /// Sets the out point to the displayed frame.
  public static let markOut = Command(.markOut)
  /// Adds the piece to the movie being edited.
  public static let addPiece = Command(.addPiece)
  /// Removes the piece added last.
  public static let undoPiece = Command(.undoPiece)
  /// Shows or hides the movie being edited.
  public static let movie = Command(.movie)
  /// Asks for a name and writes the movie being edited.
  public static let writeMovie = Command(.writeMovie)
  /// Does nothing; removes a default binding.
  public static let nothing = Command(.none)
}

extension Command.Name {
  /// The numbers that a command accepts; nil if it takes none.
  private var arguments: (range: ClosedRange<Double>, areWhole: Bool, excluded: Double?)? {
    switch self {
    case .seek: (-1e6...1e6, false, nil)
    case .step, .nudge, .chapter, .clip: (-1000...1000, true, 0)
    case .subtitleDelay: (-3600...3600, false, 0)
    case .volume: (-60...60, false, 0)
    case .soundDelay: (-10...10, false, 0)
    case .speed: (0...16, false, 0)
    case .shuttle: (-1...1, true, nil)
    case .magnify: (-4...4, true, 0)
    case .position: (0...100, false, nil)
    case .focus: (1...Double(PlayOptions.maxPanes), true, nil)
    default: nil
    }
  }

  var takesArgument: Bool { arguments != nil }

  /// Parses a number that the command accepts; nil otherwise.
  fileprivate func argument(_ text: Substring) -> Double? {
    guard let arguments, let value = Double(text), arguments.range.contains(value), value != arguments.excluded,
      !arguments.areWhole || value == value.rounded()
    else { return nil }
    return value
  }
}

extension Command: LosslessStringConvertible {
  /// The name and number as in the settings file, for `init(_:)`.
  public var description: String { name.takesArgument ? "\(name.rawValue) \(Self.number(argument))" : name.rawValue }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }

  /// Parses a command as written in the settings file: "seek -5", "pause".
  public init?(_ text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard let name = words.first.flatMap({ Name(rawValue: String($0)) }) else { return nil }
    if words.count == 1, !name.takesArgument {
      self.init(name)
    } else {
      guard words.count == 2, let argument = name.argument(words[1]) else { return nil }
      self.init(name, argument)
    }
  }
}
