import CellGraphics
import Pixels
import Playback
import Terminal

/// Which subtitles a pane has, chooses and shows. Screen thread only.
final class PaneSubtitles {
  private let preferences: PlayOptions.SubtitleOptions
  private var files: [String]
  private var looking = Looking()
  private var inbox: Inbox<News>
  private let wake: @Sendable () -> Void
  private var item: PlayerItem?
  private var display = SubtitleDisplay()
  private var overlay = SubtitleOverlay()
  /// The cues of what is chosen.
  private var track: SubtitleTrack?
  /// Tracks that tell of what they read.
  private var observed: Set<ObjectIdentifier> = []
  /// Whether somebody has chosen, so that nothing is chosen for them.
  private var isChosen = false
  /// What somebody has chosen for a clip of the list: the next ones are to have the like.
  private var wish: Wish?
  /// What was chosen before a search chose something.
  private var beforeSearch: Choice?
  private var reported = Reported()

  /// What comes of looking for subtitles.
  private enum News {
    /// The files beside the clip have been looked for.
    case searched
    /// A file that was asked for has been added, or could not be.
    case added(path: String, Result<[MediaSelectionOption], PlaybackError>)
    /// Captions in the frames have been looked for.
    case lookedForCaptions
  }

  /// The tracks of which the user has been told something.
  private struct Reported {
    /// That it cannot be read, or is empty.
    weak var asBroken: SubtitleTrack?
    /// That its images are too small.
    weak var asSmall: SubtitleTrack?
    /// That they are left out.
    weak var asLeftOut: SubtitleTrack?
  }

  /// Where subtitles come from besides the clip.
  private enum Source {
    /// A file that was named for the clip: chosen if it is the first.
    case named(String)
    /// A file that was asked for since: chosen.
    case wanted(String)
    /// The files beside the clip.
    case beside
  }

  /// What is being looked for.
  private struct Looking {
    /// Looked at one after another, so that what they have is in order. The first one is under way.
    var sources: [Source] = []
    /// The item to which what the first one has is added: it stays until then, though another may have its place.
    var item: PlayerItem?
    /// How many times captions are being looked for in the frames.
    var captionSearches = 0
  }

  /// What is wanted of clips whose tracks are not known yet.
  private enum Wish {
    case none
    case like(MediaSelectionOption)

    /// The option of a clip that it means; nil where there is none.
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

  /// A choice that can be made again.
  private struct Choice {
    var option: MediaSelectionOption?
    var isChosen: Bool
    var isHidden: Bool
    /// What was chosen since: another choice ends it.
    var since: MediaSelectionOption
  }

  /// - Parameters:
  ///   - files: to be added, the first of which is chosen.
  ///   - wake: called from any thread when there is something new to see.
  init(_ preferences: PlayOptions.SubtitleOptions, files: [String], wake: @escaping @Sendable () -> Void) {
    self.preferences = preferences
    self.files = files
    self.wake = wake
    inbox = Inbox(wake: wake)
  }

  /// What is drawn.
  var blocks: [SubtitleBlock] { display.blocks }
  var isHidden: Bool { display.isHidden }

  /// The language that is heard; nil where it is not known.
  var spoken: LanguageTag? {
    didSet { if spoken != oldValue { chooseAutomatically() } }
  }

  // MARK: - Finding them

  /// Whether it is still being found out what there is: the clip is being opened, or files are looked for.
  var isLooking: Bool { item == nil || !looking.sources.isEmpty || looking.captionSearches > 0 }

  /// The clip is open: its subtitles are looked for.
  func didOpen(_ item: PlayerItem, spoken: LanguageTag?) {
    guard item !== self.item else { return }
    self.item = item
    display.begin(clip: item.asset?.path)
    self.spoken = spoken
    if !files.isEmpty { isChosen = true }
    looking.sources = files.map { .named($0) } + [.beside] + looking.sources
    files = []
    look()
  }

  /// Looks where it is to be looked next.
  private func look() {
    guard let item, let source = looking.sources.first else { return }
    looking.item = item
    switch source {
    case .named(let path), .wanted(let path):
      item.addSubtitles(file: path, charset: preferences.charset) { [inbox] in inbox.put(.added(path: path, $0)) }
    case .beside: item.addSubtitlesBeside(charset: preferences.charset) { [inbox] in inbox.put(.searched) }
    }
  }

