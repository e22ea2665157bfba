import Libav

/// Encodes a composition's sound and writes it along with its frames.
///
/// Use from one thread.
final class SoundTrackWriter {
  private let sound: BufferedSound
  private let failures: SoundFailures
  private let plan: SoundPlan
  private let encoder: SoundEncoder
  private let muxer: Muxer
  private let stream: Muxer.Stream
  private let packet: Packet
  /// The number of samples sent.
  private var count: Int64 = 0

  /// The encoder's name.
  var codec: String { encoder.name }

  /// Adds the track; nil if nothing is to be heard, or if the container usually has no sound and no codec is wanted.
  ///
  /// - Parameters:
  ///   - asset: a composition whose clips' facts are loaded.
  ///   - codec: the name of a codec or of an encoder; nil for one that suits the container.
  ///   - isLossless: true if the frames are lossless; then so is the sound, unless a codec is given.
  /// - Throws: `MuxerError`, `SoundEncoderError`, `AVError` or `PlaybackError`.
  init?(_ asset: Asset, _ muxer: Muxer, codec wanted: String?, isLossless: Bool, _ cancellation: RenderCancellation) throws {
    guard let media = asset.composition, let model = media.soundModel else { return nil }
    guard let codec = wanted ?? Self.codec(for: muxer, isLossless: isLossless) else { return nil }
    let rate = try SoundEncoder.sampleRate(of: codec, near: model.rate)
    let form = SoundForm(rate: rate, channels: model.channels)
    encoder = try SoundEncoder(codec: codec, sampleRate: rate, channelCount: form.channels, hasGlobalHeader: muxer.hasGlobalHeader)
    stream = try muxer.addStream(from: encoder)
    let session = InputSession(asset.input)
    cancellation.whenCancelled { session.interrupt() }
    let source = CompositionSound(media, form, session: session)
    sound = BufferedSound(source, channels: form.channels, session: session)
    plan = SoundPlan(media.composition, form: form)
    failures = media.soundFailures
    packet = try Packet()
    self.muxer = muxer
  }

  /// Returns the codec that a container usually has; nil if it has no sound.
  private static func codec(for muxer: Muxer, isLossless: Bool) -> String? {
    switch muxer.name {
    case "matroska": isLossless ? "flac" : "opus"
    case "webm": "opus"
    case "mov": isLossless ? "pcm_s24le" : "aac"
    case "mp4", "ipod", "mpegts": "aac"
    case "nut": isLossless ? "pcm_s24le" : "opus"
    // It does not store the delay of encoders.
    case "avi": "pcm_s16le"
    default: muxer.usualSoundCodec
    }
  }

  /// Writes the sound that is heard before a time.
  ///
  /// - Throws: `PlaybackError` if a clip's sound cannot be read, or an error of the layer below.
  func write(through time: MediaTime) throws {
    let end = min(plan.end, plan.form.index(of: time))
    while count < end { try encode() }
  }

  /// Writes the rest.
  ///
  /// - Throws: as `write` does.
  func finish() throws {
    try write(through: .positiveInfinity)
    try encoder.finish()
    try take()
  }

  private func encode() throws {
    let wanted = Int(min(Int64(encoder.frameLength), plan.end - count))
    while !sound.has(wanted) { try sound.advance() }
    if let failure = failures.first { throw PlaybackError(failure.reason, "cannot render: \(failure.message)") }
    let taken = try sound.take(wanted) { samples in
      try encoder.send(samples, at: count)
      return samples.count / plan.form.channels
    }
    count += Int64(taken)
    try take()
  }

  private func take() throws {
    while try encoder.receive(into: packet) == .packet {
      guard let pts = packet.pts else { continue }
      try muxer.write(packet, to: stream, pts: pts, dts: packet.dts ?? pts, duration: packet.duration)
    }
  }
}

extension CompositionMedia {
  /// The rate and number of channels that suit the sound: those of the first clip that is heard, and two channels if any has
  /// more than one. Nil if no clip that is heard has sound; only clips whose facts are loaded count.
  var soundModel: SoundForm? {
    let plan = SoundPlan(composition, form: SoundForm(rate: 48_000, channels: 2)).audible()
    var seen: Set<Asset> = []
    var model: SoundForm?
    for piece in plan.pieces where seen.insert(piece.asset).inserted {
      guard let own = piece.asset.soundModel else { continue }
      model = SoundForm(rate: model?.rate ?? own.rate, channels: max(model?.channels ?? 1, own.channels))
    }
    return model
  }
}

extension Asset {
  /// The form of the preferred sound track, with at most two channels; nil if there is none, or if it is not loaded.
  fileprivate var soundModel: SoundForm? {
    if let composition { return composition.soundModel }
    guard let track = loadedValue(of: .facts)?.preferredSoundTrack else { return nil }
    return SoundForm(rate: track.sampleRate > 0 ? track.sampleRate : 48_000, channels: track.channelCount == 1 ? 1 : 2)
  }
}
