import CellGraphics
import Pixels
import Playback
import Terminal

/// Finds, selects and shows the subtitles of a pane. Screen thread only.
final class PaneSubtitles {
  let preferences: PlayOptions.SubtitleOptions
  private var looking = Looking()
  private var inbox: Inbox<News>
  let wake: @Sendable () -> Void
  private(set) var item: PlayerItem?
  private(set) var display = SubtitleDisplay()
  private var overlay = SubtitleOverlay()
  var typeset = TypesetSubtitles()
  /// The cues of the selected subtitles.
  private(set) var track: SubtitleTrack?
  /// Tracks that report reading progress.
  private var observed: Set<ObjectIdentifier> = []
  /// True if the user has made a selection, which disables automatic selection.
  private var isChosen = false
  /// The user's selection in a clip of the list, to match in the following clips.
  private var wish: Wish?
  /// The selection before a search replaced it.
  private var beforeSearch: Choice?
  private var reported = Reported()

  /// A result of looking for subtitles.
  private enum News {
    /// The search for files next to the clip has finished.
    case searched(unreadable: [UnreadableSubtitles])
    /// A requested file has been added or has failed.
    case added(path: String, Result<[MediaSelectionOption], PlaybackError>)
    /// The search for captions in the frames has finished.
    case lookedForCaptions
  }

  /// Tracks about which the user has been notified.
  private struct Reported {
    /// Unreadable or empty.
    weak var asBroken: SubtitleTrack?
    /// Images too small.
    weak var asSmall: SubtitleTrack?
    /// Images left out.
    weak var asLeftOut: SubtitleTrack?
  }

  /// A source of subtitles other than the clip.
  private enum Source {
    /// A file given for the clip; selected if it is the first.
    case named(String)
    /// A file added later; selected.
    case wanted(String)
    /// The files next to the clip.
    case beside
  }

  /// Searches in progress.
  private struct Looking {
    /// Files given for a clip that is not open yet.
    var files: [String] = []
    /// Sources, searched one after another to keep their order. The first is in progress.
    var sources: [Source] = []
    /// The item that receives the first source's subtitles, kept until then even if it is replaced.
    var item: PlayerItem?
    /// Number of caption searches in progress.
    var captionSearches = 0
  }

  /// A selection to apply to clips whose tracks are not known yet.
  private enum Wish {
    case none
    case like(MediaSelectionOption)

    /// The matching option of a clip; nil if there is none.
    func option(of group: MediaSelectionGroup) -> MediaSelectionOption? {
      guard case .like(let former) = self else { return nil }
      func likeness(_ option: MediaSelectionOption) -> [Bool] {
        [option.track.isForced == former.track.isForced, option.track.roles == former.track.roles, (option.file == nil) == (former.file == nil)]
      }
      let options = group.options.filter { $0.isPlayable && $0.language == former.language }
      return options.max { first, second in
        let pairs = zip(likeness(first), likeness(second))
        return pairs.first { $0 != $1 }.map { !$0.0 } ?? false
      }
    }
  }

  /// A selection that can be restored.
  private struct Choice {
    var option: MediaSelectionOption?
    var isChosen: Bool
    var isHidden: Bool
    /// The selection made since; a different one invalidates the saved one.
    var since: MediaSelectionOption
  }

  /// - Parameters:
  ///   - files: Files to add; the first is selected.
  ///   - wake: Called from any thread when there is something new to show.
  init(_ preferences: PlayOptions.SubtitleOptions, files: [String], wake: @escaping @Sendable () -> Void) {
    self.preferences = preferences
    looking.files = files
    self.wake = wake
    inbox = Inbox(wake: wake)
  }

  /// The blocks to draw.
  var blocks: [SubtitleBlock] { display.blocks }
  var isHidden: Bool { display.isHidden }

  /// The spoken language; nil if unknown.
  var spoken: LanguageTag? {
    didSet { if spoken != oldValue { chooseAutomatically() } }
  }

  // MARK: - Finding subtitles

  /// True while the clip is being opened or files are being searched.
  var isLooking: Bool { item == nil || !looking.sources.isEmpty || looking.captionSearches > 0 }

