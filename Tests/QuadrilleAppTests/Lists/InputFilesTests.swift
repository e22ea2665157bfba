import Foundation
import Movies
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// The files that a run reads, and so does not overwrite.
@Suite(.timeLimit(.minutes(20))) struct InputFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let files = [
      "movie.yaml": "quadrille: movie 1\npieces:\n  - clip: piece.mkv\noverlays:\n  - image: logo.png\n    at: 0\n",
      "story.yaml": """
        quadrille: storyboard 1
        scenes:
          - scene: One
            tracks:
              - track: first
                clip: track.mkv
              - track: second
                movie: movie.yaml

        """,
      "saved.run": "quadrille: storyboard run 1\nstoryboard: story.yaml\nmark: \"0\"\nseed: 1\nchoices: []\nbegun: false\n",
      "story.twee": ":: Start\nclip: passage.mkv\n", "movie.twee": ":: Start\nclip: movie.yaml\n",
      "list.m3u": "#EXTM3U\nentry.mkv\nsaved.run\n", "entry.en.srt": "", "piece.idx": "", "piece.sub": "", "pieces.srt": "",
      "entry.mkv": "", "sub/a.mkv": "", "sub/a.mkv.ass": "", "sub/b.mkv": "", "sub/c.srt": "",
    ]
    try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
  }

  private func names(_ files: InputFiles) -> Set<String> { Set(files.paths.map { String($0.dropFirst(folder.path.count + 1)) }) }

  private let ofMovie: Set = ["movie.yaml", "piece.mkv", "logo.png", "piece.idx", "piece.sub"]
  private let ofStory: Set = ["saved.run", "story.yaml", "track.mkv"]

  @Test func everythingThatIsNamed() {
    #expect(names(InputFiles([folder.path("movie.yaml")])) == ofMovie)
    #expect(names(InputFiles([folder.path("saved.run")])) == ofStory.union(ofMovie))
    #expect(names(InputFiles([folder.path("story.twee")])) == ["story.twee", "passage.mkv"])
    #expect(names(InputFiles([folder.path("movie.twee")])) == ofMovie.union(["movie.twee"]))
    #expect(names(InputFiles([folder.path("list.m3u")])) == ofStory.union(ofMovie).union(["list.m3u", "entry.mkv", "entry.en.srt"]))
    #expect(names(InputFiles([folder.path("entry.mkv"), folder.path("none.mkv")])) == ["entry.mkv", "entry.en.srt", "none.mkv"])
  }

  @Test func listsAndFolders() {
    var options = PlayOptions()
    options.clips = [folder.path("list.m3u"), folder.path("sub")].map(ClipListReader().read) + [ClipListReader().queue(folder.path("list.m3u"))]
    options.subtitles.files = [folder.path("own.idx")]
    options.files.settings = folder.path("settings.yaml")
    let all = ofStory.union(ofMovie).union([
      "list.m3u", "entry.mkv", "entry.en.srt", "sub/a.mkv", "sub/a.mkv.ass", "sub/b.mkv", "own.idx", "own.sub", "settings.yaml",
    ])
    #expect(names(InputFiles(options)) == all)
  }

  /// Its contents belong to whoever plays it.
  @Test func pipesAreNotRead() throws {
    let pipe = folder.path("pipe.yaml")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(names(InputFiles([pipe])) == ["pipe.yaml"])
  }
}
