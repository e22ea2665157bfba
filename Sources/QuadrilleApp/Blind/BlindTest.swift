import Playback
import Terminal

/// A test in which viewers judge clips without knowing their names: a value without panes.
struct BlindTest: Equatable, Sendable {
  /// A pane of the test, under the letter that stands for its name.
  struct Contestant: Equatable, Sendable {
    var letter: String
    /// The clips of its list.
    var paths: [String]
  }

  /// A vote for a clip.
  struct Vote: Equatable, Sendable {
    var letter: String
    var path: String
    /// Seconds since 1970.
    var time: Int
    /// Time of the frame shown.
    var position: MediaTime
  }

  let contestants: [Contestant]
  private(set) var votes: [Vote] = []
  /// True if the names are shown; votes no longer count then.
  private(set) var isRevealed = false

  /// - Parameter lists: The paths of each pane's clips, in the order of the panes.
  init(_ lists: [[String]]) {
    contestants = lists.enumerated().map { Contestant(letter: Self.letter($0), paths: $1) }
  }

  /// The letter of a pane, by its index.
  static func letter(_ index: Int) -> String { String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index % 26))) }

  /// Counts a vote. Returns its number; nil if votes no longer count.
  mutating func vote(_ vote: Vote) -> Int? {
    guard !isRevealed else { return nil }
    votes.append(vote)
    return votes.count
  }

  mutating func reveal() { isRevealed = true }

  /// The number of votes for a pane, or for one of its clips.
  func count(_ letter: String, path: String? = nil) -> Int {
    votes.count { vote in
      // By bytes: names that are equal in Swift may be different files.
      vote.letter == letter && path.map { vote.path.utf8.elementsEqual($0.utf8) } ?? true
    }
  }

  /// The number of votes, for the status row.
  var words: TerminalText { isRevealed ? "names shown" : "blind, \(Self.votes(votes.count))" }

  private static func votes(_ count: Int) -> String { "\(count) vote\(count == 1 ? "" : "s")" }

  /// The result, with names.
  var tally: TerminalText {
    contestants.map { contestant -> TerminalText in
      let name = contestant.paths.count == 1 ? FolderListing.name(ofPath: contestant.paths[0]) : "\(contestant.paths.count) clips"
      return "\(contestant.letter) (\(name)): \(Self.votes(count(contestant.letter)))"
    }.joined(separator: ", ")
  }

  /// Commands that would show names or properties of clips, or bring in clips that are not part of the test.
  static let hidden: Set<Command.Name> = [
    .open, .save, .saveView, .frameFacts, .trackList, .video, .sound, .subtitles, .chapterList, .markIn, .markOut, .addPiece, .undoPiece, .movie,
    .writeMovie,
  ]
}
