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
    isMuted = false
    decibels = min(max((decibels + step).rounded(), Self.decibelRange.lowerBound), Self.decibelRange.upperBound)
  }

  /// The volume in words, with a scale.
  var message: TerminalText {
    let range = Self.decibelRange
    let share = (decibels - range.lowerBound) / (range.upperBound - range.lowerBound)
    let count = Int((share * Double(Self.scaleWidth)).rounded())
    let scale = String(repeating: "█", count: count) + String(repeating: "░", count: Self.scaleWidth - count)
    return "volume \(scale) \(figure)"
  }

  /// The volume in decibels, in words.
  var figure: TerminalText {
    if decibels <= Self.decibelRange.lowerBound { return "silent" }
    return decibels == 0 ? "0 dB" : decibels > 0 ? "+\(Int(decibels)) dB" : "−\(Int(-decibels)) dB"
  }
}
