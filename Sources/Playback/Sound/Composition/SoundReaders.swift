/// The readers of a composition's sound: each clip is opened as often as it is heard at the same time.
///
/// Use from one thread at a time.
final class SoundReaders {
  private struct Entry {
    let reader: BufferedSound
    let asset: Asset
    var isTaken: Bool
    var lastUse: Int
  }

  private let form: SoundForm
  private let session: InputSession
  private var entries: [Entry] = []
  private var uses = 0
  /// The clips that have no sound, or none that can be read.
  private var silent: Set<Asset> = []

  /// The maximum number of clips heard at the same time.
  private static let maxTaken = 64

  /// - Parameter session: ends all reading.
  init(_ form: SoundForm, session: InputSession) { (self.form, self.session) = (form, session) }

  /// Takes a reader of a clip: an idle one at a sample, else another idle one, else a new one. Returns nil if the clip has no
  /// sound, or was found to be unreadable.
  ///
  /// - Throws: the reason that the clip cannot be opened, once.
  func take(_ asset: Asset, at position: Int64) throws -> BufferedSound? {
    guard !silent.contains(asset) else { return nil }
    uses += 1
    let idle = entries.indices.filter { !entries[$0].isTaken && entries[$0].asset === asset }
    if let best = idle.first(where: { entries[$0].reader.position == position }) ?? idle.first {
      (entries[best].isTaken, entries[best].lastUse) = (true, uses)
      return entries[best].reader
    }
    guard entries.count(where: \.isTaken) < Self.maxTaken else {
      throw PlaybackError(.system, "more than \(Self.maxTaken) clips are heard at the same time")
    }
    makeRoom()
    do {
      guard let reader = try asset.openSamples(form, for: session) else {
        silent.insert(asset)
        return nil
      }
      entries.append(Entry(reader: reader, asset: asset, isTaken: true, lastUse: uses))
      return reader
    } catch {
      silent.insert(asset)
      throw error
    }
  }

  /// Returns a reader that is no longer needed.
  func giveBack(_ reader: BufferedSound) {
    guard let number = entries.firstIndex(where: { $0.reader === reader }) else { return }
    entries[number].isTaken = false
  }

  private func makeRoom() {
    while entries.count >= OpenClips.maxIdle {
      let oldest = entries.indices.filter { !entries[$0].isTaken }.min { entries[$0].lastUse < entries[$1].lastUse }
      guard let oldest else { return }
      entries.remove(at: oldest)
    }
  }
}

extension Asset {
  /// Opens the samples of the preferred sound track, or of a composition; blocks. Returns nil if there is no sound.
  ///
  /// - Parameter session: ends the reading.
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func openSamples(_ form: SoundForm, for session: InputSession) throws -> BufferedSound? {
    let wasLoaded = loadedValue(of: .facts) != nil
    let facts = try wait(for: .facts)
    let own = InputSession(input)
    session.add(own)
    if let composition {
      return BufferedSound(CompositionSound(composition, form, session: own), channels: form.channels, session: own)
    }
    // Loading leaves it open for its frames, which may not be needed soon.
    if !wasLoaded { closeInput() }
    guard let track = facts.preferredSoundTrack else {
      let unreadable = facts.tracks.first { $0.mediaType == .audio }
      guard let unreadable else { return nil }
      throw PlaybackError(.unknownCodec, "its sound cannot be decoded: no decoder for \(unreadable.codec)")
    }
    return BufferedSound(try own.openSound(track, startTime: facts.startTime, form), channels: form.channels, session: own)
  }
}
