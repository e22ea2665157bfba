import Playback
import Terminal

/// A list that can be opened over a pane to choose from.
enum PaneList: Equatable, Sendable {
  case chapters
  case tracks
  case clips
  /// The ways to compare two clips in the pane.
  case comparison
  /// Places at which aligned clips differ in their frames.
  case events

  /// The action of a row.
  enum Action: Equatable, Sendable {
    case go(MediaTime)
    case video(AssetTrack)
    case sound(AssetTrack)
    /// The clip's index in the list.
    case clip(Int)
    /// The subtitles to show; nil for none.
    case subtitles(MediaSelectionOption?)
    case compare(CompareAction)
  }

  /// A row and its action; headings have none.
  struct Entry: Equatable, Sendable {
    var row: ListPanel.Row
    var action: Action?
    /// The point that the delete key removes; nil if it does nothing.
    var syncPoint: PaneMeasurement.NamedPoint?
  }

  typealias Entries = ListRows<Entry>

  var title: TerminalText {
    switch self {
    case .chapters: "chapters"
    case .tracks: "tracks"
    case .clips: "clips"
    case .comparison: "compare"
    case .events: "events"
    }
  }

  /// The command that opens and closes it.
  var command: Command {
    switch self {
    case .chapters: .chapterList
    case .tracks: .trackList
    case .clips: .clipList
    case .comparison: .compareList
    case .events: .eventList
    }
  }

  /// The message for an empty list.
  var absence: TerminalText {
    switch self {
    case .chapters: "this clip has no chapters"
    case .tracks: "this clip has no tracks"
    case .clips: "this pane has only one clip"
    case .comparison: "nothing to compare"
    case .events: "this clip is not aligned"
    }
  }

  /// The rows for a pane; empty if there is nothing to choose from.
  func entries(of pane: Pane) -> Entries {
    switch self {
    case .chapters: Self.chapters(pane.clip.chapters, at: pane.player.currentTime())
    case .tracks: Self.tracks(pane.clip.facts, video: pane.chosenVideo, sound: pane.sound, pane.subtitles)
    case .clips: pane.clips.list.hasSeveral ? Self.clips(pane.clips.list) : Entries([])
    case .events: Self.events(pane.view.measurement, at: pane.player.currentTime())
    case .comparison: Self.comparison(
      pane.view.comparison, pane.view.look, filmGrain: pane.canOmitFilmGrain ? !pane.session.omitsFilmGrain : nil)
    }
  }

  /// The clips in playing order.
  static func clips(_ list: ClipList) -> Entries {
    var marks: [TerminalText] = []
    if list.repetition == .list { marks.append(list.maxRounds.map { "repeat \($0) times" } ?? "repeat") }
    if list.isShuffled { marks.append("shuffled") }
    let digits = "\(list.count)".count
    let clips = Entries(count: list.count, current: list.place) { place in
      let index = list.order[place]
      let number = "\(place + 1)"
      let name: TerminalText = "\(String(repeating: " ", count: digits - number.count))\(number)  \(list.name(of: index))"
      let reason: TerminalText = list.failed.contains(index) ? "  cannot be played" : ""
      return Entry(row: .init(text: name + reason, kind: place == list.place ? .current : .choice), action: .clip(index))
    }
    return marks.isEmpty ? clips : headed(marks.joined(separator: ", "), clips)
  }

  static func chapters(_ list: ChapterList, at time: MediaTime) -> Entries {
    let current = list.index(at: time)
    let chapters = Entries(count: list.chapters.count, current: current) { index in
      let chapter = list.chapters[index]
      let title = chapter.title.map { TerminalText($0) } ?? "chapter \(index + 1)"
      let start = chapter.timeRange.start
      return Entry(
        row: .init(text: "\(start.clockText())  \(title)", kind: index == current ? .current : .choice), action: .go(start))
    }
    guard !list.markers.isEmpty else { return chapters }
    let markers = Entries(count: list.markers.count) { index in
      let marker = list.markers[index]
      return Entry(row: .init(text: "\(marker.timeRange.clockText)  \(marker.name)"), action: .go(marker.timeRange.start))
    }
    return headed("Chapters", chapters) + headed("Markers", markers)
  }

  /// The modes, and the settings of the current one.
  static func comparison(_ comparison: Comparison?, _ look: FrameLook, filmGrain: Bool?) -> Entries {
    let settings = comparison?.settings
    let modes = CompareSettings.Mode.allCases.map { mode in
      Entry(
        row: .init(text: "\(mode.rawValue)", kind: mode == settings?.mode ? .current : .choice), action: .compare(.mode(mode)))
    }
    let alone = Entry(row: .init(text: "this clip alone", kind: settings == nil ? .current : .choice), action: .compare(.off))
    let grain = filmGrain.map { isShown in
      Entry(row: .init(text: "film grain: \(isShown ? "shown" : "left out")"), action: .compare(.filmGrain))
    }
    let frames = headed("Frames", [grain].compactMap { $0 } + [
      Entry(row: .init(text: "plane: \(look.plane.words)"), action: .compare(.plane)),
      Entry(row: .init(text: "fields: \(look.fields.rawValue)"), action: .compare(.fields)),
      Entry(row: .init(text: "facts and packets"), action: .compare(.facts)),
      Entry(row: .init(text: "histogram, waveform, vectorscope"), action: .compare(.scope)),
    ])
    guard let settings else { return headed("Mode", [alone] + modes) + frames }
    let rows = settings.choices.map { choice in
      Entry(row: .init(text: choice.words), action: .compare(choice.action))
    }
    return headed("Mode", [alone] + modes) + headed("Settings (enter changes)", rows) + frames
  }

