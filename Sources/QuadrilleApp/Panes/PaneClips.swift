import Playback

/// Plays a list of clips in a player, preparing the next one in advance. Screen thread only.
final class PaneClips {
  private let player: Player
  private let makeAsset: (ClipList.Clip) -> Asset
  private let makeStory: (ClipList.Clip) -> StoryOpening?
  /// True if nothing is seen, so that clips without sound cannot be played.
  let needsSound: Bool
  private(set) var list: ClipList
  /// The current or pending clip.
  private(set) var asset: Asset
  /// The story if the clip is a storyboard, which then controls the player's queue.
  var story: StoryOpening? { opened[list.current]?.story }
  /// The list entry that the player has been given to play next, or to play now until it does.
  private var follower: Entry?
  private var chosen: Entry?
  /// The user's direction through the list, 1 or -1; nil during automatic advance.
  private var direction: Int?
  /// Assets of the current clip and its neighbours.
  private var opened: [Int: Opened] = [:]

  private struct Opened {
    var asset: Asset
    var story: StoryOpening?
  }

  private struct Entry {
    let index: Int
    let asset: Asset
    let item: PlayerItem
  }

  /// - Parameters:
  ///   - needsSound: True if nothing is seen.
  ///   - makeStory: Called before `makeAsset`; returns nil for a clip that is not a storyboard.
  ///   - makeAsset: Called for each clip to be opened.
  init(
    _ list: ClipList, _ player: Player, needsSound: Bool = false, makeStory: @escaping (ClipList.Clip) -> StoryOpening? = { _ in nil },
    makeAsset: @escaping (ClipList.Clip) -> Asset
  ) {
    self.list = list
    self.player = player
    self.needsSound = needsSound
    self.makeStory = makeStory
    self.makeAsset = makeAsset
    let story = makeStory(list.clip)
    asset = story?.asset ?? makeAsset(list.clip)
    opened[list.current] = Opened(asset: asset, story: story)
  }

  /// Loads the first clip.
  func start() {
    player.replaceCurrentItem(with: entry(list.current).item)
    prepareFollower()
  }

  // MARK: - Advancing

  /// True if another clip follows automatically.
  var hasFollower: Bool { follower != nil && player.actionAtItemEnd == .advance }

  /// Goes to a clip by its index in the list.
  func go(to index: Int) {
    direction = nil
    list.go(to: index)
    play(index)
  }

  /// Goes forward or back by clips. Returns false if there is none.
  func go(by count: Int) -> Bool {
    guard let index = list.index(by: count) else { return false }
    go(to: index)
    direction = count.signum()
    return true
  }

  private func play(_ index: Int) {
    player.loopRange = nil
    player.removeQueuedItems()
    follower = nil
    let entry = entry(index)
    chosen = entry
    player.replaceCurrentItem(with: entry.item)
    prepareFollower()
  }

  /// Goes to the first clip of the list, even if it is the current one.
  func goToFirst() { go(to: list.order[0]) }

  /// Handles the player's start of another item. Returns whether it is another clip or the same one again.
  func adopt() -> Bool {
    guard let item = player.currentItem else { return false }
    if let follower, follower.item === item {
      direction = nil
      list.goOn(to: follower.index)
      asset = follower.asset
      self.follower = nil
    } else if let chosen, chosen.item === item {
      asset = chosen.asset
      self.chosen = nil
    } else {
      return false
    }
    prepareFollower()
    return true
  }

  /// Continues after the end of the current storyboard. Returns false if nothing follows.
  func storyDidEnd() -> Bool {
    guard let index = list.successor else { return false }
    direction = nil
    list.goOn(to: index)
    play(index)
    return true
  }

  /// Records that the clip is open; later failures do not depend on how it was reached.
  func didOpen() { direction = nil }

  /// Handles a clip that cannot be played: continues with the next one, or backwards if that was the direction. Returns
  /// false if there is none.
  func passOver() -> Bool {
    list.didFail(list.current)
    if let direction { return go(by: direction) }
    if story != nil {
      guard let next = list.follower else { return false }
      list.goOn(to: next)
      play(next)
      return true
    }
    prepareFollower()
    guard follower != nil else { return false }
    player.advanceToNextItem()
    return true
  }

  /// Continues with another version of the same clip: a movie whose pieces have changed.
  func replaceCurrent(with asset: Asset) {
    self.asset = asset
    opened[list.current]?.asset = asset
    player.removeQueuedItems()
    (follower, chosen) = (nil, nil)
    player.replaceCurrentItem(with: PlayerItem(asset: asset))
    prepareFollower()
  }

  // MARK: - Names

  /// Hides the names of all clips behind a text.
  func hideNames(behind alias: String) { list.alias = alias }

  func showNames() { list.alias = nil }

  // MARK: - Order

  /// - Parameter maxRounds: Number of plays; nil for no limit.
  func setRepetition(_ repetition: ClipList.Repetition, maxRounds: Int? = nil) {
    list.setRepetition(repetition, maxRounds: maxRounds)
    prepareFollower()
  }

  /// Loops a part of the clip; nil restores the repetition of the list.
  func setLoopRange(_ range: TimeRange?) {
    player.loopRange = range
    limitLoop()
  }

  private func limitLoop() { player.loopLimit = player.loopRange == nil && list.repetition == .clip ? list.maxRounds : nil }

  func setShuffled(_ shuffled: Bool) {
    var random = SystemRandomNumberGenerator()
    list.setShuffled(shuffled, using: &random)
    prepareFollower()
  }

  /// Passes the next clip to the player.
  private func prepareFollower() {
    // The first item is not a follower. A storyboard chooses its followers itself.
    guard let current = player.currentItem else { return }
    // The follower has started; its own follower is set when that has been handled.
    if follower?.item === current { return }
    if story != nil {
      follower = nil
      return forgetFar()
    }
    let index = list.follower
    if index != follower?.index {
      player.removeQueuedItems()
      follower = index.map { entry($0) }
      if let follower { player.insert(follower.item) }
    }
    let repeats = list.repetition == .clip && !player.isUntimed
    player.actionAtItemEnd = repeats ? .loop : index == nil ? .pause : .advance
    limitLoop()
    forgetFar()
  }

  private func forgetFar() {
    let near = [list.current, list.follower, list.index(by: -1)]
    opened = opened.filter { near.contains($0.key) }
  }

  private func entry(_ index: Int) -> Entry {
    let clip = list.clips[index]
    let asset = open(index).asset
    return Entry(index: index, asset: asset, item: clip.problem.map { problem in PlayerItem { throw problem } } ?? PlayerItem(asset: asset))
  }

  private func open(_ index: Int) -> Opened {
    if let known = opened[index] { return known }
    let clip = list.clips[index]
    let story = makeStory(clip)
    let new = Opened(asset: story?.asset ?? makeAsset(clip), story: story)
    opened[index] = new
    return new
  }
}
