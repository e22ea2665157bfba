import Movies
import Playback
import Terminal

/// The clips of a pane and the order in which they are played: a value that opens nothing.
public struct ClipList: Equatable, Sendable {
  /// A clip as the list has it.
  public struct Clip: Hashable, Sendable {
    public var path: String
    /// What the list calls it; not trusted text.
    public var title: String?
    /// Why it cannot be played, where that is known before it is opened.
    public var problem: PlaybackError?
    /// What the file is.
    public var kind: FileKind

    public init(path: String, title: String? = nil, problem: PlaybackError? = nil, kind: FileKind = .clip) {
      self.path = path
      self.title = title
      self.problem = problem
      self.kind = kind
    }

    /// What it is called before it has been opened.
    var name: TerminalText {
      let title = title.map { TerminalText($0) } ?? ""
      if !title.isBlank { return title }
      let name = FolderListing.name(ofPath: path)
      return TerminalText(name.isEmpty ? path : name)
    }
  }

  /// What is played again and again.
  enum Repetition: Equatable, Sendable {
    case off
    /// The clip that is played.
    case clip
    /// All of them.
    case list
  }

  /// At least one.
  let clips: [Clip]
  /// Indexes of `clips` as they are played.
  private(set) var order: [Int]
  /// Place of the present clip in `order`.
  private(set) var place = 0
  private(set) var repetition = Repetition.off
  /// How often what is repeated is played by itself, the first time counted; nil for ever.
  private(set) var maxRounds: Int?
  /// How often the list has come round by itself since somebody chose something.
  private var rounds = 0
  private(set) var isShuffled = false
  /// Indexes of clips that cannot be played.
  private(set) var failed: Set<Int> = []

  /// - Parameter clips: at least one.
  public init(_ clips: [Clip]) {
    precondition(!clips.isEmpty, "a list has a clip")
    self.clips = clips
    order = Array(clips.indices)
  }

  /// A list of one clip.
  public init(_ path: String) { self.init([Clip(path: path)]) }

  /// Index of the present clip.
  var current: Int { order[place] }
  var clip: Clip { clips[current] }
  var count: Int { clips.count }
  var hasSeveral: Bool { clips.count > 1 }

  /// Which clip it is, in words.
  var words: TerminalText { "clip \(place + 1)/\(count): \(clip.name)" }

  /// Why there is no clip so many on, or back.
  func words(ofNone count: Int) -> TerminalText {
    let isEdge = repetition != .list && place == (count > 0 ? order.count - 1 : 0)
    if isEdge { return "already at the \(count > 0 ? "last" : "first") clip" }
    return "no playable clip \(count > 0 ? "after" : "before") this one"
  }

  /// The clip so many on, or back, passing over those that cannot be played; nil where there is none.
  func index(by count: Int) -> Int? {
    let step = count.signum()
    var place = place, left = abs(count)
    for _ in 0..<order.count * max(1, left) where left > 0 {
      place += step
      if !order.indices.contains(place) {
        guard repetition == .list else { return nil }
        place = step > 0 ? 0 : order.count - 1
      }
      if !failed.contains(order[place]) { left -= 1 }
    }
    return left == 0 && step != 0 ? order[place] : nil
  }

  /// The clip that is played after this one by itself; nil where there is none, or this one is played again.
  var follower: Int? { repetition == .clip ? nil : successor }

  /// The clip that begins once this one has been played, be it this one once more; nil where none does.
  var successor: Int? {
    guard let next = repetition == .clip ? current : index(by: 1) else { return nil }
    guard let maxRounds, comesRound(to: next) else { return next }
    return rounds + 1 < maxRounds ? next : nil
  }

  /// Somebody has chosen a clip.
  mutating func go(to index: Int) {
    if let place = order.firstIndex(of: index) { self.place = place }
    rounds = 0
  }

  /// A clip has begun by itself.
  mutating func goOn(to index: Int) {
    if comesRound(to: index) { rounds += 1 }
    if let place = order.firstIndex(of: index) { self.place = place }
  }

  private func comesRound(to index: Int) -> Bool { order.firstIndex(of: index).map { $0 <= place } ?? false }

  /// Whether none of them can be played.
  var hasFailed: Bool { failed.count == clips.count }

  mutating func didFail(_ index: Int) { failed.insert(index) }

  /// What is repeated; a list of one clip is that clip.
  ///
  /// - Parameter maxRounds: how often it is played, at least 1; nil for ever.
  mutating func setRepetition(_ repetition: Repetition, maxRounds: Int? = nil) {
    self.repetition = repetition == .list && !hasSeveral ? .clip : repetition
    self.maxRounds = maxRounds
    rounds = 0
  }

  /// What comes after the present repetition.
  var nextRepetition: Repetition {
    switch repetition {
    case .off: hasSeveral ? .list : .clip
    case .list: .clip
    case .clip: .off
    }
  }

  /// Plays the others in any order behind the present one, or all in the list's own.
  mutating func setShuffled(_ shuffled: Bool, using random: inout some RandomNumberGenerator) {
    let current = current
    isShuffled = shuffled
    order = Array(clips.indices)
    if shuffled {
      order.remove(at: current)
      order.shuffle(using: &random)
      order.insert(current, at: 0)
      place = 0
    } else {
      place = current
    }
  }
}