  /// Takes the subtitles of a file that has been added: those that were named stand behind the first of them.
  private func didAdd(_ options: [MediaSelectionOption]) {
    if case .named = looking.sources.first, selected != nil { return }
    if case .wanted = looking.sources.first { wish = options.first.map { .like($0) } }
    select(options.first)
  }

  /// Looks for captions in the frames, for which the file is read once more: not while it is being opened.
  func findCaptions() {
    guard let item else { return }
    looking.captionSearches += 1
    item.addCaptions { [inbox] in inbox.put(.lookedForCaptions) }
  }

  /// Another clip is played: what was found and chosen for the one before is over.
  func clipDidChange() {
    item = nil
    track = nil
    spoken = nil
    inbox = Inbox(wake: wake)
    looking = Looking()
    observed = []
    isChosen = false
    beforeSearch = nil
    _ = display.clear()
  }

  /// Another item shows the same clip; it has the subtitles of the one before.
  func didReplace(_ item: PlayerItem) {
    if let former = self.item { item.takeSubtitles(of: former) }
    self.item = item
  }

  /// Adds a file, and chooses it.
  func add(_ file: String) {
    if let known = item?.subtitleGroup?.options.first(where: { $0.file == file }) {
      _ = choose(known)
      return
    }
    isChosen = true
    looking.sources.append(.wanted(file))
    if looking.sources.count == 1 { look() }
  }

