import Playback

/// Plays the clips of a list one after another in a player, the next one ready when its turn comes. Screen thread only.
final class PaneClips {
  private let player: Player
  private let makeAsset: (ClipList.Clip) -> Asset
  private let makeStory: (ClipList.Clip) -> StoryOpening?
  private(set) var list: ClipList
  /// The clip that is played, or is to be.
  private(set) var asset: Asset
  /// What it is where it is a storyboard, which then steers the player's queue.
  var story: StoryOpening? { opened[list.current]?.story }
  /// What of the list the player has been given to play next, and to play now until it does.
  private var follower: Entry?
  private var chosen: Entry?
  /// Which way the list is gone through, 1 or -1, where somebody does; nil where it goes on by itself.
  private var direction: Int?
  /// Those of the present clip and its neighbours.
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
  ///   - makeStory: called before `makeAsset`; nil for a clip that is no storyboard.
  ///   - makeAsset: called for each clip when it is to be opened.
  init(
    _ list: ClipList, _ player: Player, makeStory: @escaping (ClipList.Clip) -> StoryOpening? = { _ in nil },
    makeAsset: @escaping (ClipList.Clip) -> Asset
  ) {
    self.list = list
    self.player = player
    self.makeStory = makeStory
    self.makeAsset = makeAsset
    let story = makeStory(list.clip)
    asset = story?.asset ?? makeAsset(list.clip)
    opened[list.current] = Opened(asset: asset, story: story)
  }

  /// Takes the first clip.
  func start() {
    player.replaceCurrentItem(with: entry(list.current).item)
    prepareFollower()
  }

  // MARK: - Going on

  /// Whether another clip follows this one by itself.
  var hasFollower: Bool { follower != nil && player.actionAtItemEnd == .advance }

  /// Goes to a clip of the list, by its index.
  func go(to index: Int) {
    direction = nil
    list.go(to: index)
    play(index)
  }

  /// Goes so many clips on, or back. Returns false where there is none.
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

  /// Goes to the clip with which the list begins, be it the present one.
  func goToFirst() { go(to: list.order[0]) }

  /// The player has begun with another item. Returns whether that is another clip, or the same one once more.
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

  /// The present storyboard has ended: goes on with what follows. Returns false where nothing does.
  func storyDidEnd() -> Bool {
    guard let index = list.successor else { return false }
    direction = nil
    list.goOn(to: index)
    play(index)
    return true
  }

  /// The present clip is open: where it fails later, that is no matter of how it was come to.
  func didOpen() { direction = nil }

  /// The present clip cannot be played: goes on with the next one, or further back where that way was gone. Returns false where
  /// there is none.
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

  /// Plays another form of the same clip from now on: a movie made of pieces that has others now.
  func replaceCurrent(with asset: Asset) {
    self.asset = asset
    opened[list.current]?.asset = asset
    player.removeQueuedItems()
    (follower, chosen) = (nil, nil)
    player.replaceCurrentItem(with: PlayerItem(asset: asset))
    prepareFollower()
  }

  // MARK: - Order

  /// - Parameter maxRounds: how often what is repeated is played; nil for ever.
  func setRepetition(_ repetition: ClipList.Repetition, maxRounds: Int? = nil) {
    list.setRepetition(repetition, maxRounds: maxRounds)
    prepareFollower()
  }

  /// Repeats a part of the clip for ever, or with nil nothing but what the list says.
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

  /// Lets the player have the clip that is to follow.
  private func prepareFollower() {
    // What comes first is not to be taken for what follows. A storyboard says itself what does.
    guard let current = player.currentItem else { return }
    // The one that was to follow has begun: what follows it is told when that has been taken in.
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
