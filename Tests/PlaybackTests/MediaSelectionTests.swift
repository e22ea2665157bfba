import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Which tracks are chosen where nobody chooses.
@Suite(.timeLimit(.minutes(20))) struct MediaSelectionTests {
  private static func option(
    _ index: Int, _ language: String?, roles: Set<StreamInfo.Role> = [], isDefault: Bool = false,
    isForced: Bool = false, isPlayable: Bool = true, title: String? = nil, form: StreamInfo.SubtitleForm? = .text
  ) -> MediaSelectionOption {
    var info = StreamInfo(of: .subtitle, index: index, timeBase: Ratio(1, 1000))
    info.hasDecoder = isPlayable
    info.subtitleForm = form
    (info.roles, info.isDefault, info.isForced) = (roles, isDefault, isForced)
    info.metadata = ["language": language, "title": title].compactMapValues { $0 }
    return MediaSelectionOption(AssetTrack(info))
  }

  private static func tags(_ names: [String]) -> [LanguageTag] { names.compactMap { LanguageTag($0) } }

  @Test func anOptionTellsWhatItIsFor() {
    let option = Self.option(3, "fre", roles: [.original, .commentary, .hearingImpaired], isDefault: true, isForced: true)
    #expect(option.language?.description == "fr" && option.displayName == "French")
    #expect(option.track.roles == [.original, .commentary, .hearingImpaired] && option.track.isDefault && option.track.isForced)
    #expect(Self.option(3, "fre", title: "Director").displayName == "Director")
    #expect(Self.option(3, nil).language == nil)
  }

  /// Two tracks with the same name are told apart.
  @Test func namesOfAGroup() throws {
    func names(_ options: [MediaSelectionOption]) throws -> [String] {
      let group = try #require(MediaSelectionGroup(.legible, options))
      return group.options.map(group.displayName)
    }
    #expect(try names([Self.option(0, "eng"), Self.option(1, "eng", isForced: true)]) == ["English", "English (forced)"])
    #expect(try names([Self.option(0, "eng"), Self.option(1, "fre", isForced: true)]) == ["English", "French"])
    #expect(try names([Self.option(0, "eng"), Self.option(1, "eng")]) == ["English (1)", "English (2)"])
    let same = try #require(MediaSelectionGroup(.legible, [Self.option(0, "eng"), Self.option(1, "eng"), Self.option(2, "eng", isForced: true)]))
    #expect(same.options.map(same.displayNameBeforePlace) == ["English", "English", "English (forced)"])
    #expect(
      try names([Self.option(0, "eng", title: "All"), Self.option(1, "fre", title: "All")]) == ["All (English)", "All (French)"])
    let many = [Self.option(0, "eng", isForced: true), Self.option(1, "eng", isForced: true), Self.option(2, "eng", roles: [.hearingImpaired])]
    #expect(try names(many) == ["English (forced, 1)", "English (forced, 2)", "English (\(AssetTrack.Role.hearingImpaired.rawValue))"])
  }

  @Test(arguments: [(MediaCharacteristic.visual, false), (.audible, false), (.legible, true)])
  func whatMayBeChosen(characteristic: MediaCharacteristic, allowsNone: Bool) throws {
    let group = try #require(MediaSelectionGroup(characteristic, [Self.option(0, "en")]))
    #expect(group.allowsEmptySelection == allowsNone)
    #expect(MediaSelectionGroup(characteristic, []) == nil)
  }

  /// The track, by its index, that meets wishes.
  private func choice(_ wishes: [String], _ options: [MediaSelectionOption]) throws -> Int? {
    try #require(MediaSelectionGroup(.audible, options)).option(for: Self.tags(wishes))?.track.index
  }

  @Test func languagesInTheirOrder() throws {
    let options = [Self.option(0, "eng"), Self.option(1, "pt-BR"), Self.option(2, "por"), Self.option(3, nil)]
    #expect(try choice(["pt"], options) == 1 && choice(["pt-BR"], options) == 1 && choice(["pt-PT"], options) == 1)
    #expect(try choice(["fr", "en-GB", "pt"], options) == 0)
    #expect(try choice(["fr"], options) == nil && choice([], options) == nil)
    #expect(try choice(["en"], [Self.option(0, "en", isPlayable: false), Self.option(1, "en")]) == 1)
  }

  /// Of several in one language, the one that says all, of the work itself.
  @Test func flagsAmongOneLanguage() throws {
    #expect(try choice(["en"], [Self.option(0, "en", roles: [.commentary]), Self.option(1, "en")]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en", isForced: true), Self.option(1, "en")]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en", roles: [.hearingImpaired]), Self.option(1, "en")]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en"), Self.option(1, "en", isDefault: true)]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en", roles: [.dubbed]), Self.option(1, "en", roles: [.original])]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en", isDefault: true), Self.option(1, "en", roles: [.original])]) == 0)
    #expect(try choice(["en"], [Self.option(0, "en", roles: [.commentary], isDefault: true), Self.option(1, "en")]) == 1)
    #expect(try choice(["en"], [Self.option(0, "en"), Self.option(1, "en")]) == 0)
  }

  /// As in Matroska, where it says that nothing was said.
  @Test func whereAllAreMarkedNoneIs() throws {
    func group(_ marks: [Bool]) -> MediaSelectionGroup? {
      MediaSelectionGroup(.legible, marks.enumerated().map { Self.option($0.offset, ["ar", "de", "en"][$0.offset], isDefault: $0.element) })
    }
    #expect(try #require(group([true, true, true])).defaultOption == nil)
    #expect(try #require(group([false, true, true])).defaultOption?.track.index == 1)
    #expect(try #require(group([true])).defaultOption?.track.index == 0)
    let all = try #require(group([true, true, true]))
    #expect(all.automaticOption(wishes: [], languages: Self.tags(["en"]), spoken: LanguageTag("en")) == nil)
    #expect(all.automaticOption(wishes: [], languages: Self.tags(["en"]), spoken: LanguageTag("fr"))?.track.index == 2)
  }

  @Test func whatIsNeitherTextNorImagesIsNotChosen() throws {
    let teletext = Self.option(0, "en", isDefault: true, form: nil)
    #expect(!teletext.isPlayable)
    #expect(try #require(MediaSelectionGroup(.legible, [teletext, Self.option(1, "en")])).option(for: Self.tags(["en"]))?.track.index == 1)
  }

  /// Subtitles: what is asked for, else the container's default, else what the user needs.
  @Test func subtitles() throws {
    func choice(
      _ options: [MediaSelectionOption], wishes: [String] = [], languages: [String] = [], spoken: String? = nil
    ) throws -> Int? {
      try #require(MediaSelectionGroup(.legible, options)).automaticOption(
        wishes: Self.tags(wishes), languages: Self.tags(languages), spoken: spoken.flatMap { LanguageTag($0) })?.track.index
    }
    let plain = [Self.option(0, "en"), Self.option(1, "de"), Self.option(2, "de", isForced: true)]
    #expect(try choice(plain, wishes: ["de"], languages: ["en"], spoken: "en") == 1)
    #expect(try choice(plain) == nil && choice(plain, languages: ["de"]) == nil)
    #expect(try choice(plain, languages: ["de"], spoken: "fr") == 1, "what the locale's user understands")
    #expect(try choice(plain, languages: ["fr", "en"], spoken: "fr") == nil, "what is spoken is understood")
    #expect(try choice(plain, languages: ["de"], spoken: "de") == 2, "only what is to be shown whatever was chosen")
    let marked = plain + [Self.option(3, "fr", isDefault: true)]
    #expect(try choice(marked, languages: ["de"], spoken: "en") == 3)
    #expect(try choice(marked, wishes: ["it"], languages: ["de"]) == 3 && choice(marked, wishes: ["it", "en"]) == 0)
    #expect(try choice([Self.option(0, "fr", isDefault: true, isPlayable: false), Self.option(1, "en")]) == nil)
  }

  /// Languages of two video and three sound tracks, whose first are the defaults unless flags say otherwise.
  private static func facts(_ flags: [String], _ languages: MediaLanguages) async throws -> AssetFacts {
    let tracks = [("v:0", "eng"), ("v:1", "ger"), ("a:0", "fre"), ("a:1", "eng"), ("a:2", "ger")]
    let path = try SampleMedia.clip(
      name: "chosen.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=s=32x32:r=5:d=1", "-f", "lavfi", "-i", "anullsrc=duration=1", "-map", "0", "-map", "0", "-map", "1",
        "-map", "1", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac",
      ] + tracks.flatMap { ["-metadata:s:\($0.0)", "language=\($0.1)"] } + flags)
    return try await Asset(path: path, options: Asset.Options(languages: languages)).load(.facts)
  }

  /// Nor does it matter where a container keeps it.
  @Test(arguments: ["film.mp4", "film.mkv"]) func aCoverIsNothingToSee(name: String) async throws {
    let cover = try SampleMedia.clip(name: "cover.png", arguments: ["-f", "lavfi", "-i", "color=red:s=120x80", "-frames:v", "1"])
    let keeping = name.hasSuffix("mkv")
      ? ["-map", "0", "-attach", cover, "-metadata:s:t", "mimetype=image/png"]
      : ["-map", "1", "-map", "0", "-c:v:0", "png", "-disposition:v:0", "attached_pic"]
    let path = try SampleMedia.clip(
      name: name,
      arguments: ["-f", "lavfi", "-i", "color=blue:s=64x36:r=5:d=1", "-i", cover, "-c:v", "libx264", "-preset", "ultrafast"]
        + keeping)
    let facts = try await Asset(path: path).load(.facts)
    #expect(facts.tracks.filter(\.isCover).count == 1)
    let group = try #require(facts.mediaSelectionGroup(for: .visual))
    #expect(group.options.map(\.track.codec) == ["h264"] && facts.preferredVideoTrack?.codec == "h264")
  }

  private static let noDefaults = ["v:0", "v:1", "a:0", "a:1", "a:2"].flatMap { ["-disposition:\($0)", "0"] }

  @Test func videoAndSound() async throws {
    func chosen(_ flags: [String], visual: [String] = [], audible: [String] = [], understood: [String] = []) async throws -> [String?] {
      let languages = MediaLanguages(visual: Self.tags(visual), audible: Self.tags(audible), understood: Self.tags(understood))
      let facts = try await Self.facts(flags, languages)
      for characteristic in [MediaCharacteristic.visual, .audible] {
        let track = characteristic == .visual ? facts.preferredVideoTrack : facts.preferredSoundTrack
        #expect(facts.mediaSelectionGroup(for: characteristic)?.defaultOption?.track == track)
      }
      return [facts.preferredVideoTrack?.language, facts.preferredSoundTrack?.language]
    }
    let none = Self.noDefaults
    #expect(try await chosen(none) == ["eng", "fre"])
    // Languages that are asked for beat flags, and those that are only understood do not.
    #expect(try await chosen(none + ["-disposition:a:2", "default"], visual: ["de"], audible: ["it", "en"]) == ["ger", "eng"])
    #expect(try await chosen(none + ["-disposition:v:1", "default", "-disposition:a:2", "default"], understood: ["en"]) == ["ger", "ger"])
    #expect(try await chosen(none, understood: ["it", "de-AT"]) == ["eng", "ger"])
    // Where nothing else tells, in which the work was made.
    #expect(try await chosen(none + ["-disposition:a:1", "original"]) == ["eng", "eng"])
    #expect(try await chosen(none + ["-disposition:a:1", "original"], understood: ["de"]) == ["eng", "ger"])
  }
}