  /// The result of the alignment, and the events in their order.
  static func events(_ measurement: PaneMeasurement?, at time: MediaTime) -> Entries {
    guard let measurement else { return Entries([]) }
    let events = measurement.events
    let current = events.lastIndex { $0.time <= time }
    let rows = Entries(count: events.count, current: current) { index in
      let event = events[index]
      return Entry(
        row: .init(text: "\(event.time.placeText)  \(event.words)", kind: index == current ? .current : .choice), action: .go(event.time))
    }
    let note = events.isEmpty ? measurement.summary + "; no events" : measurement.summary
    let points = measurement.syncPoints.map { named in
      Entry(row: .init(text: "\(named.time.placeText)  \(named.words)"), action: .go(named.time), syncPoint: named)
    }
    let all = Entries([Entry(row: .init(text: note, kind: .note))]) + rows + headed("Sync points (delete removes)", points)
    return measurement.scores.map { all + worst($0) } ?? all
  }

  /// The worst frames in the metric shown, the worst first.
  private static func worst(_ scores: PaneScores) -> Entries {
    let metric = scores.metric
    let rows = (scores.snapshot.figures?.summary.worst ?? []).map { pair in
      let time = scores.time(of: pair.candidate)
      return Entry(
        row: .init(text: "\(time.placeText)  \(pair[metric].map(metric.text) ?? "")  #\(pair.candidate), #\(pair.reference) of the reference"),
        action: .go(time))
    }
    return headed("Worst frames (\(metric.title))", rows)
  }

  private static func headed(_ heading: TerminalText, _ rows: Entries) -> Entries {
    rows.isEmpty ? rows : Entries([Entry(row: .init(text: heading, kind: .heading))]) + rows
  }

  private static func headed(_ heading: TerminalText, _ rows: [Entry]) -> Entries {
    headed(heading, Entries(rows, current: rows.firstIndex { $0.row.kind == .current }))
  }

  private static func tracks(
    _ facts: AssetFacts?, video: AssetTrack?, sound: MediaSelectionOption?, _ subtitles: PaneSubtitles
  ) -> Entries {
    let visual = named(facts?.mediaSelectionGroup(for: .visual)?.options ?? []).map { option, words in
      Entry(row: .init(text: words, kind: option.track == video ? .current : .choice), action: .video(option.track))
    }
    let audible = named(facts?.mediaSelectionGroup(for: .audible)?.options ?? []).map { option, words in
      Entry(row: .init(text: words, kind: option == sound ? .current : .choice), action: .sound(option.track))
    }
    let legible = subtitles.options
    let none = Entry(
      row: .init(text: "none", kind: subtitles.selected == nil ? .current : .choice), action: .subtitles(nil))
    let texts = named(legible).map { option, words in
      Entry(
        row: option == subtitles.selected
          ? .init(text: words + (subtitles.failure.map { "  \($0.message)" } ?? ""), kind: .current)
          : .init(text: words, kind: .choice), action: .subtitles(option))
    }
    return headed("Video", visual) + headed("Sound", audible) + headed("Subtitles", texts.isEmpty ? [] : [none] + texts)
  }

  /// Options with their descriptions; those that read the same also have the number of their track.
  private static func named(_ options: [MediaSelectionOption]) -> [(MediaSelectionOption, TerminalText)] {
    let texts = options.map(words)
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(options, texts).map { option, text in
      (option, counts[text] == 1 ? text : text + "  track \(option.track.index)")
    }
  }

  /// The name of an option and the details that distinguish it.
  static func words(_ option: MediaSelectionOption) -> TerminalText {
    let track = option.track
    var parts: [TerminalText] = ["\(option.displayName)"]
    if let language = option.language, track.title?.isEmpty == false { parts.append("\(language.displayName)") }
    // Do not repeat the name.
    let codec = option.displayName == track.codecDescription ? nil : track.codecDescription
    switch track.mediaType {
    case .video where track.isVariant: if let codec { parts.append("\(codec)") }
    case .video: parts.append(codec.map { "\($0) \(track.presentationSize)" } ?? "\(track.presentationSize)")
    case .audio:
      let channels: TerminalText = "\(track.channelCount) channel\(track.channelCount == 1 ? "" : "s")"
      parts.append(codec.map { "\($0), \(channels)" } ?? channels)
    case .text, .other: if let codec { parts.append("\(codec)") }
    }
    let marks = (track.isForced ? ["forced"] : []) + track.roles.map(\.rawValue).sorted()
    if !marks.isEmpty { parts.append("(\(marks.joined(separator: ", ")))") }
    if let file = option.file { parts.append("\(FolderListing.name(ofPath: file))") }
    if !option.isPlayable { parts.append("no decoder") }
    return parts.joined(separator: "  ")
  }
}
