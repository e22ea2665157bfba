import DecodePool
import FoundationEssentials
import Glibc
import Libav
import Synchronization

/// A clip on disk: static and shareable. Creating one reads nothing.
///
/// Properties load asynchronously on a separate thread, so that a source that hangs blocks nobody. Concurrent requests
/// share one load, and cancelling ends it for all of them. Safe to use from any thread.
public final class Asset: Sendable {
  /// Options for loading an asset's properties.
  public struct Options: Sendable {
    /// True to find `duration` by reading all packets, whatever the header says. False by default.
    public var prefersPreciseDurationAndTiming = false
    /// The folder in which frame indexes are cached, at most 64 MB; nil to cache none.
    public var indexFolder: String?
    /// The preferred languages of video and sound, which decide the preferred tracks.
    public var languages = MediaLanguages()
    /// Access to servers, for paths that are addresses; nil to permit none. Assets that share it share connections.
    public var network: Network?
    /// The highest bit rate of the variants of streams, in bits per second; 0 for no limit. Items can change it; see
    /// `PlayerItem.preferredPeakBitRate`.
    public var preferredPeakBitRate = 0.0
    /// The file to write what arrives from a live source to, without encoding it again; nil for none. If there is a file of that
    /// name, a number is added.
    public var recording: String?
    /// The loudness stated in files with which their sound is played; none by default. Movies are played as they were mixed.
    public var replayGain = ReplayGain.Mode.off

    /// Creates options.
    public init(
      prefersPreciseDurationAndTiming: Bool = false, indexFolder: String? = nil, languages: MediaLanguages = MediaLanguages(),
      network: Network? = Network()
    ) {
      self.network = network
      self.prefersPreciseDurationAndTiming = prefersPreciseDurationAndTiming
      self.indexFolder = indexFolder
      self.languages = languages
    }
  }

  /// The file's name, taken literally, or an address without its credentials; for a composition, the name of the file that it
  /// comes from.
  public var path: String { WebAddress.withoutCredentials(input.path) }
  let input: MediaInput
  /// Builds the asset's composition when it is first needed; nil for a file, and if it already exists.
  private let makeComposition: (@Sendable () throws -> Composition)?
  /// The composition's media; nil for a file, and before the composition has been built.
  var composition: CompositionMedia? { state.withLock { $0.composition } }
  /// The options for loading this asset.
  public let options: Options
  private let state = Mutex(State())
  /// Ends the search for captions, which may read the whole file.
  private let captionInterrupter = Interrupter()

  /// Returns the path of a file whose name consists of these bytes, which need not be UTF-8.
  public static func path(ofBytes bytes: some Collection<UInt8>) -> String { FileName.text(bytes) }

