import Foundation
import Movies
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct MoviePathsTests {
  @Test(arguments: [
    ("a.mp4", "/home/me/a.mp4"), ("./b/./a.mp4", "/home/me/b/a.mp4"), ("/x//a.mp4", "/x/a.mp4"),
    ("../a.mp4", "/home/me/../a.mp4"), ("e\u{301}/\u{301}.mp4", "/home/me/e\u{301}/\u{301}.mp4"),
  ])
  func pathsFromTheRoot(name: String, path: String) {
    #expect(FilePath.absolute(name, in: "/home/me").utf8.elementsEqual(path.utf8))
  }

  @Test(arguments: [
    ("/home/me/a.mp4", "/home/me/cut.yaml", "a.mp4"), ("/home/me/b/a.mp4", "/home/me/cut.yaml", "b/a.mp4"),
    ("/home/me/a.mp4", "/home/me/cuts/cut.yaml", "/home/me/a.mp4"), ("/home/meow/a.mp4", "/home/me/cut.yaml", "/home/meow/a.mp4"),
    ("/a.mp4", "/cut.yaml", "a.mp4"), ("/data:x.mp4", "/cut.yaml", "./data:x.mp4"),
    ("/nowhere/b/../a.mp4", "/nowhere/cut.yaml", "/nowhere/b/../a.mp4"),
  ])
  func namesInTheFile(clip: String, movie: String, name: String) {
    #expect(MoviePaths.name(of: clip, inMovieAt: movie) == name)
  }

  @Test func whatLeadsUpAgainIsLookedUp() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("a/b"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a/b")
    let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    #expect(MoviePaths.name(of: "\(root)/a/b/../c.mp4", inMovieAt: "\(root)/cut.yaml") == "a/c.mp4")
    #expect(MoviePaths.name(of: "\(root)/link/../c.mp4", inMovieAt: "\(root)/cut.yaml") == "a/c.mp4", "as the system does")
    #expect(MoviePaths.name(of: "\(root)/link/c.mp4", inMovieAt: "\(root)/cut.yaml") == "link/c.mp4", "a link below stays")
    #expect(MoviePaths.name(of: "\(root)/c.mp4", inMovieAt: "\(root)/a/../cut.yaml") == "c.mp4")
  }

  /// Bytes that are no text are the same ones afterwards.
  @Test func namesNeedNotBeText() {
    let path = Asset.path(ofBytes: [0x61, 0xFF, 0x2F, 0xCC, 0x81])
    let rooted = FilePath.absolute(path, in: "/m")
    #expect(Asset.bytes(ofPath: rooted) == Array("/m/a".utf8) + [0xFF, 0x2F, 0xCC, 0x81])
    #expect(Asset.bytes(ofPath: MoviePaths.name(of: rooted, inMovieAt: "/m/cut.yaml")) == Asset.bytes(ofPath: path))
  }

  @Test func namesOfAllThatAMovieIsMadeOf() {
    let still = MovieOverlay(.image(path: "i.png", length: nil), start: .zero, place: .named(.full))
    let inset = MovieOverlay(.clip(MovieClip(path: "../o.mp4")), start: .zero, place: .named(.full))
    let text = MovieOverlay(.text("words", length: nil), start: .zero, place: .named(.bottom))
    let movie = MovieDocument(
      pieces: [MoviePiece(.clip(MovieClip(path: "a.mp4"))), MoviePiece(.empty(.zero)), MoviePiece(.clip(MovieClip(path: "/b.mp4")))],
      overlays: [still, inset, text])
    let rooted = movie.rooted(movieAt: "cuts/cut.yaml", folder: "/m")
    #expect(rooted.files == ["/b.mp4", "/m/cuts/../o.mp4", "/m/cuts/a.mp4", "/m/cuts/i.png"])
    #expect(rooted.renamed { MoviePaths.name(of: $0, inMovieAt: "/m/cuts/cut.yaml") }.files == ["/b.mp4", "/m/cuts/../o.mp4", "a.mp4", "i.png"])
  }
}
