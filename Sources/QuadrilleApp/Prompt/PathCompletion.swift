import Playback
import Terminal

/// Completions of a path being typed: pure.
struct PathCompletion: Equatable, Sendable {
  /// The text before the cursor: a folder, up to its last slash, and the start of a name in it.
  struct Request: Equatable, Sendable {
    let folder: String
    let prefix: String

    init(typed: Substring) {
      // The home folder's name lacks only its slash.
      let typed = typed == "~" ? "~/" : typed
      let end = typed.utf8.lastIndex(of: UInt8(ascii: "/")).map { typed.utf8.index(after: $0) } ?? typed.startIndex
      folder = String(typed[..<end])
      prefix = String(typed[end...])
    }

    /// Returns true if a name may be meant; hidden names only after a typed dot.
    func admits(_ name: String) -> Bool {
      if name.first == ".", prefix.first != "." { return false }
      return name.unicodeScalars.starts(with: prefix.unicodeScalars) || isLoosePrefix(of: name)
    }

    /// Returns true if it starts a name, ignoring case and the encoding of accents.
    private func isLoosePrefix(of name: String) -> Bool { name.lowercased().hasPrefix(prefix.lowercased()) }
  }

  struct Candidate: Equatable, Sendable {
    /// The name, with a trailing slash for a folder.
    let name: String
    let isFolder: Bool
    /// True for the pattern of an image sequence.
    let isSequence: Bool
    let label: TerminalText

    init(_ entry: FolderListing.Entry) {
      name = entry.isFolder ? entry.name + "/" : entry.name
      isFolder = entry.isFolder
      isSequence = false
      label = TerminalText(name)
    }

    init(sequence pattern: String) {
      (name, isFolder, isSequence) = (pattern, false, true)
      label = TerminalText(name)
    }

    var isLikely: Bool { isFolder || isSequence || FileNames.isClip(name) || Playlist.isNamed(name) }
  }

  let request: Request
  let candidates: [Candidate]
  /// True if there may be more candidates than were examined.
  let isCut: Bool
  /// Index of the candidate in the line.
  private(set) var selected: Int?

  /// Folders, clips and image sequences first, sorted by name; if names start exactly as typed, others are omitted. The pattern
  /// of a sequence stands for its images unless the typed text reaches into their numbers.
  init(_ request: Request, _ listing: FolderListing) {
    self.request = request
    isCut = listing.isCut
    let prefix = request.prefix.unicodeScalars
    let admitted = listing.entries.filter { request.admits($0.name) }
    let exact = admitted.filter { $0.name.unicodeScalars.starts(with: prefix) }
    let chosen = exact.isEmpty ? admitted : exact
    let sequences = ImageSequence.patterns(among: chosen.filter { !$0.isFolder }.map(\.name)).filter { request.admits($0.pattern) }
    let images = Set(sequences.flatMap(\.names))
    let singles = chosen.filter { !images.contains($0.name) }.map { Candidate($0) }
    let sorted = FileNames.sorted(singles + sequences.map { Candidate(sequence: $0.pattern) }, by: \.name)
    candidates = sorted.filter(\.isLikely) + sorted.filter { !$0.isLikely }
  }

  /// The longest common prefix of all candidates with the folder, if longer than the typed text.
  var commonText: String? {
    guard let first = candidates.first?.name.unicodeScalars else { return nil }
    var common = first[...]
    for candidate in candidates.dropFirst() {
      let count = zip(common, candidate.name.unicodeScalars).prefix { $0 == $1 }.count
      common = common.prefix(count)
    }
    guard candidates.count == 1 || common.count >= request.prefix.unicodeScalars.count else { return nil }
    return request.folder + String(common)
  }

  var selectedCandidate: Candidate? { selected.map { candidates[$0] } }

  /// Selects the next or previous candidate, wrapping around. Returns the new contents of the line.
  mutating func select(next isNext: Bool) -> String? {
    guard !candidates.isEmpty else { return nil }
    let place = selected.map { $0 + (isNext ? 1 : -1) } ?? (isNext ? 0 : candidates.count - 1)
    let index = (place + candidates.count) % candidates.count
    selected = index
    return request.folder + candidates[index].name
  }
}
