import Foundation
import Movies
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Which clips a name stands for.
@Suite(.timeLimit(.minutes(20))) struct ClipListReaderTests {
  private func paths(_ name: String) -> [String] { ClipListReader().read(name).clips.map(\.path) }

  private func problem(_ name: String) -> String? { ClipListReader().read(name).clips.first?.problem?.message }

  private func put(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

  @Test func namesBetweenCommas() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    for name in ["a.mp4", "b.mp4", "x,y.mp4", "p, q, r.mp4"] { try put("", folder + "/" + name) }
    func at(_ names: String...) -> String { names.map { folder + "/" + $0 }.joined(separator: ",") }
    #expect(paths(at("a.mp4", "b.mp4")) == [at("a.mp4"), at("b.mp4")])
    // A name that is there stays whole, alone and among others.
    #expect(paths(at("x,y.mp4")) == [at("x,y.mp4")])
    #expect(paths(at("a.mp4", "x,y.mp4", "p, q, r.mp4", "b.mp4")) == ["a.mp4", "x,y.mp4", "p, q, r.mp4", "b.mp4"].map { at($0) })
    // What is not there is told of when its turn comes.
    #expect(paths("none.mp4") == ["none.mp4"] && paths("none,neither") == ["none", "neither"])
    #expect(paths(at("a.mp4") + ",") == [at("a.mp4")] && paths("," + at("a.mp4")) == [at("a.mp4")])
    #expect(paths("a,,b,") == ["a", "b"] && paths(",") == [","] && paths("") == [""])
  }

  @Test func folders() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    for name in ["b10.mkv", "b9.MP4", "B1.webm", "notes.txt", ".hidden.mp4", "é2.mov", "é10.mov"] { try put("", folder + "/" + name) }
    try FileManager.default.createDirectory(atPath: folder + "/c.mp4", withIntermediateDirectories: false)
    let names = ["B1.webm", "b9.MP4", "b10.mkv", "é2.mov", "é10.mov"].map { folder + "/" + $0 }
    #expect(paths(folder) == names && paths(folder + "/") == names)
    #expect(paths(folder + "," + folder + "/b9.MP4") == names + [folder + "/b9.MP4"])
    #expect(paths(folder + "/c.mp4") == [folder + "/c.mp4"] && problem(folder + "/c.mp4") == "is a folder without clips or numbered images")
  }

  @Test func numberedImages() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    for name in ["a_01.png", "a_02.png", "b1.jpg", "b2.jpg", "cover.png"] { try put("x", folder + "/" + name) }
    func clips(_ name: String) -> [ClipList.Clip] { ClipListReader(frameRate: Ratio(24, 1)).read(folder + "/" + name).clips }
    #expect(clips("").map(\.path) == [folder + "/a_%02d.png", folder + "/b%d.jpg"])
    #expect(clips("").allSatisfy { $0.sequence?.frameRate == Ratio(24, 1) && $0.sequence?.imageCount == 2 })
    #expect(clips("a_%02d.png,\(folder)/b*.jpg").map(\.path) == [folder + "/a_%02d.png", folder + "/b%d.jpg"])
    #expect(clips("c_*.png").first?.problem == ImageSequence.noMatch && clips("cover.png").first?.sequence == nil)
    try put("a_%02d.png\nb?.jpg\ncover.png\n", folder + "/l.m3u")
    #expect(clips("l.m3u").map { $0.sequence?.imageCount } == [2, 2, nil])
    #expect(ClipListReader().listed(folder) == [folder + "/a_%02d.png", folder + "/b%d.jpg"])
    // A folder that contains clips stays a list of clips, and a pattern may select them.
    try put("", folder + "/c.mp4")
    #expect(clips("").map(\.path) == [folder + "/c.mp4"] && clips("*").map(\.path) == [folder + "/c.mp4"])
    // None of the images may be overwritten.
    let inputs = InputFiles([folder + "/a_%02d.png"]).paths
    #expect(inputs.contains(folder + "/a_01.png") && inputs.contains(folder + "/a_02.png"))
  }

  /// Files that can be played are not skipped: sound, too, and streams without a container.
  @Test func foldersOfSoundAndStreams() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    let names = [
      "a.ogg", "b.oga", "c.mp3", "d.m4a", "e.AAC", "f.flac", "g.opus", "h.wav", "i.wma", "j.mka", "k.h265", "l.264", "m.265", "n.qt", "o.divx",
      "p.mpe", "q.m1v", "r.aiff", "s.ac3", "t.rmvb", "u.3g2",
    ]
    for name in names + ["cover.jpg", "notes.txt", "x.srt", "list.cue"] { try put("", folder + "/" + name) }
    #expect(paths(folder) == names.map { folder + "/" + $0 })
  }

  @Test func listsOfFiles() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    let list = folder + "/l.M3U8"
    try put(
      "\u{FEFF}#EXTM3U\r\n#EXTINF:12.5, One, two\r\na.mp4\r\n\r\n  sub/b c.mp4 \t\r\n# words\r\n/abs/c.mp4\r\n"
        + "file:///d%20%C3%A9.mp4\r\nfile://localhost/e%zz.mp4\r\nfile://LOCALHOST/%+f.mp4\r\nfile://far/x.mp4\r\n#EXTINF:3\r\nf,g.mp4", list)
    let clips = ClipListReader().read(list).clips
    #expect(clips.map(\.path) == [folder + "/a.mp4", folder + "/sub/b c.mp4", "/abs/c.mp4", "/d é.mp4", "/e%zz.mp4", "/%+f.mp4", "file://far/x.mp4", folder + "/f,g.mp4"])
    #expect(clips.map(\.title) == ["One, two", nil, nil, nil, nil, nil, nil, nil])
    // By another name only where it is said that it is one.
    try put("a.mp4\rb.mp4\r", folder + "/old.txt")
    #expect(paths(folder + "/old.txt") == [folder + "/old.txt"])
    #expect(ClipListReader().queue(folder + "/old.txt").clips.map(\.path) == [folder + "/a.mp4", folder + "/b.mp4"])
  }

  /// Some players write names as in URLs; a file whose name is the same letter for letter comes first.
  @Test func namesMayBeWrittenAsInURLs() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    for name in ["a b.mp4", "c%20d.mp4", "c d.mp4"] { try put("", folder + "/" + name) }
    let list = folder + "/list.m3u"
    try put("a%20b.mp4\nc%20d.mp4\ngone%20.mp4\n", list)
    #expect(ClipListReader().listed(list) == ["a b.mp4", "c%20d.mp4", "gone%20.mp4"].map { folder + "/" + $0 })
    #expect(ClipListReader().listed(folder + "/a b.mp4") == [folder + "/a b.mp4"])
    #expect(ClipListReader().listed(folder + "/gone.m3u") == [folder + "/gone.m3u"])
  }

  /// The kind of a file must not be left for the screen thread to find out.
  @Test func listsSayWhatTheirFilesAre() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    let (movie, story) = ("# mine\nquadrille: movie 1\npieces: []\n", "quadrille: storyboard 1\nscenes: []\n")
    try put(movie, folder + "/a movie")
    try put(movie, folder + "/b.mp4")
    try put(story, folder + "/c.yaml")
    try put(story, folder + "/C.MKV")
    try put("quadrille: storyboard run 1\n", folder + "/d")
    try put("words", folder + "/e")
    try put("a movie\nb.mp4\nC.MKV\nc.yaml\nd\ne\nnone\nnone.twee\nnone.otio\n", folder + "/l.m3u")
    // The name of a clip is believed, so that long lists need no reading.
    let kinds: [FileKind] = [.movie, .clip, .clip, .storyboard, .storyboard, .clip, .clip, .storyboard, .movie]
    #expect(ClipListReader().read(folder + "/l.m3u").clips.map(\.kind) == kinds)
    #expect(ClipListReader().read(folder + "/c.yaml").clip.kind == .storyboard)
    #expect(ClipListReader().read(folder + "/a movie," + folder + "/e").clips.map(\.kind) == [.movie, .clip])
  }

  @Test func listsThatAreRefused() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    let list = folder + "/l.m3u"
    for (text, reason) in [
      ("", "contains no clips"), ("#EXTM3U\n", "contains no clips"),
      ("#EXTM3U\n#EXT-X-TARGETDURATION:6\na.ts\n", "is an HLS playlist, which is not supported yet; only lists of files are"),
      ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", "is an HLS playlist, which is not supported yet; only lists of files are"),
      ("a\0b", "is not a list of clips"),
      (String(repeating: "a\n", count: 10_001), "lists more than 10000 clips"),
    ] {
      try put(text, list)
      #expect(problem(list) == reason)
    }
    #expect(ClipListReader().queue(folder + "/none").clips.first?.problem?.message == "no such file")
    // Among others it keeps its place, as do addresses in lists.
    #expect(ClipListReader().read("x.mp4," + list).clips.map { $0.problem != nil } == [false, true])
    try put("a.mp4\nhttps://host/x.mp4\n", list)
    #expect(paths(list) == [folder + "/a.mp4", "https://host/x.mp4"])
  }

  @Test func namesThatAreNoUTF8() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    let list = folder + "/l.m3u"
    try (Data([0xFF, 0x2E]) + Data("mp4\n".utf8)).write(to: URL(fileURLWithPath: list))
    #expect(paths(list) == [folder + "/" + Asset.path(ofBytes: [0xFF, 0x2E] + Array("mp4".utf8))])
  }
}
