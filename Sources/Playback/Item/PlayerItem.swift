import DecodePool
import Libav
import Pixels
import Synchronization

/// The dynamic state of one asset in one player; an asset can back several items.
///
/// Opened when a player takes it, or when its turn in the queue comes near. Safe to use from any thread.
public final class PlayerItem: Sendable {
  /// The item's readiness to play.
  public enum Status: Hashable, Sendable {
    /// Not opened yet, or being opened.
    case unknown
    /// Opened; `info` is known.
    case readyToPlay
    /// Could not be opened, or failed during playback. This status is final.
    case failed(PlaybackError)
  }

  /// Choices about decoding that change the frames.
  public struct DecodingOptions: OptionSet, Hashable, Sendable {
    /// The bits of all options combined.
    public let rawValue: Int

    /// Film grain that the stream only describes is left out. AV1 has it; of H.264 and HEVC, FFmpeg 6.1 and later know it.
    public static let withoutFilmGrain = DecodingOptions(rawValue: 1)

    /// Creates options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    fileprivate var features: Decoder.Features {
      contains(.withoutFilmGrain) ? [.quantizers, .omitsFilmGrain] : [.quantizers]
    }
  }

  /// The asset; nil for an item with a custom source.
  public let asset: Asset?
  private let makeSource: @Sendable (_ threads: Int, _ done: @escaping @Sendable (Opening) -> Void) -> Void
  /// The open input; nil for an item with a custom source.
  let session: InputSession?
  /// The sound's own reading of the input; nil for an item with a custom source.
  let soundSession: InputSession?
  private let state: Mutex<State>

  typealias Opening = Result<SourceBox, PlaybackError>

  private struct State {
    var status = Status.unknown
    var info: SourceInfo?
    var isTaken = false
    weak var player: Player?
    var selection = SubtitleSelection()
    var sound: SoundChoice
  }

  /// The sound to play.
  enum SoundChoice: Equatable {
    /// The asset's preferred track.
    case preferred
    case track(AssetTrack)
  }

  /// The video track to play; nil for the asset's preferred one.
  public let videoTrack: AssetTrack?

  /// Creates an item that plays a video track of an asset.
  ///
  /// Time zero is the same for all tracks of an asset: the preferred track's first frame. An asset with sound but no video
  /// shows its cover, or else the loudness around the current time, 25 times a second.
  ///
  /// - Parameters:
  ///   - videoTrack: one of the asset's tracks; nil for the preferred one. A variant is selected as by `selectedVariant`.
  ///   - soundTrack: one of the asset's tracks, to play, and to show if there is no video; nil for the preferred one.
  ///   - options: how to decode; for a movie, all of its clips.
  public convenience init(
    asset: Asset, videoTrack: AssetTrack? = nil, soundTrack: AssetTrack? = nil, options: DecodingOptions = []
  ) {
    self.init(asset: asset, videoTrack: videoTrack, soundTrack: soundTrack, options: options, showsSound: true)
  }

  /// - Parameter showsSound: true if a clip without video shows its sound.
  init(
    asset: Asset, videoTrack: AssetTrack? = nil, soundTrack: AssetTrack? = nil, options: DecodingOptions = [],
    showsSound: Bool
  ) {
    self.asset = asset
    self.videoTrack = videoTrack
    let session = InputSession(asset.input, as: .playback)
    self.session = session
    soundSession = InputSession(asset.input)
    state = Mutex(State(sound: soundTrack.map { .track($0) } ?? .preferred))
    if case .variant(let index)? = videoTrack?.streamPart { asset.input.updatePreferences { $0.variant = index } }
    makeSource = { threads, done in
      // Weak: an asset that hangs ends with the last item that needs it.
      asset.load(.facts) { [weak asset] facts in
        let facts = facts.mapError(PlaybackError.init)
        // On a separate thread: opening a file may block, and a loaded asset calls back immediately.
        runInBackground(asset?.startThread ?? detachThread) { [asset] in
          let opening: Opening = facts.flatMap { facts in
            Result {
              guard let asset else { throw PlaybackError.cancelled }
              guard let track = videoTrack.flatMap({ $0.isVariant ? nil : $0 }) ?? facts.preferredVideoTrack else {
                guard showsSound else { throw MovieSource.noVideo(facts) }
                let opened = try asset.openInput(session)
                return SourceBox(try SoundSource(opened, session: session, facts: facts, track: soundTrack), session)
              }
              return SourceBox(
                try asset.openSource(
                  of: track, facts, session: session, threads: threads, features: options.features), session)
            }.mapError(PlaybackError.init)
          }
          done(opening)
        } refused: {
          done(.failure($0))
        }
      }
    }
  }

  /// Creates an item whose frames come from a custom source, for instance one that computes them.
  ///
  /// - Parameter source: creates the source; called once, when a player takes the item, on a thread chosen by the player.
  ///   Only the player uses the source, from one thread at a time. If it throws, the item fails.
  public init(source: @escaping @Sendable () throws -> any FrameSource) {
    asset = nil
    videoTrack = nil
    session = nil
    soundSession = nil
    state = Mutex(State(sound: .preferred))
    makeSource = { _, done in done(Result { SourceBox(try source()) }.mapError(PlaybackError.init)) }
  }

  deinit { interrupt() }

  /// The item's status; changes from `.unknown` to `.readyToPlay` or `.failed`, and from `.readyToPlay` to `.failed`.
  public var status: Status { state.withLock { $0.status } }

  /// Displayed size, in square pixels; nil before the item is ready.
  public var presentationSize: PixelSize? { state.withLock { $0.info?.presentationSize } }

  /// The duration that the source announces, corrected once its end has been decoded; indefinite before the item is ready.
  public var duration: MediaTime {
    let (announced, player) = state.withLock { ($0.info?.duration, $0.player) }
    if let player, player.currentItem === self { return player.duration }
    return announced ?? .indefinite
  }

  /// The player whose current item this is; nil if there is none.
  var currentPlayer: Player? {
    guard let player = state.withLock({ $0.player }), player.currentItem === self else { return nil }
    return player
  }

  /// The ranges whose frames are cached; empty unless the item is a player's current item.
  public var cachedTimeRanges: [TimeRange] {
    currentPlayer?.cachedTimeRanges ?? []
  }

  /// The reason that the item cannot be played; nil unless `status` is `.failed`.
  public var error: PlaybackError? {
    if case .failed(let error) = status { return error }
    return nil
  }

  /// The properties of the source; nil before the item is ready.
  public var info: SourceInfo? { state.withLock { $0.info } }

  /// Frames per second, 0 if unknown; before the item is ready, as given by its asset, or nil if that is not loaded.
  package var frameRate: Double? {
    info?.nominalFrameRate ?? (videoTrack ?? asset?.loadedValue(of: .facts)?.preferredVideoTrack)?.nominalFrameRate
  }

  var soundChoice: SoundChoice {
    get { state.withLock { $0.sound } }
    set { state.withLock { $0.sound = newValue } }
  }

  func withSelection<R: Sendable>(_ body: (inout SubtitleSelection) -> R) -> R {
    state.withLock { body(&$0.selection) }
  }

  /// Marks the item as belonging to a player; returns false if another has it.
  func claim(for player: Player) -> Bool {
    state.withLock { state in
      guard !state.isTaken else { return false }
      state.isTaken = true
      state.player = player
      return true
    }
  }

  /// Undoes `claim(for:)` for a player that has not taken the item.
  func disclaim() {
    state.withLock { state in
      state.isTaken = false
      state.player = nil
    }
  }

  /// Opens the source and calls back once, from another thread or immediately.
  func open(threads: Int, done: @escaping @Sendable (Opening) -> Void) {
    makeSource(threads) { [weak self] opening in
      self?.state.withLock { state in
        guard state.status == .unknown else { return }
        switch opening {
        case .success(let box):
          state.status = .readyToPlay
          state.info = box.info
        case .failure(let error):
          state.status = .failed(error)
        }
      }
      done(opening)
    }
  }

  /// Opens the asset again for another of its tracks, once that no longer delays what the user waits for.
  func openAhead() {
    guard let asset, let facts = asset.loadedValue(of: .facts) else { return }
    asset.openAhead(facts)
  }

  /// Reports a failure during playback.
  func fail(_ error: PlaybackError) { state.withLock { $0.status = .failed(error) } }

  /// Makes reads in progress fail, because what they are for is no longer wanted.
  func abandonReads() { session?.abandonReads() }

  /// Ends reading, even if a source hangs.
  func interrupt() {
    session?.interrupt()
    soundSession?.interrupt()
  }
}

/// Carries a source from the thread that opened it to the lane that uses it.
///
/// `@unchecked Sendable`: the source is created by one thread, handed over once, and then used only inside one lane's
/// steps, which never overlap.
final class SourceBox: @unchecked Sendable {
  let source: any FrameSource
  let info: SourceInfo
  let index: FrameIndex?
  /// The session that reads the source's input; nil for a custom source.
  let session: InputSession?

  init(_ source: any FrameSource, _ session: InputSession? = nil) {
    self.source = source
    self.session = session
    info = source.info
    index = source.index
  }
}
