/// Languages by which tracks are chosen where nobody chooses them, the most wanted first.
public struct MediaLanguages: Hashable, Sendable {
  /// Asked for in what is seen.
  public var visual: [LanguageTag]
  /// Asked for in what is heard.
  public var audible: [LanguageTag]
  /// Understood: they decide where a file marks no track as its default.
  public var understood: [LanguageTag]

  /// No languages, unless told otherwise.
  public init(visual: [LanguageTag] = [], audible: [LanguageTag] = [], understood: [LanguageTag] = []) {
    (self.visual, self.audible, self.understood) = (visual, audible, understood)
  }
}

/// One of several tracks for the same purpose, such as subtitles in one language.
public struct MediaSelectionOption: Hashable, Sendable {
  /// What is played when it is chosen.
  public let track: AssetTrack
  /// The file that the track is in, where it is not the asset's own.
  public let file: String?
  /// Nil where the file names none.
  public let language: LanguageTag?

  init(_ track: AssetTrack) {
    self.track = track
    file = nil
    language = track.language.flatMap { LanguageTag($0) }
  }

  /// - Parameter name: what it says counts where the file itself does not say it.
  init(_ track: AssetTrack, file: String, name: SubtitleFileName) {
    var track = track
    if name.isForced { track.isForced = true }
    if name.isForHearingImpaired { track.roles.insert(.hearingImpaired) }
    self.track = track
    self.file = file
    language = track.language.flatMap { LanguageTag($0) } ?? name.language
  }

  /// What people call it: its title, else its language, else what it is made of. Text from a file: any text.
  public var displayName: String {
    if let title = track.title, !title.isEmpty { return title }
    return language?.displayName ?? track.codecDescription
  }

  /// Whether it can be decoded here; of subtitles, whether these are text or images, too: pages of teletext are neither.
  public var isPlayable: Bool { track.isDecodable && (track.mediaType != .text || track.subtitleForm != nil) }
}

/// The tracks of an asset that are for the same purpose, of which one can be chosen.
public struct MediaSelectionGroup: Hashable, Sendable {
  /// What the tracks are for.
  public let characteristic: MediaCharacteristic
  /// In the container's order; at least one.
  public internal(set) var options: [MediaSelectionOption]
  /// The one to play where nobody chooses: by the languages that are wanted, else the one that the container marks, as far as
  /// it can be decoded; for what is seen and heard else the first.
  public let defaultOption: MediaSelectionOption?

  /// Whether none of them may be chosen, as of subtitles.
  public var allowsEmptySelection: Bool { characteristic == .legible }

  /// - Returns: nil where there are no options.
  init?(_ characteristic: MediaCharacteristic, _ options: [MediaSelectionOption], preferred: AssetTrack? = nil) {
    guard !options.isEmpty else { return nil }
    self.characteristic = characteristic
    self.options = options
    let playable = options.filter(\.isPlayable)
    let track = preferred ?? playable.map(\.track).marked
    defaultOption = options.first { $0.track == track } ?? (characteristic == .legible ? nil : playable.first)
  }

  /// The option that meets one of several wishes best: the first wish that is met, by the option that meets it most wholly,
  /// those before others that say everything, that are no commentary, and are not for showing whatever was chosen; then the
  /// default one, then one in the language that the work was made in.
  ///
  /// - Returns: nil where no wish is met.
  public func option(for wishes: [LanguageTag]) -> MediaSelectionOption? {
    for wish in wishes {
      let candidates = options.enumerated().filter { _, option in
        option.isPlayable && option.language.map { $0.match(wish) > 0 } ?? false
      }
      let best = candidates.max { a, b in
        let (first, second) = (Self.rank(a.element, wish), Self.rank(b.element, wish))
        // Of equals the container's first.
        return first.lexicographicallyPrecedes(second) || (first == second && a.offset > b.offset)
      }
      if let best { return best.element }
    }
    return nil
  }

  /// The subtitles to show where nobody has chosen any.
  ///
  /// In this order: what meets a wish; the container's default; a file beside the clip that names no language, sooner one that
  /// says everything and is for everybody; what is to be shown whatever was chosen, in the language that is spoken; where a
  /// language is spoken that is not the user's, what the user understands.
  ///
  /// - Parameters:
  ///   - wishes: languages of subtitles that were asked for, the most wanted first.
  ///   - languages: those that the user understands.
  ///   - spoken: the language that is heard; nil where it is not known.
  public func automaticOption(
    wishes: [LanguageTag], languages: [LanguageTag], spoken: LanguageTag?
  ) -> MediaSelectionOption? {
    let playable = options.filter(\.isPlayable)
    if let option = option(for: wishes) ?? defaultOption { return option }
    let files = playable.filter { $0.file != nil && $0.language == nil }
    if let file = files.first(where: { !$0.track.isForced && $0.track.roles.isEmpty }) ?? files.first { return file }
    guard let spoken else { return nil }
    if let forced = playable.first(where: { $0.track.isForced && $0.language?.language == spoken.language }) { return forced }
    return languages.contains { $0.language == spoken.language } ? nil : option(for: languages)
  }

  private static func rank(_ option: MediaSelectionOption, _ wish: LanguageTag) -> [Int] {
    let track = option.track
    return [
      track.isForced ? 0 : 1, track.roles.contains(.commentary) ? 0 : 1, option.language?.match(wish) ?? 0,
      track.roles.isDisjoint(with: [.hearingImpaired, .visuallyImpaired, .lyrics]) ? 1 : 0, track.isDefault ? 1 : 0,
      track.roles.contains(.original) ? 1 : 0,
    ]
  }
}

extension [AssetTrack] {
  /// The one that is marked as the one to play. Where all of several are marked none is: in Matroska that is how it is where nothing
  /// is said.
  var marked: AssetTrack? { count > 1 && allSatisfy(\.isDefault) ? nil : first(where: \.isDefault) }
}

extension AssetFacts {
  /// The tracks for a purpose; nil where there are none. A cover is nothing to see.
  public func mediaSelectionGroup(for characteristic: MediaCharacteristic) -> MediaSelectionGroup? {
    let tracks = tracks.filter { $0.characteristic == characteristic }
    return MediaSelectionGroup(
      characteristic, tracks.map { MediaSelectionOption($0) },
      preferred: characteristic == .visual ? preferredVideoTrack : characteristic == .audible ? preferredSoundTrack : nil)
  }
}

extension AssetTrack {
  /// What it is for; nil for a cover, data and the like.
  public var characteristic: MediaCharacteristic? {
    switch mediaType {
    case .video: isCover ? nil : .visual
    case .audio: .audible
    case .text: .legible
    case .other: nil
    }
  }
}