  /// Starts looking for subtitles when the clip is open.
  func didOpen(_ item: PlayerItem, spoken: LanguageTag?) {
    guard item !== self.item else { return }
    self.item = item
    display.begin(clip: item.asset?.path)
    self.spoken = spoken
    if !looking.files.isEmpty { isChosen = true }
    looking.sources = looking.files.map { .named($0) } + [.beside] + looking.sources
    looking.files = []
    look()
  }

  /// Searches the next source.
  private func look() {
    guard let item, let source = looking.sources.first else { return }
    looking.item = item
    switch source {
    case .named(let path), .wanted(let path):
      item.addSubtitles(file: path, charset: preferences.charset) { [inbox] in inbox.put(.added(path: path, $0)) }
    case .beside:
      item.addSubtitlesBeside(charset: preferences.charset) { [inbox, weak item] in
        inbox.put(.searched(unreadable: item?.unreadableSubtitles ?? []))
      }
    }
  }

  /// Handles the subtitles of an added file. Files given at the start follow the first of them.
  private func didAdd(_ options: [MediaSelectionOption]) {
    if case .named = looking.sources.first, selected != nil { return }
    if case .wanted = looking.sources.first { wish = options.first.map { .like($0) } }
    select(options.first)
  }

  /// Looks for captions in the frames, which reads the file again; not while it is being opened.
  func findCaptions() {
    guard let item else { return }
    looking.captionSearches += 1
    item.addCaptions { [inbox] in inbox.put(.lookedForCaptions) }
  }

  /// Discards subtitles and selection of the previous clip.
  func clipDidChange() {
    item = nil
    track = nil
    spoken = nil
    inbox = Inbox(wake: wake)
    looking = Looking(files: looking.files)
    observed = []
    isChosen = false
    beforeSearch = nil
    typeset = TypesetSubtitles()
    _ = display.clear()
  }

  /// Moves the subtitles to another item that shows the same clip.
  func didReplace(_ item: PlayerItem) {
    if let former = self.item { item.takeSubtitles(of: former) }
    self.item = item
  }

  /// Adds a file and selects it.
  func add(_ file: String) {
    if let known = item?.subtitleGroup?.options.first(where: { $0.file == file }) {
      _ = choose(known)
      return
    }
    isChosen = true
    looking.sources.append(.wanted(file))
    if looking.sources.count == 1 { look() }
  }

  /// Handles search results. Returns true if there are any, and a notice.
  func update(at now: HostTime) -> (hasNews: Bool, notice: Notice?) {
    var notice: Notice?
    let found = inbox.take()
    for news in found {
      if case .lookedForCaptions = news {
        looking.captionSearches -= 1
        // The displayed video's captions may have replaced others.
        if failure == nil { select(selected) }
        continue
      }
      if let former = looking.item { item?.takeAddedFiles(of: former) }
      looking.item = nil
      switch news {
      case .searched(let unreadable):
        chooseAutomatically()
        notice = Self.text(of: unreadable).map { Notice(text: $0, isError: true, seconds: 8, at: now) } ?? notice
      case .added(_, .success(let options)): didAdd(options)
      case .added(let path, .failure(let error)):
        notice = Notice(text: "\(path): \(error.message)", isError: true, seconds: 8, at: now)
      case .lookedForCaptions: break
      }
      if !looking.sources.isEmpty { looking.sources.removeFirst() }
      look()
    }
    if let failure, track !== reported.asBroken {
      reported.asBroken = track
      notice = Notice(text: "\(selectedName ?? "subtitles"): \(failure.message)", isError: true, seconds: 8, at: now)
    }
    if isEmpty, track !== reported.asBroken {
      reported.asBroken = track
      notice = Notice(text: "\(selectedName ?? "subtitles"): the file contains no subtitles", seconds: 8, at: now)
    }
    return (!found.isEmpty, notice)
  }

  /// The message about files next to the clip that cannot be read; nil if there are none.
  private static func text(of unreadable: [UnreadableSubtitles]) -> TerminalText? {
    guard let first = unreadable.first else { return nil }
    let others = unreadable.count - 1
    let rest: TerminalText = others > 0 ? "; \(others) more file\(others > 1 ? "s" : "") cannot be read" : ""
    return "\(FolderListing.name(ofPath: first.path)): \(first.error.message)" + rest
  }