  /// Returns the bytes of a path; the inverse of `path(ofBytes:)`.
  public static func bytes(ofPath path: String) -> [UInt8] {
    FileName.withBytes(path) { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Starts the threads on which files are read.
  let startThread: ThreadStarter

  /// Creates an asset for a local file.
  ///
  /// - Parameter path: the name of a file; never interpreted as a pattern or a protocol.
  public convenience init(path: String, options: Options = Options()) {
    self.init(path: path, options: options, startThread: detachThread)
  }

  init(path: String, options: Options = Options(), startThread: @escaping ThreadStarter) {
    input = MediaInput(path: path, network: options.network, recording: options.recording)
    input.updatePreferences { $0.peakBitRate = max(0, options.preferredPeakBitRate) }
    makeComposition = nil
    self.options = options
    self.startThread = startThread
  }

  /// Creates an asset for a file whose name does not tell its format.
  ///
  /// - Parameter name: a name that does.
  convenience init(file path: String, probedAs name: String) { self.init(MediaInput(path: path, probedName: name)) }

  /// Creates an asset for a subtitle file.
  ///
  /// - Parameters:
  ///   - ending: the extension of its name, which decides about its format if its contents do not.
  ///   - frameRate: the frame rate of the clip that it belongs to; nil if unknown.
  convenience init(subtitles path: String, ending: String, frameRate: Ratio?) {
    self.init(MediaInput(path: path, subtitleEnding: ending, frameRate: frameRate))
  }

  private init(_ input: MediaInput, options: Options = Options()) {
    self.input = input
    makeComposition = nil
    self.options = options
    startThread = detachThread
  }

  /// Creates an asset for an image sequence, which plays like any clip: each image is a frame.
  public convenience init(sequence: ImageSequence, options: Options = Options()) {
    self.init(MediaInput(sequence), options: options)
  }

  /// Returns true if the asset was created with this path, including the credentials in it.
  package func isOpened(from path: String) -> Bool { input.path == path }

  /// The image sequence that the asset was created for; nil for other assets.
  public var sequence: ImageSequence? { input.sequence.map { ImageSequence($0, pattern: input.path) } }

  /// True if the asset is a composition rather than a file.
  public var isComposition: Bool { makeComposition != nil || composition != nil }

  /// Creates an asset from a composition, which is copied.
  ///
  /// - Parameter path: the file that the composition comes from, for display; it is not read.
  public init(composition: Composition, path: String = "", options: Options = Options()) {
    input = MediaInput(path: path)
    makeComposition = nil
    self.options = options
    startThread = detachThread
    state.withLock { $0.composition = CompositionMedia(composition) }
  }

  /// Creates an asset from a composition that is built when the asset is loaded.
  ///
  /// - Parameters:
  ///   - path: the file that the composition comes from; it is not read here.
  ///   - composition: builds it; called for each load until one succeeds, on a separate thread, where it may block. If it
  ///     throws, the load fails.
  public init(
    path: String, options: Options = Options(), composition: @escaping @Sendable () throws -> Composition
  ) {
    input = MediaInput(path: path)
    makeComposition = composition
    self.options = options
    startThread = detachThread
  }

  /// Creates an asset for a file URL.
  ///
  /// - Parameter url: a file URL; loading fails for any other.
  public convenience init(url: URL, options: Options = Options()) {
    self.init(path: url.isFileURL ? url.path : url.absoluteString, options: options)
  }

  deinit {
    cancelLoading()
    captionInterrupter.interrupt()
    state.withLock { $0.openingAhead }?.interrupt()
  }

  /// The two loads behind all properties.
  private enum Stage: Int, CaseIterable {
    case headers
    case scan
  }

  private typealias Answer = @Sendable (Result<LoadedAsset, PlaybackError>) -> Void

  /// A request for a property that is being loaded.
  private struct Waiter {
    /// Unique among the asset's requests.
    let id: Int
    let answer: Answer
  }

  private struct State {
    var statuses: [Stage: AssetPropertyStatus] = [:]
    var loaded: LoadedAsset?
    var composition: CompositionMedia?
    var waiters: [Stage: [Waiter]] = [:]
    var requestCount = 0
    var interrupter = Interrupter()
    /// The input left open by loading for the first item, or opened ahead for another, so that these need not open the file
    /// again.
    var opened: OpenedInput?
    /// Ends opening ahead.
    var openingAhead: Interrupter?
    /// By track index.
    var frameIndexes: [Int: FrameIndex] = [:]
    /// Several tracks may have one index.
    var subtitles: [AssetTrack: SubtitleTrack] = [:]
    var captions: [Int: CaptionSearch] = [:]
  }

  /// Returns the property's status without loading anything.
  public func status<Value>(of property: AssetProperty<Value>) -> AssetPropertyStatus {
    let stage = stage(of: property)
    return state.withLock { $0.statuses[stage] ?? .unknown }
  }

  /// Returns the property's value if it is loaded, else nil; loads nothing.
  public func loadedValue<Value>(of property: AssetProperty<Value>) -> Value? {
    let stage = stage(of: property)
    let loaded = state.withLock { $0.statuses[stage] == .loaded ? $0.loaded : nil }
    return loaded.map { property.value($0) }
  }

  /// Loads a property and returns its value.
  ///
  /// Cancelling the task ends the wait, and the load if nobody else waits for it.
  ///
  /// - Throws: `PlaybackError`; with reason `cancelled` after `cancelLoading()`, whoever called it, and if the task is
  ///   cancelled.
  public func load<Value>(_ property: AssetProperty<Value>) async throws -> Value {
    let id = newRequest()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        load(property, request: id) { continuation.resume(with: $0) }
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { cancel(request: id) }
      }
    } onCancel: {
      cancel(request: id)
    }
  }

  /// Loads a property and calls back once, on the loading thread, or immediately if it is already loaded.
  ///
  /// - Parameter completion: receives the value, or a `PlaybackError`; with reason `cancelled` after `cancelLoading()`.
  public func load<Value>(
    _ property: AssetProperty<Value>,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    load(property, request: newRequest(), completion)
  }

  private func newRequest() -> Int {
    state.withLock { state in
      state.requestCount += 1
      return state.requestCount
    }
  }

