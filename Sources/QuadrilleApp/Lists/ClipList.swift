import Movies
import Playback
import Terminal

/// The clips of a pane and their playing order: a value that opens no files.
public struct ClipList: Equatable, Sendable {
  /// An entry of the list.
  public struct Clip: Hashable, Sendable {
    /// The path to show and to save, without credentials.
    public let path: String
    /// The path to open.
    let location: String
    /// The title given by the list; untrusted text.
    public var title: String?
    /// The reason it cannot be played, if known before opening.
    public var problem: PlaybackError?
    /// The kind of file.
    public var kind: FileKind
    /// The image sequence whose pattern is `path`; nil for a file.
    public var sequence: ImageSequence?
    /// The file to write what arrives from a live source to; nil for none.
    public var recording: String?

    public init(path: String, title: String? = nil, problem: PlaybackError? = nil, kind: FileKind = .clip) {
      self.path = WebAddress.withoutCredentials(path)
      location = Self.location(of: path)
      self.title = title ?? (path == "-" ? "standard input" : nil)
      self.problem = problem
      self.kind = kind
    }

    public init(_ sequence: ImageSequence, title: String? = nil) {
      self.init(path: sequence.pattern, title: title)
      self.sequence = sequence
    }

    /// The path to open for a name on the command line: `-` stands for the standard input.
    static func location(of name: String) -> String { name == "-" ? "/dev/stdin" : name }

    /// True if it is a live source, such as a camera.
    var isLive: Bool { kind == .clip && sequence == nil && WebAddress.isLive(location) }

    /// The name shown before the clip is opened.
    var name: TerminalText {
      let title = title.map { TerminalText($0) } ?? ""
      if !title.isBlank { return title }
      return TerminalText(fileName)
    }

    /// The name of the file, without its folder.
    var fileName: String {
      let name = FolderListing.name(ofPath: path)
      return name.isEmpty ? path : name
    }
  }

  /// The extent of repetition.
  enum Repetition: Equatable, Sendable {
    case off
    /// The current clip.
    case clip
    /// The whole list.
    case list
  }

  /// The clips, at least one.
  private(set) var clips: [Clip]
  /// The files that list them.
  let files: [String]
  /// The text that stands for the names of the clips; nil if they are shown.
  var alias: String?
  /// Indices of `clips` in playing order.
  private(set) var order: [Int]
  /// Position of the current clip in `order`.
  private(set) var place = 0
  private(set) var repetition = Repetition.off
  /// Total number of automatic plays of the repeated item, including the first; nil for no limit.
  private(set) var maxRounds: Int?
  /// Automatic restarts of the list since the user last chose something.
  private var rounds = 0
  private(set) var isShuffled = false
  /// Indices of clips that cannot be played.
  private(set) var failed: Set<Int> = []

  /// - Parameters:
  ///   - clips: At least one clip.
  ///   - files: The files that list them.
  public init(_ clips: [Clip], listedIn files: [String] = []) {
    precondition(!clips.isEmpty, "a list has a clip")
    self.clips = clips
    self.files = files
    order = Array(clips.indices)
  }

  /// Sets the files that live sources are recorded to.
  mutating func setRecordings(_ name: (Clip) -> String?) {
    for index in clips.indices { clips[index].recording = name(clips[index]) }
  }

  /// Makes a list of one clip.
  public init(_ path: String) { self.init([Clip(path: path)]) }

  /// Index of the current clip.
  var current: Int { order[place] }
  var clip: Clip { clips[current] }
  var count: Int { clips.count }
  var hasSeveral: Bool { clips.count > 1 }

  /// A message that names the current clip.
  var words: TerminalText { "clip \(place + 1)/\(count): \(name(of: current))" }

  /// The name to show for a clip.
  func name(of index: Int) -> TerminalText { alias.map { TerminalText($0) } ?? clips[index].name }

  /// The message for a request that `index(by:)` cannot satisfy.
  func words(ofNone count: Int) -> TerminalText {
    let isEdge = repetition != .list && place == (count > 0 ? order.count - 1 : 0)
    if isEdge { return "already at the \(count > 0 ? "last" : "first") clip" }
    return "no playable clip \(count > 0 ? "after" : "before") this one"
  }

  /// The index of the clip `count` steps forward or back, skipping unplayable ones; nil if there is none.
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

  /// The clip that plays automatically after this one; nil if there is none or this one repeats.
  var follower: Int? { repetition == .clip ? nil : successor }

  /// The clip that starts when this one ends, possibly the same one; nil if there is none.
  var successor: Int? {
    guard let next = repetition == .clip ? current : index(by: 1) else { return nil }
    guard let maxRounds, comesRound(to: next) else { return next }
    return rounds + 1 < maxRounds ? next : nil
  }

  /// Makes the clip that the user chose current.
  mutating func go(to index: Int) {
    if let place = order.firstIndex(of: index) { self.place = place }
    rounds = 0
  }

  /// Makes a clip that started automatically current.
  mutating func goOn(to index: Int) {
    if comesRound(to: index) { rounds += 1 }
    if let place = order.firstIndex(of: index) { self.place = place }
  }

  private func comesRound(to index: Int) -> Bool { order.firstIndex(of: index).map { $0 <= place } ?? false }

  /// True if no clip of the list can be played.
  var hasFailed: Bool { failed.count == clips.count }

  mutating func didFail(_ index: Int) { failed.insert(index) }

  /// Sets what is repeated; a list of one clip repeats as a clip.
  ///
  /// - Parameter maxRounds: Number of plays, at least 1; nil for no limit.
  mutating func setRepetition(_ repetition: Repetition, maxRounds: Int? = nil) {
    self.repetition = repetition == .list && !hasSeveral ? .clip : repetition
    self.maxRounds = maxRounds
    rounds = 0
  }

  /// The repetition that follows in the cycle.
  var nextRepetition: Repetition {
    switch repetition {
    case .off: hasSeveral ? .list : .clip
    case .list: .clip
    case .clip: .off
    }
  }

  /// Shuffles the other clips after the current one, or restores the order of the list.
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