  /// Takes in what has been found. Returns whether something has, and what there is to say of it.
  func update(at now: HostTime) -> (hasNews: Bool, notice: Notice?) {
    var notice: Notice?
    let found = inbox.take()
    for news in found {
      if case .lookedForCaptions = news {
        looking.captionSearches -= 1
        // Those of the video that is shown now may have taken the place of others.
        if failure == nil { select(selected) }
        continue
      }
      if let former = looking.item { item?.takeAddedFiles(of: former) }
      looking.item = nil
      switch news {
      case .searched: chooseAutomatically()
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
      notice = Notice(text: "\(selected?.displayName ?? "subtitles") \(failure.message)", isError: true, seconds: 8, at: now)
    }
    if isEmpty, track !== reported.asBroken {
      reported.asBroken = track
      notice = Notice(text: "\(selected?.displayName ?? "subtitles"): the file contains no subtitles", seconds: 8, at: now)
    }
    return (!found.isEmpty, notice)
  }

  /// Whether what is chosen is a file that has been read and has no cues.
  private var isEmpty: Bool {
    guard selected?.file != nil, let track, case .complete = track.status else { return false }
    return track.timeline.cues.isEmpty
  }

  /// What there is to say once of images that cannot be read in the pane as it is; nil where they can, or it has been said.
  func reportSize(at now: HostTime) -> Notice? {
    guard !overlay.isLegible, track !== reported.asLeftOut, !overlay.isComplete || track !== reported.asSmall else { return nil }
    reported.asSmall = track
    guard overlay.isComplete else {
      reported.asLeftOut = track
      return Notice(text: "image subtitles are too small to see here", seconds: 6, at: now)
    }
    return Notice(text: "image subtitles are too small to read here", seconds: 6, at: now)
  }

  /// Why what is chosen cannot be read, or no further than it was.
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

  // MARK: - Choosing

  /// What can be chosen.
  var options: [MediaSelectionOption] { item?.subtitleGroup?.options ?? [] }

  /// What is chosen; nil for none.
  var selected: MediaSelectionOption? { item?.selectedSubtitles }

  /// Chooses the next ones, behind the last none. What cannot be decoded is passed over where something can. Returns what there
  /// is to say.
  func chooseNext() -> TerminalText {
    let all = options, playable = all.filter(\.isPlayable)
    let options = playable.isEmpty ? all : playable
    guard !options.isEmpty else { return absence }
    let next = selected.flatMap { options.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return choose(next < options.count ? options[next] : nil)
  }

  /// What is said where there are none.
  private var absence: TerminalText { isLooking ? "still looking for subtitles" : "no subtitles" }

  /// Chooses some, or none. Returns what there is to say.
  func choose(_ option: MediaSelectionOption?) -> TerminalText {
    isChosen = true
    wish = option.map { .like($0) } ?? Wish.none
    beforeSearch = nil
    display.isHidden = false
    select(option)
    guard let option, let index = options.firstIndex(of: option) else { return "subtitles off" }
    let count: TerminalText = options.count > 1 ? " (\(index + 1)/\(options.count))" : ""
    let reason: TerminalText = option.isPlayable ? "" : ": no decoder"
    return "subtitles: \(option.displayName)\(count)\(reason)"
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
    return "subtitles \(abs(milliseconds)) ms \(milliseconds < 0 ? "sooner" : "later")"
  }

  // MARK: - Searching them

  /// Whether there are some whose text can be searched.
  var canBeSearched: Bool { optionToSearch != nil }

  /// What is chosen, else the first that has text; nil where none has.
  private var optionToSearch: MediaSelectionOption? {
    if let selected, selected.track.subtitleForm == .text { return selected }
    return options.first { $0.isPlayable && $0.track.subtitleForm == .text }
  }

  /// The cues to be searched, which are then seen as long as the search lasts; nil where there are none.
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

  /// The search is over: what was chosen before is chosen again, unless something else has been since.
  func searchDidEnd() {
    defer { beforeSearch = nil }
    guard let before = beforeSearch, selected == before.since else { return }
    (isChosen, display.isHidden) = (before.isChosen, before.isHidden)
    select(before.option)
  }

  /// How much later they are shown than the file says.
  var delay: MediaTime { display.delay }

  // MARK: - Showing them

  /// Takes the images of a moment; nil while no frame is on the screen. Returns whether these are others.
  func showImages(at time: MediaTime?) -> Bool { overlay.show(time.map(bitmaps) ?? []) }

  /// A frame's image with those over it; see `SubtitleOverlay`.
  func image(over frame: RenderedFrame, aspect: Double, coded: PixelSize) -> PixelImage {
    overlay.image(over: frame, aspect: aspect, coded: coded)
  }

  /// The images of a moment.
  private func bitmaps(at time: MediaTime) -> [SubtitleBitmap] {
    guard let track, !display.isHidden, selected?.track.subtitleForm == .bitmap else { return [] }
    return track.cues(at: time - display.delay).flatMap(\.bitmaps)
  }

  /// Takes the cues of a moment that have text. Returns whether anything looks different.
  ///
  /// - Parameters:
  ///   - time: of the frame that is on the screen; nil while there is none.
  ///   - layout: nil where there is no room.
  func show(at time: MediaTime?, _ layout: SubtitleLayout?, ground: (CellRect) -> SubtitleStyle.Color?) -> Bool {
    guard let time, let layout else { return display.clear() }
    // Text of a movie made of pieces is part of it, whatever is chosen.
    let titles = item?.overlayText(at: time) ?? []
    let spoken = display.isHidden ? [] : track?.cues(at: time - display.delay) ?? []
    guard !titles.isEmpty || !spoken.isEmpty else { return display.clear() }
    return display.update(spoken, titles: titles, layout, at: time, ground: ground)
  }

  /// Whether there may be something to be seen at some time.
  private var haveText: Bool { (track != nil && !display.isHidden) || item?.asset?.isComposition == true }

  private static let backwardsInterval: HostTime = 40_000_000

  /// When others are to be seen, as host time, though no frame may come; nil when that is not known.
  ///
  /// - Parameters:
  ///   - time: whose cues are seen; nil while no frame is on the screen.
  ///   - present: the clock's time, which goes on at a rate.
  func nextTime(after now: HostTime, seen time: MediaTime?, present: MediaTime, rate: Double) -> HostTime? {
    // Going backwards, what comes is looked for as often as it could be seen.
    if rate < 0 { return haveText ? now + Self.backwardsInterval : nil }
    guard rate > 0, let time, let change = nextChange(after: time) else { return nil }
    let seconds = (change - present).seconds / rate
    // A frame that is late shows what came before.
    return seconds > 0 && seconds < 3600 ? now + HostTime(seconds * 1e9) : nil
  }

  /// When other cues are to be seen than at a time; nil when never.
  private func nextChange(after time: MediaTime) -> MediaTime? {
    let spoken = display.isHidden ? nil : track?.nextChange(after: time - display.delay).map { $0 + display.delay }
    return [spoken, item?.nextOverlayTextChange(after: time)].compactMap { $0 }.min()
  }
}