  /// Answers a request that still waits, and ends the load if no other does.
  private func cancel(request id: Int) {
    let (waiter, isLast) = state.withLock { state -> (Waiter?, Bool) in
      for stage in Stage.allCases {
        guard let i = state.waiters[stage]?.firstIndex(where: { $0.id == id }) else { continue }
        let waiter = state.waiters[stage]?.remove(at: i)
        return (waiter, state.waiters.values.allSatisfy(\.isEmpty))
      }
      return (nil, false)
    }
    if isLast { cancelLoading() }
    waiter?.answer(.failure(.cancelled))
  }

  private func load<Value>(
    _ property: AssetProperty<Value>, request id: Int, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let wanted = stage(of: property)
    let waiter = Waiter(id: id) { result in
      completion(
        result.map { property.value($0) }
          .mapError { $0 })
    }
    let answer: Result<LoadedAsset, PlaybackError>?
    let interrupter: Interrupter?
    (answer, interrupter) = state.withLock { state in
      switch state.statuses[wanted] ?? .unknown {
      case .loaded:
        if let loaded = state.loaded { return (.success(loaded), nil) }
        return (.failure(.cancelled), nil)
      case .failed(let error):
        return (.failure(error), nil)
      case .loading:
        state.waiters[wanted, default: []].append(waiter)
        return (nil, nil)
      case .unknown, .cancelled:
        state.waiters[wanted, default: []].append(waiter)
        // The new load finds everything that the current one would.
        state.interrupter.interrupt()
        state.interrupter = Interrupter()
        for stage in Stage.allCases where stage.rawValue <= wanted.rawValue {
          if state.statuses[stage] != .loaded { state.statuses[stage] = .loading }
        }
        return (nil, state.interrupter)
      }
    }
    if let answer { return waiter.answer(answer) }
    if let interrupter {
      if isComposition { return loadComposition(upTo: wanted, interrupter) }
      // Weak: loading ends when the asset is freed.
      runInBackground(startThread) { [weak self, input, languages = options.languages] in
        Self.load(upTo: wanted, input, languages, interrupter: interrupter) { stage, result, opened in
          self?.finish(stage, result, opened, interrupter)
        }
      } refused: {
        finish(.headers, .failure($0), nil, interrupter)
      }
    }
  }

  /// Cancels all loading; requests fail with reason `cancelled` immediately, even if the source hangs.
  public func cancelLoading() {
    let waiters = state.withLock { state in
      state.interrupter.interrupt()
      for (stage, status) in state.statuses where status == .loading { state.statuses[stage] = .cancelled }
      let waiters = state.waiters.values.flatMap { $0 }
      state.waiters = [:]
      return waiters
    }
    for waiter in waiters { waiter.answer(.failure(.cancelled)) }
  }

  /// Ends receiving a live source, and waits until its recording is complete, or until a time of the monotonic clock in
  /// nanoseconds.
  package func finishRecording(until deadline: UInt64) {
    if options.recording != nil { input.live?.finish(until: deadline) }
  }

  /// Takes the open input left by loading, once; nil if there is none.
  func takeInput() -> OpenedInput? {
    state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
  }

  /// Closes the input left open by loading, if it can be reopened; for callers that load many assets and play few of them
  /// soon.
  package func closeInput() {
    if input.identity != nil { _ = takeInput() }
  }

  /// Takes the input left open by loading, or opens the file; blocks until done or interrupted.
  ///
  /// - Throws: as `MediaInput.open` does.
  func openInput(_ session: InputSession) throws -> OpenedInput {
    try takeInput().map(session.adopt) ?? session.open()
  }

  /// Opens the file again, with lower priority than playback, if another of its video tracks may be needed: it then appears
  /// as quickly as a seek's frame.
  func openAhead(_ facts: AssetFacts) {
    let count = facts.videoTracks.filter(\.isDecodable).count
    guard count > 1, input.identity != nil else { return }
    let interrupter = Interrupter()
    let isToOpen = state.withLock { state in
      guard state.opened == nil, state.openingAhead == nil else { return false }
      state.openingAhead = interrupter
      return true
    }
    guard isToOpen else { return }
    runInBackground(startThread) { [weak self, input] in
      lowerThreadPriority()
      let opened = try? input.open(interrupter)
      self?.didOpenAhead(opened)
    } refused: { _ in
      didOpenAhead(nil)
    }
  }

  private func didOpenAhead(_ opened: OpenedInput?) {
    state.withLock { state in
      state.openingAhead = nil
      if state.opened == nil { state.opened = opened }
    }
  }

  /// Returns the frame times of a video track known so far; nil if indexing has not started.
  func knownTimeline(of track: AssetTrack) -> PresentationTimeline? {
    state.withLock { $0.frameIndexes[track.index] }?.timeline
  }

