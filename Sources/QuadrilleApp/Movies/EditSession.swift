import Movies
import Playback
import Terminal

/// The movie being edited: its document and the undo of its additions. Screen thread only.
///
/// Paths are absolute; only its file may have relative ones.
final class EditSession {
  /// The name of a movie without a file.
  static let standardName = "movie.yaml"

  private(set) var document: MovieDocument
  /// The file it was read from or last written to; nil if there is none.
  private(set) var path: String?
  /// Number of pieces added here, which can be removed.
  private(set) var additions = 0
  private var saved: MovieDocument

  /// - Parameters:
  ///   - document: The movie, with absolute paths.
  ///   - path: The file it was read from.
  init(_ document: MovieDocument = MovieDocument(), path: String? = nil) {
    self.document = document
    self.path = path
    saved = document
  }

  /// True if the file matches the document.
  var isSaved: Bool { document == saved }
  var pieceCount: Int { document.pieces.count }

  func add(_ piece: MoviePiece) {
    document.pieces.append(piece)
    additions += 1
  }

  /// Removes the piece added last. Returns it; nil if there is none.
  func undo() -> MoviePiece? {
    guard additions > 0 else { return nil }
    additions -= 1
    return document.pieces.removeLast()
  }

  /// The file matches the document as it was then.
  func didWrite(_ document: MovieDocument, to path: String) {
    saved = document
    self.path = path
  }

  /// The title of the movie's pane.
  ///
  /// - Parameter length: Indefinite if unknown.
  func title(length: MediaTime) -> String {
    let name = document.title ?? path.map(FolderListing.name(ofPath:)) ?? "movie"
    // For a short movie, whole seconds would be too coarse.
    let digits = length < MediaTime(value: 10, timescale: 1) ? 1 : 0
    return "\(name) (\(Self.words(pieceCount))\(length.isNumeric ? ", \(length.clockText(fractionDigits: digits))" : ""))"
  }

  static func words(_ count: Int) -> String { "\(count) piece\(count == 1 ? "" : "s")" }
}
