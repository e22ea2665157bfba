import Playback
import Terminal

/// The words for a pane's sound.
extension Pane {
  /// True if the clip is known to have no sound; movies and stories may have some later.
  var lacksSound: Bool {
    clip.isOpen && error == nil && story == nil && !asset.isComposition && player.currentItem?.hasSound == false
  }

  /// The sound track, and where it is heard the device, for the statistics; empty without sound.
  var soundFigures: [TerminalText] {
    guard player.currentItem?.hasSound == true else { return [] }
    return [soundTrackWords, soundDeviceWords].compactMap { $0 }
  }

  /// True if nothing may be told by which the clips of a blind test could be known.
  private var isAnonymous: Bool { clips.list.alias != nil }

  /// The sound track and its format; nil if the clip has nothing else.
  private var soundTrackWords: TerminalText? {
    guard !isAnonymous, let track = player.currentItem?.audioTrack else { return nil }
    let choice = placeOfSound
    guard choice != nil || clip.media?.isSoundOnly == false else { return nil }
    let format = PaneText.soundFormat(sampleRate: track.sampleRate, channelCount: track.channelCount)
    return ["sound \(track.codecDescription)", format, choice.map { "track \($0)" }].compactMap { $0 }.joined(separator: "  ")
  }

  /// The device and how exactly it keeps to the frames; nil if the pane is not heard.
  private var soundDeviceWords: TerminalText? {
    guard !player.isMuted, let status = player.context.soundOutputStatus else { return nil }
    switch status {
    case .opening: return "sound: opening the device"
    case .silent(let reason): return "no sound: \(reason)"
    case .open(let device):
      var line: TerminalText = "heard through \(device.kind)  \(PaneText.kilohertz(device.sampleRate))"
      if !isAnonymous, let track = player.currentItem?.audioTrack, track.channelCount > device.channelCount {
        line += "  \(track.channelCount) channels mixed to \(device.channelCount)"
      }
      if let latency = device.latency { line += "  latency \(latency / 1_000_000) ms" }
      let delay = player.audioDelay
      if delay != 0 { line += "  \(PaneText.milliseconds(abs(delay))) ms \(delay < 0 ? "earlier" : "later")" }
      if let deviation = player.soundDeviation { line += "  offset \(PaneText.signedMilliseconds(deviation)) ms" }
      if !isAnonymous, let gain = player.currentItem?.replayGain?.applied { line += "  ReplayGain \(PaneText.signedDecibels(gain)) dB" }
      if device.underruns > 0 { line += "  underruns \(device.underruns)" }
      return line
    }
  }
}
