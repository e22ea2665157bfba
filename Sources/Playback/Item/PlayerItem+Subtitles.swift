import DecodePool
import Libav
import Pixels

/// An item's subtitles: files in addition to the asset's own tracks, and the selection.
struct SubtitleSelection {
  /// An added subtitle file.
  struct File {
    let path: String
    /// The file, or its text converted to UTF-8.
    let asset: Asset
    let converted: MemoryFile?
    let options: [MediaSelectionOption]
  }

  var files: [File] = []
  /// Files next to the asset's own that cannot be read.
  var unreadable: [UnreadableSubtitles] = []
  /// Captions in the video frames.
  var captions: [MediaSelectionOption] = []
  var selected: MediaSelectionOption?

  /// Replaces the captions with those of another video track; the selected kind stays selected.
  mutating func take(captions: [MediaSelectionOption]) {
    if let selected, self.captions.contains(selected) {
      self.selected = captions.first { $0.track.codec == selected.track.codec }
    }
    self.captions = captions
  }

  /// Adds the files that another selection has in addition.
  mutating func take(files: [File]) {
    let known = Set(self.files.map(\.path))
    self.files += files.filter { !known.contains($0.path) }
  }
}

/// A subtitle file that cannot be read.
public struct UnreadableSubtitles: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The reason.
  public let error: PlaybackError
}

extension PlayerItem {
  /// The subtitles to choose from: the asset's tracks, then those of added files. Nil if there are none, or before the item
  /// is ready.
  public var subtitleGroup: MediaSelectionGroup? {
    let own = asset?.loadedValue(of: .facts)?.mediaSelectionGroup(for: .legible)
    let added = withSelection { $0.captions + $0.files.flatMap(\.options) }
    guard var group = own else { return MediaSelectionGroup(.legible, added) }
    group.options += added
    return group
  }

  /// The selected subtitles; nil for none. Setting subtitles that the item does not have selects none.
  public var selectedSubtitles: MediaSelectionOption? {
    get { withSelection { $0.selected } }
    set {
      let options = subtitleGroup?.options ?? []
      withSelection { $0.selected = newValue.flatMap { options.contains($0) ? $0 : nil } }
    }
  }

  /// The cues of the selected subtitles, which are read in the background; nil if none are selected.
  ///
  /// Those of a pipe fail immediately, since its data can be read only once, by the player.
  public var subtitles: SubtitleTrack? {
    guard let option = selectedSubtitles else { return nil }
    if let file = withSelection({ $0.files.first { $0.options.contains(option) } }) {
      // A file's times count from the start of the clip's container, as in other players.
      let lead = asset?.loadedValue(of: .facts)?.leadTime ?? .zero
      return file.asset.subtitles(of: option.track, startTime: lead)
    }
    guard let facts = asset?.loadedValue(of: .facts) else { return nil }
    return asset?.subtitles(of: option.track, startTime: facts.startTime)
  }

  /// Looks for captions in the video frames; if there are any, they can be selected.
  ///
  /// EIA-608 captions can be decoded; EIA-708 captions are only listed. Reads parts of the file to examine some frames, or
  /// all of it up to the first text if the captions found are still empty. The captions replace those of another video
  /// track, even if those are selected.
  ///
  /// - Parameter completion: called once, on another thread or immediately.
  public func addCaptions(completion: @escaping @Sendable () -> Void) {
    guard let asset, let video = videoTrack ?? asset.loadedValue(of: .facts)?.preferredVideoTrack else { return completion() }
    asset.findCaptions(of: video) { [weak self] kinds in
      self?.take(kinds, of: video)
      completion()
    }
  }

  /// Like `addCaptions(completion:)`, but reads only the beginning and some other places, at most 96 MB, while someone
  /// waits.
  ///
  /// - Parameter completion: called once, on another thread or immediately; receives true if there are captions without
  ///   text in the places examined, which may have text elsewhere.
  package func glanceAtCaptions(completion: @escaping @Sendable (Bool) -> Void) {
    guard let asset, let video = videoTrack ?? asset.loadedValue(of: .facts)?.preferredVideoTrack else { return completion(false) }
    asset.glanceAtCaptions(of: video) { [weak self] found in
      self?.take(found.kinds, of: video)
      completion(found.isUndecided)
    }
  }

  private func take(_ kinds: CaptionExtractor.Kinds, of video: AssetTrack) {
    let captions = kinds.parts.map { MediaSelectionOption(AssetTrack(captions: $0, of: video)) }
    if !captions.isEmpty { withSelection { $0.take(captions: captions) } }
  }

  /// Takes over the subtitle files added to another item of the same asset, and its selection.
  public func takeSubtitles(of other: PlayerItem) {
    guard other.asset === asset else { return }
    let selection = other.withSelection { $0 }
    withSelection { $0 = selection }
  }

