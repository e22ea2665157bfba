import Movies
import Playback
import Terminal
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct MovieInHandTests {
  private func piece(_ path: String) -> MoviePiece { MoviePiece(.clip(MovieClip(path: path))) }

  @Test func remarksOnWhatWasWrittenFillALine() {
    func line(_ remarks: [String], _ columns: Int) -> String {
      TerminalText.line("wrote a.edl", remarks: remarks, columns: columns).description
    }
    #expect(line([], 20) == "wrote a.edl")
    #expect(line(["no place for one", "nor two"], 40) == "wrote a.edl; no place for one; nor two")
    #expect(line(["no place for one", "nor two", "nor three"], 40) == "wrote a.edl; no place for o… and 2 more")
    #expect(line(["no place for one", "nor two", "nor three"], 44) == "wrote a.edl; no place for one … and 2 more")
    // One alone is cut where it is drawn.
    #expect(line(["no place for one"], 20) == "wrote a.edl; no place for one")
  }

  @Test func onlyWhatWasAddedIsTakenAway() {
    let movie = EditSession(MovieDocument(pieces: [piece("/a.mp4")]), path: "cuts/cut.yaml")
    #expect(movie.isSaved && movie.undo() == nil)
    movie.add(piece("/b.mp4"))
    movie.add(piece("/c.mp4"))
    #expect(!movie.isSaved && movie.title(length: MediaTime(value: 12, timescale: 1)) == "cut.yaml (3 pieces, 0:12)")
    #expect(movie.undo() == piece("/c.mp4") && movie.undo() == piece("/b.mp4") && movie.undo() == nil)
    #expect(movie.isSaved && movie.title(length: .indefinite) == "cut.yaml (1 piece)")
  }

  @Test func whatWasAddedWhileItWasWrittenIsNotWritten() {
    let movie = EditSession()
    movie.add(piece("/a.mp4"))
    let written = movie.document
    movie.add(piece("/b.mp4"))
    movie.didWrite(written, to: "cut.yaml")
    #expect(!movie.isSaved && movie.path == "cut.yaml")
    _ = movie.undo()
    #expect(movie.isSaved)
    #expect(movie.title(length: MediaTime(value: 5, timescale: 4)) == "cut.yaml (1 piece, 0:01.2)")
    #expect(EditSession(MovieDocument(title: "Film")).title(length: .zero) == "Film (0 pieces, 0:00.0)")
  }

  // MARK: - What is under way

  private func control() -> MovieControl {
    MovieControl(folder: "/", makeAsset: { Asset(path: $0) }, wake: {})
  }

  /// The next thing that has come of what is under way; the control wakes nobody here, so it is asked again and again.
  private func news(of control: MovieControl) -> MovieControl.News? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if let news = control.update().first { return news }
    }
    return nil
  }

  @Test func itIsPutTogetherFromTheJointOn() throws {
    let clip = try SampleClip.h264BFrames.path()
    let control = control()
    control.add(MoviePiece(.clip(MovieClip(path: clip, motion: .plays(speed: Ratio(1, 1), until: .length(MediaTime(value: 1, timescale: 2)))))))
    control.add(MoviePiece(.clip(MovieClip(path: clip, start: .time(MediaTime(value: 1, timescale: 4))))))
    guard case .built(let made, .joint)? = news(of: control) else { throw Missing() }
    #expect(made.joint == MediaTime(value: 1, timescale: 2) && made.assets.count == 1 && made.composition.duration > made.joint)
    #expect(control.undo() && control.pieceCount == 1)
    control.build(.same)
    guard case .built(let shorter, .same)? = news(of: control) else { throw Missing() }
    #expect(shorter.joint == .zero && shorter.composition.duration == MediaTime(value: 1, timescale: 2))
    #expect(shorter.assets == made.assets, "what is open is not opened again")
  }

  @Test func aFileIsReplacedOnlyWhenThatIsSaidAndAClipNever() throws {
    let folder = try TemporaryFolder()
    let clip = try SampleClip.h264BFrames.path()
    let movie = MovieDocument(pieces: [MoviePiece(.clip(MovieClip(path: clip)))])
    let path = folder.path("cut.yaml")
    try MovieFile.write(movie, path: path)
    let control = control()
    func outcome(_ movie: MovieDocument, _ typed: String) throws -> TypedFile.Outcome {
      control.write(movie, to: typed, sparing: InputFiles())
      guard case .saved(let result)? = news(of: control), result.typed == typed else { throw Missing() }
      return result.outcome
    }
    // Asked for anew, it is not what was said before.
    for _ in 0..<2 {
      guard case .exists = try outcome(movie, path) else { throw Missing() }
      control.giveUpWriting()
    }
    guard case .exists = try outcome(movie, path) else { throw Missing() }
    guard case .written(let remarks) = try outcome(MovieDocument(pieces: movie.pieces + movie.pieces), path) else { throw Missing() }
    #expect(remarks.isEmpty)
    #expect(try MovieFile.read(path: path).document.pieces.count == 2)
    // That was said once.
    guard case .exists = try outcome(movie, path) else { throw Missing() }
    // A clip is not written over, whatever was said.
    guard case .failed(let error) = try outcome(movie, clip) else { throw Missing() }
    #expect(error.message.contains("refusing to overwrite"))
  }

  private struct Missing: Error {}
}