  /// Returns the frame index of a video track, shared by all players.
  func frameIndex(of track: AssetTrack, _ facts: AssetFacts, mayJump: Bool) -> FrameIndex {
    state.withLock { state in
      if let index = state.frameIndexes[track.index] { return index }
      if let composition = state.composition {
        let index = FrameIndex(CompositionIndex(composition.plan(facts), composition.failures))
        state.frameIndexes[track.index] = index
        return index
      }
      let scan = TimelineScan(
        input: input, track: track, startTime: facts.startTime, mayJump: mayJump, interrupter: Interrupter())
      let index = FrameIndex(
        MovieIndex(scan, store: options.indexFolder.map(IndexStore.init), startThread: startThread))
      state.frameIndexes[track.index] = index
      return index
    }
  }

  /// Returns the cues of a track, read once for all callers.
  ///
  /// - Parameter startTime: the stream's time that is time 0.
  func subtitles(of track: AssetTrack, startTime: MediaTime) -> SubtitleTrack {
    guard track.isDecodable else { return SubtitleTrack(failed: PlaybackError(DecoderError.unknownCodec(name: track.codec))) }
    // Reading it here too would take data from the player. Captions in segments would be read to the end of a live stream.
    let canReopen = input.canReopen && (!input.isSegmented || track.streamPart != nil)
    return state.withLock { state in
      if let known = state.subtitles[track] { return known }
      guard canReopen else {
        return SubtitleTrack(failed: PlaybackError(.notAFile, "cannot be read: the clip can be read only once"))
      }
      let facts = state.loaded?.facts
      // Captions in frames have the index of the video.
      let video = facts?.tracks.first { $0.index == track.index && $0.mediaType == .video } ?? facts?.preferredVideoTrack
      let subtitles = SubtitleTrack(input, track: track, video: video, startTime: startTime, startThread: startThread)
      state.subtitles[track] = subtitles
      return subtitles
    }
  }

  /// The state of the search for captions in a track's frames.
  private enum CaptionSearch {
    case underway([@Sendable (CaptionExtractor.Kinds) -> Void])
    case done(CaptionExtractor.Kinds)
  }

  /// Searches for captions in the frames of a video track, once for all callers; calls back once, on another thread or
  /// immediately.
  func findCaptions(of video: AssetTrack, _ completion: @escaping @Sendable (CaptionExtractor.Kinds) -> Void) {
    // Input that can be read only once is left to the player.
    guard input.canReopen, !input.isSegmented, CaptionExtractor(codec: video.codec, headers: []) != nil else {
      return completion([])
    }
    let search = state.withLock { state in
      defer {
        switch state.captions[video.index] {
        case nil: state.captions[video.index] = .underway([completion])
        case .underway(let others): state.captions[video.index] = .underway(others + [completion])
        case .done: break
        }
      }
      return state.captions[video.index]
    }
    switch search {
    case .done(let kinds): return completion(kinds)
    case .underway: return
    case nil: break
    }
    runInBackground(startThread) { [weak self, input, captionInterrupter] in
      let demuxer = try? input.open(captionInterrupter, role: ReadingRole(.following)).demuxer
      let kinds = demuxer.flatMap { try? CaptionFinder($0, of: video) }?.find().kinds
      self?.finishCaptions(of: video, kinds)
    } refused: { _ in
      finishCaptions(of: video, nil)
    }
  }

  /// Searches for captions at the beginning and some other places, while someone waits; see `CaptionFinder.find`. Calls
  /// back like the full search, which remains to be done.
  func glanceAtCaptions(of video: AssetTrack, _ completion: @escaping @Sendable (CaptionFinder.Finding) -> Void) {
    let nothing = CaptionFinder.Finding(kinds: [])
    guard input.identity != nil, CaptionExtractor(codec: video.codec, headers: []) != nil else { return completion(nothing) }
    runInBackground(startThread) { [input, captionInterrupter] in
      let demuxer = try? input.open(captionInterrupter).demuxer
      completion(demuxer.flatMap { try? CaptionFinder($0, of: video) }?.find(isBounded: true) ?? nothing)
    } refused: { _ in
      completion(nothing)
    }
  }

  /// - Parameter kinds: nil if the search failed, and may be retried.
  private func finishCaptions(of video: AssetTrack, _ kinds: CaptionExtractor.Kinds?) {
    let former = state.withLock { state in
      defer { state.captions[video.index] = kinds.map { .done($0) } }
      return state.captions[video.index]
    }
    guard case .underway(let waiters) = former else { return }
    for waiter in waiters { waiter(kinds ?? []) }
  }

