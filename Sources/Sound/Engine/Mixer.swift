/// The mix of all voices, and what was rendered of it. Not safe from threads.
///
/// A change of any kind, be it a seek, a volume or another voice, is one thing here: from the next index rendered on, what was
/// rendered or would have followed is cross-faded to the new mix. That needs no ramp in the voices.
struct Mixer {
  private(set) var format: SoundFormat
  var voices: [VoiceState] = []
  /// The index after the last sample rendered.
  private(set) var rendered: Int64 = 0
  private(set) var masterVolume: Float = 1
  private var fade = Fade.none
  private let history: MixHistory

  private enum Fade: Hashable {
    case none
    /// Something has changed since the last rendering.
    case pending
    /// The change is faded in from this index on.
    case from(Int64)
  }

  init(format: SoundFormat) {
    self.format = format
    history = MixHistory(format: format)
  }

  /// Starts over for another stream. If its format is another one, voices have to be filled anew.
  mutating func restart(_ format: SoundFormat) {
    var voices = voices
    let isNewFormat = format != self.format
    for index in voices.indices {
      if isNewFormat { voices[index].changeFormat(format) }
      voices[index].loseDevice()
    }
    let volume = masterVolume
    self = Mixer(format: format)
    (self.voices, masterVolume, fade) = (voices, volume, .pending)
  }

  /// Notes that what is rendered from now on differs from what was rendered.
  mutating func noteChange() { fade = .pending }

  mutating func setMasterVolume(_ volume: Float) {
    masterVolume = volume.isFinite ? min(max(volume, 0), VoiceGain.max) : masterVolume
    noteChange()
  }

  mutating func loseAlignments() {
    for index in voices.indices { voices[index].loseAlignment() }
    noteChange()
  }

  /// True if something can be heard.
  var isAudible: Bool { masterVolume > 0 && voices.contains { $0.isAudible } }

  /// Fills a buffer with the mix from an index on.
  mutating func render(into buffer: UnsafeMutableBufferPointer<Float>, at index: Int64, clock: DeviceClock) {
    buffer.update(repeating: 0)
    guard buffer.count >= format.channels else { return }
    if fade == .pending || index < rendered {
      history.holdNewest()
      for voice in voices.indices { voices[voice].align(at: index, clock: clock) }
      fade = .from(index)
    }
    for voice in voices.indices { voices[voice].mix(into: buffer, at: index, gain: masterVolume) }
    limit(buffer)
    if case .from(let start) = fade { crossfade(buffer, at: index, since: start) }
    history.store(buffer, at: index)
    rendered = index + Int64(buffer.count / format.channels)
  }

  private mutating func crossfade(_ buffer: UnsafeMutableBufferPointer<Float>, at index: Int64, since start: Int64) {
    let ramp = Ramp(format: format)
    let channels = format.channels
    let count = min(Int(start + Int64(ramp.count) - index), buffer.count / channels)
    guard count > 0 else {
      fade = .none
      return
    }
    for sample in 0..<count {
      let level = ramp[Int(index - start) + sample]
      history.withSample(at: index + Int64(sample)) { old in
        for channel in 0..<channels {
          let place = sample * channels + channel
          buffer[place] = old[channel] + level * (buffer[place] - old[channel])
        }
      }
    }
  }

  /// Bends what several voices, or one that is amplified, bring beyond full scale. A single voice is passed as it is.
  private func limit(_ buffer: UnsafeMutableBufferPointer<Float>) {
    var gains: Float = 0
    for voice in voices where voice.transport != .stopped { gains += voice.gain.linear }
    guard gains * masterVolume > 1 else { return }
    for place in buffer.indices where abs(buffer[place]) > SoftLimit.knee { buffer[place] = SoftLimit.apply(buffer[place]) }
  }
}