  /// Takes over files added to another item of the same asset since; the selection stays.
  package func takeAddedFiles(of other: PlayerItem) {
    guard other !== self, other.asset === asset else { return }
    let files = other.withSelection { $0.files }
    withSelection { $0.take(files: files) }
  }

  /// Adds the subtitles of a file to those that can be selected, without selecting any.
  ///
  /// - Parameters:
  ///   - path: a local file with subtitles, such as SubRip. If it counts frames (MicroDVD) and does not state its frame
  ///     rate, the video's nominal frame rate is used.
  ///   - charset: iconv's name of the text encoding if it is not UTF-8; nil to detect it.
  ///   - language: the language of tracks that do not specify theirs.
  ///   - completion: called once, on another thread, with the options added, at least one.
  public func addSubtitles(
    file path: String, charset: String? = nil, language: LanguageTag? = nil,
    completion: @escaping @Sendable (Result<[MediaSelectionOption], PlaybackError>) -> Void
  ) {
    add(path, SubtitleFileName(language: language), charset, completion)
  }

  private func add(
    _ path: String, _ name: SubtitleFileName, _ charset: String?,
    _ completion: @escaping @Sendable (Result<[MediaSelectionOption], PlaybackError>) -> Void
  ) {
    if withSelection({ $0.files.contains { $0.path == path } }) {
      return completion(.failure(PlaybackError(.notAFile, "is already added")))
    }
    runInBackground(asset?.startThread ?? detachThread) { [weak self] in
      do {
        let converted = try TextEncoding.converted(path, charset: charset)
        let file = Asset(
          subtitles: converted?.path ?? path, ending: FileName.ending(of: path), frameRate: self?.countedRate(ofSubtitles: path))
        // The file retains itself: it is freed when it is loaded or has failed.
        file.load(.facts) { [weak self, file] facts in
          let options = Result {
            let tracks = try facts.mapError { PlaybackError($0).ofSubtitles }.get().tracks.filter { $0.characteristic == .legible }
            guard !tracks.isEmpty else { throw PlaybackError(.unknownFormat, "has no subtitles") }
            let options = tracks.map { MediaSelectionOption($0, file: path, name: name) }
            self?.withSelection {
              $0.files.append(.init(path: path, asset: file, converted: converted, options: options))
            }
            return options
          }
          completion(options.mapError(PlaybackError.init))
        }
      } catch {
        completion(.failure(PlaybackError(error)))
      }
    } refused: {
      completion(.failure($0))
    }
  }

  /// File extensions of subtitles that may count frames.
  private static let countingEndings = [".sub", ".txt"]

  /// Returns the video's frame rate for subtitle files that may count frames (MicroDVD); nil for others, and without video.
  /// Waits until the asset is open.
  private func countedRate(ofSubtitles path: String) -> Ratio? {
    guard Self.countingEndings.contains(where: path.lowercased().hasSuffix), let asset, let facts = try? asset.wait(for: .facts),
      let video = videoTrack ?? facts.preferredVideoTrack, video.nominalFrameRate > 0
    else { return nil }
    return video.frameRate ?? Ratio(Int32(saturating: (video.nominalFrameRate * 1000).rounded()), 1000)
  }

  /// Adds subtitle files next to the asset's own whose names match: `clip.srt` and `clip.en.ass` for `clip.mp4`.
  ///
  /// Names can also specify a purpose: `clip.en.forced.srt`, `clip.en.sdh.srt`. Those that cannot be read are in
  /// `unreadableSubtitles` then.
  ///
  /// - Parameters:
  ///   - charset: as in `addSubtitles(file:charset:language:completion:)`.
  ///   - completion: called once, on another thread, when all matching files have been added or have failed.
  public func addSubtitlesBeside(charset: String? = nil, completion: @escaping @Sendable () -> Void) {
    guard let asset, asset.input.canReopen else { return completion() }
    let path = asset.path
    runInBackground(asset.startThread) { [weak self] in
      let files = SubtitleFileName.files(besideClip: path)
      guard let self else { return completion() }
      self.withSelection { $0.unreadable = [] }
      self.add(files[...], charset, completion)
    } refused: { _ in
      completion()
    }
  }

  /// The subtitle files found by `addSubtitlesBeside(charset:completion:)` that cannot be read.
  public var unreadableSubtitles: [UnreadableSubtitles] { withSelection { $0.unreadable } }

  /// Adds files one after another, to keep their order.
  private func add(
    _ files: ArraySlice<(path: String, name: SubtitleFileName)>, _ charset: String?, _ done: @escaping @Sendable () -> Void
  ) {
    guard let (path, name) = files.first else { return done() }
    add(path, name, charset) { [weak self] result in
      guard let self else { return done() }
      if case .failure(let error) = result, !self.withSelection({ $0.files.contains { $0.path == path } }) {
        self.withSelection { $0.unreadable.append(UnreadableSubtitles(path: path, error: error)) }
      }
      self.add(files.dropFirst(), charset, done)
    }
  }
}