  private func stage<Value>(of property: AssetProperty<Value>) -> Stage {
    property.needsScan && options.prefersPreciseDurationAndTiming ? .scan : .headers
  }

  private func loadComposition(upTo wanted: Stage, _ interrupter: Interrupter) {
    runInBackground(startThread) { [weak self, makeComposition] in
      do {
        let made = try self?.composition ?? makeComposition.map { CompositionMedia(try $0()) }
        guard let made else { return }
        self?.state.withLock { $0.composition = made }
        made.loadFacts { [weak self] facts in
          let loaded = LoadedAsset(facts: facts, scannedDuration: facts.duration)
          for stage in Stage.allCases where stage.rawValue <= wanted.rawValue {
            self?.finish(stage, .success(loaded), nil, interrupter)
          }
        }
      } catch {
        self?.finish(.headers, .failure(PlaybackError(error)), nil, interrupter)
      }
    } refused: {
      finish(.headers, .failure($0), nil, interrupter)
    }
  }

  private func finish(
    _ stage: Stage, _ result: Result<LoadedAsset, PlaybackError>, _ opened: OpenedInput?,
    _ interrupter: Interrupter
  ) {
    let waiters: [Waiter] = state.withLock { state in
      // A cancelled load has already answered, and a newer one may be in progress.
      guard state.interrupter === interrupter, !interrupter.isInterrupted else { return [] }
      switch result {
      case .success(let loaded):
        state.loaded = loaded
        state.opened = opened
        // Later loads do not affect an input that has been taken.
        if opened != nil { state.interrupter = Interrupter() }
        state.statuses[stage] = .loaded
        return state.waiters.removeValue(forKey: stage) ?? []
      case .failure(let error):
        for s in Stage.allCases where s.rawValue >= stage.rawValue && state.statuses[s] == .loading {
          state.statuses[s] = .failed(error)
        }
        let waiters = state.waiters.values.flatMap { $0 }
        state.waiters = [:]
        return waiters
      }
    }
    for waiter in waiters { waiter.answer(result) }
  }

  /// Reads as far as needed; runs on the loading thread.
  private static func load(
    upTo wanted: Stage, _ input: MediaInput, _ languages: MediaLanguages, interrupter: Interrupter,
    report: (Stage, Result<LoadedAsset, PlaybackError>, OpenedInput?) -> Void
  ) {
    do {
      let opened = try input.open(interrupter, role: ReadingRole(.playback))
      var loaded = LoadedAsset(
        facts: AssetFacts(
          opened.demuxer, languages, matroska: input.matroskaLanguages(opened), sami: try SAMILanguage.all(in: opened.demuxer),
          source: input.segments),
        scannedDuration: nil)
      guard wanted == .scan else {
        return report(.headers, .success(loaded), opened)
      }
      guard input.live == nil else {
        // It has no end to look for.
        report(.headers, .success(loaded), opened)
        return report(.scan, .success(loaded), opened)
      }
      report(.headers, .success(loaded), nil)
      loaded.scannedDuration = try scanDuration(opened.demuxer, loaded.facts)
      report(.scan, .success(loaded), nil)
    } catch {
      report(.headers, .failure(PlaybackError(error)), nil)
    }
  }

  /// Returns the end of the last video frame, or without video that of the sound, by reading every packet.
  private static func scanDuration(_ demuxer: Demuxer, _ facts: AssetFacts) throws -> MediaTime {
    guard let track = facts.preferredVideoTrack ?? facts.preferredSoundTrack else { return facts.duration }
    demuxer.select(streams: [track.index])
    let packet = try Packet()
    var end: Int64?
    var total: Int64 = 0
    // If timestamps jump, as between joined recordings, the timeline continues.
    var jumps = JumpFollower(video: track, mayJump: demuxer.mayBeDiscontinuous)
    while try demuxer.read(into: packet) == .packet {
      guard packet.streamIndex == track.index else { continue }
      let offset = jumps.note(packet)
      total = total &+ jumps.lastDuration
      guard let time = packet.pts ?? packet.dts else { continue }
      end = max(end ?? .min, time &+ offset &+ jumps.lastDuration)
    }
    if let end { return MediaTime(ticks: end, in: track.timeBase) - facts.startTime }
    // A stream without timestamps lasts as long as its packets.
    return total > 0 ? MediaTime(ticks: total, in: track.timeBase) : facts.duration
  }
}

/// Two assets are equal if they are the same object.
extension Asset: Hashable {
  /// Returns true if both are the same object; two assets of one file are not equal.
  public static func == (a: Asset, b: Asset) -> Bool { a === b }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
