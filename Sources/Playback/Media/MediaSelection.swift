/// The languages that decide which tracks are selected automatically, in order of preference.
public struct MediaLanguages: Hashable, Sendable {
  /// Preferred languages of video.
  public var visual: [LanguageTag]
  /// Preferred languages of sound.
  public var audible: [LanguageTag]
  /// Languages that the user understands; they decide if a file marks no track as its default.
  public var understood: [LanguageTag]

  /// Creates a set of preferences; by default without languages.
  public init(visual: [LanguageTag] = [], audible: [LanguageTag] = [], understood: [LanguageTag] = []) {
    (self.visual, self.audible, self.understood) = (visual, audible, understood)
  }
}

/// One of several tracks for the same purpose, such as subtitles in one language.
public struct MediaSelectionOption: Hashable, Sendable {
  /// The track of this option.
  public let track: AssetTrack
  /// The file that contains the track, if it is not the asset's own.
  public let file: String?
  /// The language; nil if the file names none.
  public let language: LanguageTag?

  init(_ track: AssetTrack) {
    self.track = track
    file = nil
    language = track.language.flatMap { LanguageTag($0) }
  }

  /// - Parameter name: the properties given by the file's name, used if the file itself does not specify them.
  init(_ track: AssetTrack, file: String, name: SubtitleFileName) {
    var track = track
    if name.isForced { track.isForced = true }
    if name.isForHearingImpaired { track.roles.insert(.hearingImpaired) }
    self.track = track
    self.file = file
    language = track.language.flatMap { LanguageTag($0) } ?? name.language
  }

  /// A display name: the title, else the language, else the codec. Untrusted text from a file. Others may have the same; see
  /// `MediaSelectionGroup.displayName(of:)`.
  public var displayName: String {
    if let title = track.title, !title.isEmpty { return title }
    return language?.displayName ?? track.codecDescription
  }

  /// True if the track can be decoded. Subtitles must also be text or images, which teletext pages are not.
  public var isPlayable: Bool { track.isDecodable && (track.mediaType != .text || track.subtitleForm != nil) }
}

/// The tracks of an asset for one purpose, of which one can be selected.
public struct MediaSelectionGroup: Hashable, Sendable {
  /// The purpose of the tracks.
  public let characteristic: MediaCharacteristic
  /// The options, in the container's order; at least one.
  public internal(set) var options: [MediaSelectionOption]
  /// The default selection: by the preferred languages, else the track that the container marks as default, if it can be
  /// decoded. For video and sound, else the first track.
  public let defaultOption: MediaSelectionOption?

  /// Returns a display name that differs from those of the other options: the option's own, and, if others have the same,
  /// what sets it apart: its purpose, language, codec, file, or else its place in the group. Untrusted text from a file.
  public func displayName(of option: MediaSelectionOption) -> String { displayName(of: option, numbersEqualOnes: true) }

  /// Returns a display name to be followed by the option's place in the group, which it therefore leaves out.
  package func displayNameBeforePlace(of option: MediaSelectionOption) -> String { displayName(of: option, numbersEqualOnes: false) }

  private func displayName(of option: MediaSelectionOption, numbersEqualOnes: Bool) -> String {
    var same = options.filter { $0.displayName == option.displayName }
    var details: [String] = []
    for detail in Self.details where same.count > 1 {
      let own = detail(option)
      let like = same.filter { detail($0) == own }
      if like.count < same.count, !own.isEmpty { details.append(own) }
      same = like
    }
    if numbersEqualOnes, same.count > 1, let index = options.firstIndex(of: option) { details.append("\(index + 1)") }
    return option.displayName + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  /// The properties that distinguish options of the same name, in order.
  private static let details: [@Sendable (MediaSelectionOption) -> String] = [
    { (($0.track.isForced ? ["forced"] : []) + $0.track.roles.map(\.rawValue).sorted()).joined(separator: ", ") },
    { $0.language?.displayName ?? "" },
    { $0.track.codecDescription },
    { $0.file.map { FolderListing.name(ofPath: $0) } ?? "" },
  ]

  /// True if it is possible to select none of the options, as for subtitles.
  public var allowsEmptySelection: Bool { characteristic == .legible }

  /// - Returns: nil if there are no options.
  init?(_ characteristic: MediaCharacteristic, _ options: [MediaSelectionOption], preferred: AssetTrack? = nil) {
    guard !options.isEmpty else { return nil }
    self.characteristic = characteristic
    self.options = options
    let playable = options.filter(\.isPlayable)
    let track = preferred ?? playable.map(\.track).marked
    defaultOption = options.first { $0.track == track } ?? (characteristic == .legible ? nil : playable.first)
  }

  /// Returns the option that best matches the preferences.
  ///
  /// The first preference that any option matches decides, by the fullest match. Ties go to complete tracks that are
  /// neither commentary nor forced, then to the default track, then to the original language.
  ///
  /// - Returns: nil if no preference matches.
  public func option(for wishes: [LanguageTag]) -> MediaSelectionOption? {
    for wish in wishes {
      let candidates = options.enumerated().filter { _, option in
        option.isPlayable && option.language.map { $0.match(wish) > 0 } ?? false
      }
      let best = candidates.max { a, b in
        let (first, second) = (Self.rank(a.element, wish), Self.rank(b.element, wish))
        // Among equals, the container's first.
        return first.lexicographicallyPrecedes(second) || (first == second && a.offset > b.offset)
      }
      if let best { return best.element }
    }
    return nil
  }

  /// Returns the subtitles to show if the user has not selected any.
  ///
  /// In this order: a match for the user's wishes; the container's default; a file next to the clip without a language,
  /// preferably complete and for everybody; forced subtitles in the spoken language; if the user does not understand the
  /// spoken language, subtitles in a language the user does.
  ///
  /// - Parameters:
  ///   - wishes: requested subtitle languages, in order of preference.
  ///   - languages: the languages that the user understands.
  ///   - spoken: the language of the sound; nil if unknown.
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
  /// The track marked as default. If several tracks are all marked, none counts: in Matroska, that is the case if nothing
  /// is specified.
  var marked: AssetTrack? { count > 1 && allSatisfy(\.isDefault) ? nil : first(where: \.isDefault) }
}

extension AssetFacts {
  /// Returns the tracks for a purpose; nil if there are none. A cover does not count as video.
  public func mediaSelectionGroup(for characteristic: MediaCharacteristic) -> MediaSelectionGroup? {
    let tracks = tracks.filter { $0.characteristic == characteristic }
    return MediaSelectionGroup(
      characteristic, tracks.map { MediaSelectionOption($0) },
      preferred: characteristic == .visual ? preferredVideoTrack : characteristic == .audible ? preferredSoundTrack : nil)
  }
}

extension AssetTrack {
  /// The purpose of the track; nil for a cover, data and the like.
  public var characteristic: MediaCharacteristic? {
    switch mediaType {
    case .video: isCover ? nil : .visual
    case .audio: .audible
    case .text: .legible
    case .other: nil
    }
  }
}
