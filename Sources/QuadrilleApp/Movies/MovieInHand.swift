import Movies
import Playback
import Terminal

/// The movie that is being made of pieces: what it says, and how its additions are undone. Screen thread only.
///
/// Names of clips lead from the root: only its file has others.
final class MovieInHand {
  /// What it is called before it has a file.
  static let standardName = "movie.yaml"

  private(set) var document: MovieDocument
  /// The file that it was read from, or written to last; nil before.
  private(set) var path: String?
  /// How many of the last pieces were added here, and can be taken away.
  private(set) var additions = 0
  private var saved: MovieDocument

  /// - Parameters:
  ///   - document: with names from the root.
  ///   - path: the file that says so.
  init(_ document: MovieDocument = MovieDocument(), path: String? = nil) {
    self.document = document
    self.path = path
    saved = document
  }

  /// Whether its file says what it says.
  var isSaved: Bool { document == saved }
  var pieceCount: Int { document.pieces.count }

  func add(_ piece: MoviePiece) {
    document.pieces.append(piece)
    additions += 1
  }

  /// Takes the piece away that was added last. Returns it; nil where none was.
  func undo() -> MoviePiece? {
    guard additions > 0 else { return nil }
    additions -= 1
    return document.pieces.removeLast()
  }

  /// A file says what it was then.
  func didWrite(_ document: MovieDocument, to path: String) {
    saved = document
    self.path = path
  }

  /// What its pane is called.
  ///
  /// - Parameter length: indefinite while not known.
  func title(length: MediaTime) -> String {
    let name = document.title ?? path.map(FolderListing.name(ofPath:)) ?? "movie"
    // Of what is short, whole seconds would tell little.
    let digits = length < MediaTime(value: 10, timescale: 1) ? 1 : 0
    return "\(name) (\(Self.words(pieceCount))\(length.isNumeric ? ", \(length.clockText(fractionDigits: digits))" : ""))"
  }

  static func words(_ count: Int) -> String { "\(count) piece\(count == 1 ? "" : "s")" }
}