  /// The name of the selected subtitles, unlike those of others.
  private var selectedName: String? { selected.flatMap { item?.subtitleGroup?.displayName(of: $0) } }

  /// True if the selected file has been read and has no cues.
  private var isEmpty: Bool {
    guard selected?.file != nil, let track, case .complete = track.status else { return false }
    return track.timeline.cues.isEmpty
  }

  /// A one-time notice about images too small to read in the pane; nil if not needed.
  func reportSize(at now: HostTime) -> Notice? {
    guard !overlay.isLegible, track !== reported.asLeftOut, !overlay.isComplete || track !== reported.asSmall else { return nil }
    reported.asSmall = track
    guard overlay.isComplete else {
      reported.asLeftOut = track
      return Notice(text: "image subtitles are too small to see here", seconds: 6, at: now)
    }
    return Notice(text: "image subtitles are too small to read here", seconds: 6, at: now)
  }

  /// The reason the selected subtitles cannot be read, or read further.
  var failure: PlaybackError? {
    guard case .failed(let error) = track?.status else { return nil }
    return error
  }

  private func chooseAutomatically() {
    guard !isChosen, let group = item?.subtitleGroup else { return }
    if let wish {
      if case .none = wish { return select(nil) }
      if let option = wish.option(of: group) { return select(option) }
    }
    select(
      group.automaticOption(
        wishes: preferences.wishes, languages: preferences.understood, spoken: spoken))
  }

  private func select(_ option: MediaSelectionOption?) {
    item?.selectedSubtitles = option
    track = item?.subtitles
    guard let track, observed.insert(ObjectIdentifier(track)).inserted else { return }
    track.observe(wake)
  }

  // MARK: - Selection

  /// The available subtitles.
  var options: [MediaSelectionOption] { item?.subtitleGroup?.options ?? [] }

  /// The selected subtitles; nil for none.
  var selected: MediaSelectionOption? { item?.selectedSubtitles }

