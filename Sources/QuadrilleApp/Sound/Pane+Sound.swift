import Playback
import Terminal

/// The words for a pane's sound.
extension Pane {
  /// The device and how exactly it keeps to the frames, for the statistics; nil without sound.
  var soundFigures: TerminalText? {
    guard let status = player.context.soundOutputStatus, player.currentItem?.hasSound == true else { return nil }
    switch status {
    case .opening: return "sound: opening the device"
    case .silent(let reason): return "no sound: \(reason)"
    case .open(let device):
      var line: TerminalText = "sound \(device.kind)  \(device.sampleRate / 1000) kHz"
      if let track = player.currentItem?.audioTrack, track.channelCount > device.channelCount {
        line += "  \(track.channelCount) channels mixed to \(device.channelCount)"
      }
      if let latency = device.latency { line += "  latency \(latency / 1_000_000) ms" }
      if player.audioDelay != 0 { line += "  delayed by \(PaneText.milliseconds(player.audioDelay)) ms" }
      if let deviation = player.soundDeviation { line += "  offset \(PaneText.signedMilliseconds(deviation)) ms" }
      if let gain = player.currentItem?.replayGain { line += "  ReplayGain \(PaneText.signedDecibels(gain.applied)) dB" }
      if device.underruns > 0 { line += "  underruns \(device.underruns)" }
      return line
    }
  }
}
