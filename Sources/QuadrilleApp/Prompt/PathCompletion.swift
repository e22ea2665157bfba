import Playback
import Terminal

/// The names by which a path that is being typed can go on: pure.
struct PathCompletion: Equatable, Sendable {
  /// What was typed before the cursor: a folder, up to its last slash, and the beginning of a name in it.
  struct Request: Equatable, Sendable {
    let folder: String
    let prefix: String

    init(typed: Substring) {
      // The home folder's name is complete but for its slash.
      let typed = typed == "~" ? "~/" : typed
      let end = typed.utf8.lastIndex(of: UInt8(ascii: "/")).map { typed.utf8.index(after: $0) } ?? typed.startIndex
      folder = String(typed[..<end])
      prefix = String(typed[end...])
    }

    /// Whether a name may be what is meant; hidden ones only where a dot was typed.
    func admits(_ name: String) -> Bool {
      if name.first == ".", prefix.first != "." { return false }
      return name.unicodeScalars.starts(with: prefix.unicodeScalars) || isLoosePrefix(of: name)
    }

    /// Whether it begins a name but for capitals and how accents are coded.
    private func isLoosePrefix(of name: String) -> Bool { name.lowercased().hasPrefix(prefix.lowercased()) }
  }

  struct Candidate: Equatable, Sendable {
    /// With a slash behind it where it is a folder.
    let name: String
    let isFolder: Bool
    let label: TerminalText

    init(_ entry: FolderListing.Entry) {
      name = entry.isFolder ? entry.name + "/" : entry.name
      isFolder = entry.isFolder
      label = TerminalText(name)
    }

    var isLikely: Bool { isFolder || FileNames.isClip(name) || Playlist.isNamed(name) }
  }

  let request: Request
  let candidates: [Candidate]
  /// Whether there may be more candidates than were looked at.
  let isCut: Bool
  /// The candidate that stands in the line.
  private(set) var selected: Int?

  /// Folders and names of clips come first, by their names; where names begin exactly as typed, others are left out.
  init(_ request: Request, _ listing: FolderListing) {
    self.request = request
    isCut = listing.isCut
    let prefix = request.prefix.unicodeScalars
    let admitted = listing.entries.filter { request.admits($0.name) }
    let exact = admitted.filter { $0.name.unicodeScalars.starts(with: prefix) }
    let sorted = FileNames.sorted((exact.isEmpty ? admitted : exact).map(Candidate.init), by: \.name)
    candidates = sorted.filter(\.isLikely) + sorted.filter { !$0.isLikely }
  }

  /// The longest beginning that all candidates have, if it is longer than what was typed, with the folder.
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

  /// Goes to the next candidate, or the one before, in a ring. Returns what then stands in the line.
  mutating func select(next isNext: Bool) -> String? {
    guard !candidates.isEmpty else { return nil }
    let place = selected.map { $0 + (isNext ? 1 : -1) } ?? (isNext ? 0 : candidates.count - 1)
    let index = (place + candidates.count) % candidates.count
    selected = index
    return request.folder + candidates[index].name
  }
}