  /// Selects the next subtitles, or none after the last. Skips those without a decoder if any have one. Returns a message.
  func chooseNext() -> TerminalText {
    let all = options, playable = all.filter(\.isPlayable)
    let options = playable.isEmpty ? all : playable
    guard !options.isEmpty else { return absence }
    let next = selected.flatMap { options.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return choose(next < options.count ? options[next] : nil)
  }

  /// The message for a clip without subtitles.
  private var absence: TerminalText { isLooking ? "still looking for subtitles" : "no subtitles" }

  /// Selects subtitles, or none. Returns a message.
  func choose(_ option: MediaSelectionOption?) -> TerminalText {
    isChosen = true
    wish = option.map { .like($0) } ?? Wish.none
    beforeSearch = nil
    display.isHidden = false
    select(option)
    guard let option, let index = options.firstIndex(of: option) else { return "subtitles off" }
    let count: TerminalText = options.count > 1 ? " (\(index + 1)/\(options.count))" : ""
    let reason: TerminalText = option.isPlayable ? "" : ": no decoder"
    let name = item?.subtitleGroup?.displayNameBeforePlace(of: option) ?? option.displayName
    return "subtitles: \(name)\(count)\(reason)"
  }

  func toggleHidden() -> TerminalText {
    guard track != nil else { return "no subtitles selected" }
    display.isHidden.toggle()
    return display.isHidden ? "subtitles hidden" : "subtitles shown"
  }

  func changeDelay(by seconds: Double) -> TerminalText {
    guard track != nil else { return options.isEmpty ? absence : "no subtitles selected" }
    let limit = SubtitleDisplay.maxDelay
    let delay = display.delay + MediaTime(seconds: seconds, preferredTimescale: 1000)
    display.delay = min(max(delay, limit * -1), limit)
    let milliseconds = Int((display.delay.seconds * 1000).rounded())
    if milliseconds == 0 { return "subtitles not shifted" }
    return "subtitles \(abs(milliseconds)) ms \(milliseconds < 0 ? "earlier" : "later")"
  }

  // MARK: - Search

  /// True if there are subtitles with searchable text.
  var canBeSearched: Bool { optionToSearch != nil }

  /// The selected subtitles, otherwise the first with text; nil if none have text.
  private var optionToSearch: MediaSelectionOption? {
    if let selected, selected.track.subtitleForm == .text { return selected }
    return options.first { $0.isPlayable && $0.track.subtitleForm == .text }
  }

  /// The cues to search, displayed during the search; nil if there are none.
  func trackToSearch() -> SubtitleTrack? {
    guard let option = optionToSearch else { return nil }
    if option != selected || display.isHidden {
      beforeSearch = Choice(option: selected, isChosen: isChosen, isHidden: display.isHidden, since: option)
      isChosen = true
      display.isHidden = false
      select(option)
    }
    return track
  }

  /// Ends the search and restores the previous selection unless it has been changed.
  func searchDidEnd() {
    defer { beforeSearch = nil }
    guard let before = beforeSearch, selected == before.since else { return }
    (isChosen, display.isHidden) = (before.isChosen, before.isHidden)
    select(before.option)
  }

  /// Delay of the subtitles relative to the file.
  var delay: MediaTime { display.delay }

  // MARK: - Display

  /// Sets the images for a moment; nil while no frame is displayed. Returns true if they changed.
  func showImages(at time: MediaTime?) -> Bool { overlay.show(time.map(bitmaps) ?? []) }

  /// A frame's image with subtitles drawn over it; see `SubtitleOverlay` and `TypesetSubtitles`.
  func image(over frame: RenderedFrame, aspect: Double, coded: PixelSize) -> PixelImage {
    typeset.image(over: overlay.image(over: frame, aspect: aspect, coded: coded))
  }

  /// The images for a moment.
  private func bitmaps(at time: MediaTime) -> [SubtitleBitmap] {
    guard let track, !display.isHidden, selected?.track.subtitleForm == .bitmap else { return [] }
    return track.cues(at: time - display.delay).flatMap(\.bitmaps)
  }

  /// Sets the text cues for a moment. Returns true if the display changes.
  ///
  /// - Parameters:
  ///   - time: Time of the displayed frame; nil if there is none.
  ///   - layout: nil if there is no room.
  func show(at time: MediaTime?, _ layout: SubtitleLayout?, ground: (CellRect) -> SubtitleStyle.Color?) -> Bool {
    guard let time, let layout else { return display.clear() }
    // A movie's text is part of the movie, whatever is selected.
    let titles = typeset.script == .plain ? [] : item?.overlayText(at: time) ?? []
    let spoken = display.isHidden || typeset.script != nil ? [] : track?.cues(at: time - display.delay) ?? []
    guard !titles.isEmpty || !spoken.isEmpty else { return display.clear() }
    return display.update(spoken, titles: titles, layout, at: time, ground: ground)
  }

  /// True if there may be cues at some time.
  private var haveText: Bool { (track != nil && !display.isHidden) || item?.asset?.isComposition == true }

  private static let backwardsInterval: HostTime = 40_000_000

  /// Host time at which other cues are due, even without a new frame; nil if unknown.
  ///
  /// - Parameters:
  ///   - time: Time of the displayed cues; nil if no frame is displayed.
  ///   - present: Current time of the clock, which advances at a rate.
  func nextTime(after now: HostTime, seen time: MediaTime?, present: MediaTime, rate: Double) -> HostTime? {
    // In reverse, check as often as a change could be visible.
    if rate < 0 { return haveText ? now + Self.backwardsInterval : nil }
    guard rate > 0, let time, let change = nextChange(after: time) else { return nil }
    let seconds = (change - present).seconds / rate
    // A late frame shows the previous cues.
    return seconds > 0 && seconds < 3600 ? now + HostTime(seconds * 1e9) : nil
  }

  /// Time of the next cue change after a given time; nil if there is none.
  func nextChange(after time: MediaTime) -> MediaTime? {
    let spoken = display.isHidden ? nil : track?.nextChange(after: time - display.delay).map { $0 + display.delay }
    return [spoken, item?.nextOverlayTextChange(after: time)].compactMap { $0 }.min()
  }
}
