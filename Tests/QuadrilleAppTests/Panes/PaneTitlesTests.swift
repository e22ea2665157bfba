import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct PaneTitlesTests {
  private func titles(_ clips: (String, String?)...) -> [TerminalText] {
    PaneTitles.titles(of: clips.map { PaneTitles.Clip(path: $0.0, title: $0.1) })
  }

  @Test func titlesComeFirst() {
    #expect(titles(("/a/x.mp4", "The Film"), ("/a/y.mp4", nil)) == ["The Film", "y.mp4"])
    #expect(titles(("/a/x.mp4", "  \t ")) == ["x.mp4"])
  }

  @Test func encodesOfOneFilmAreCalledByTheirFiles() {
    #expect(titles(("a/x264.mp4", "Film"), ("b/x265.mp4", "Film")) == ["x264.mp4", "x265.mp4"])
  }

  @Test func filesOfOneNameAreCalledByTheirFolders() {
    #expect(titles(("old/clip.mp4", nil), ("new/clip.mp4", nil)) == ["old/clip.mp4", "new/clip.mp4"])
    #expect(titles(("/v/1/x/clip.mp4", nil), ("/v/2/x/clip.mp4", nil)) == ["1/x/clip.mp4", "2/x/clip.mp4"])
    #expect(titles(("clip.mp4", nil), ("b/clip.mp4", nil)) == ["clip.mp4", "b/clip.mp4"])
    #expect(titles(("./clip.mp4", "T"), ("../clip.mp4", "T")) == ["clip.mp4", "../clip.mp4"])
  }

  @Test func onlyTheOnesThatClashChange() {
    let names = titles(("a/one.mp4", "Film"), ("a/two.mp4", "Film"), ("a/three.mp4", "Other"))
    #expect(names == ["one.mp4", "two.mp4", "Other"])
  }

  @Test func oneClipTwiceHasOneName() {
    #expect(titles(("a/x.mp4", "Film"), ("a/x.mp4", "Film")) == ["Film", "Film"])
    #expect(titles(("/", nil), ("", nil)) == ["/", ""])
  }
}
