import Glibc
import Playback
import Terminal

/// The volume, and which panes are heard. A value; panes take it over on every turn of the loop.
struct SoundControl {
  /// The panes that are heard.
  var panes: SoundPanes
  var isMuted = false
  /// The volume in decibels; 0 leaves the samples as they are.
  private(set) var decibels: Double

  /// The time by which sound comes after its frames, in nanoseconds.
  private(set) var delay: HostTime = 0
  /// The time that frames take to the terminal, in nanoseconds: sound has to be as late.
  private(set) var terminalDelay: HostTime = 0
  private var known = Known.nothing

  /// The device as the user knows it.
  private enum Known: Equatable {
    case nothing
    case open(String)
    case silent
  }

  /// Shorter ways to the terminal, and changes of it, are not heeded: each change interrupts the sound.
  private static let minTerminalDelay: HostTime = 10_000_000
  private static let maxTerminalDelay: HostTime = 1_000_000_000
  static let delayRange: ClosedRange<HostTime> = -10_000_000_000...10_000_000_000

  /// The range of the volume in decibels. At its lower end there is silence.
  static let decibelRange = -48.0...12.0
  /// The number of steps of the scale on the screen.
  private static let scaleWidth = 20

  init(_ options: PlayOptions.SoundOptions) {
    panes = options.panes
    decibels = options.decibels
  }

  /// The linear gain.
  var gain: Float { decibels <= Self.decibelRange.lowerBound ? 0 : Float(pow(10, decibels / 20)) }

  mutating func changeVolume(by step: Double) {
    decibels = min(max((decibels + step).rounded(), Self.decibelRange.lowerBound), Self.decibelRange.upperBound)
  }

  /// The volume in words, with a scale.
  var message: TerminalText {
    let range = Self.decibelRange
    let share = (decibels - range.lowerBound) / (range.upperBound - range.lowerBound)
    let count = Int((share * Double(Self.scaleWidth)).rounded())
    let scale = String(repeating: "█", count: count) + String(repeating: "░", count: Self.scaleWidth - count)
    return isMuted ? "volume \(scale) \(figure), muted" : "volume \(scale) \(figure)"
  }

  /// The volume in decibels, in words.
  var figure: TerminalText {
    if decibels <= Self.decibelRange.lowerBound { return "silent" }
    return decibels == 0 ? "0 dB" : decibels > 0 ? "+\(Int(decibels)) dB" : "−\(Int(-decibels)) dB"
  }

  /// The time by which sound comes after the player's clock, in nanoseconds.
  var wholeDelay: HostTime { delay + terminalDelay }

  /// Takes note of the time to the terminal and back; nil if it is not known.
  mutating func follow(roundTrip: HostTime?) {
    guard let roundTrip else { return }
    let way = min(max(0, roundTrip / 2), Self.maxTerminalDelay)
    let wanted = way < Self.minTerminalDelay ? 0 : way
    if abs(wanted - terminalDelay) >= Self.minTerminalDelay { terminalDelay = wanted }
  }

  mutating func changeDelay(by seconds: Double) {
    let step = HostTime((seconds * 1e9).rounded())
    delay = min(max(delay + step, Self.delayRange.lowerBound), Self.delayRange.upperBound)
  }

  mutating func setDelay(_ delay: HostTime) { self.delay = min(max(delay, Self.delayRange.lowerBound), Self.delayRange.upperBound) }

  var delayMessage: TerminalText {
    let milliseconds = delay / 1_000_000
    if milliseconds == 0 { return "sound in sync (0 ms)" }
    return milliseconds > 0 ? "sound \(milliseconds) ms later" : "sound \(-milliseconds) ms earlier"
  }

  /// Returns a device that has been opened, once.
  mutating func takeNewDevice(_ status: SoundOutputStatus) -> String? {
    guard case .open(let device) = status, known != .open(device.name) else { return nil }
    return device.name
  }

  /// Returns what to say about a change of the device; nil for nothing.
  ///
  /// - Parameter hasSound: true if a clip has sound.
  mutating func news(_ status: SoundOutputStatus, hasSound: Bool) -> TerminalText? {
    switch status {
    case .opening: return nil
    case .open(let device):
      defer { known = .open(device.name) }
      return known == .silent ? "sound is back" : nil
    case .silent(let reason):
      guard known != .silent, hasSound else { return nil }
      known = .silent
      return "no sound: \(reason)"
    }
  }
}
