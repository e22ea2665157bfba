import Foundation
import Playback
import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct PathCompletionTests {
  private func completion(_ typed: String, _ names: [String], isCut: Bool = false) -> PathCompletion {
    let entries = names.map { name in
      FolderListing.Entry(name: name.hasSuffix("/") ? String(name.dropLast()) : name, isFolder: name.hasSuffix("/"))
    }
    return PathCompletion(
      PathCompletion.Request(typed: typed[...]), FolderListing(entries: entries, isCut: isCut))
  }

  @Test func splitsWhatIsTyped() {
    for (typed, folder, prefix) in [
      ("", "", ""), ("cl", "", "cl"), ("/", "/", ""), ("/a b/cl", "/a b/", "cl"), ("~", "~/", ""), ("~/x", "~/", "x"),
      ("../", "../", ""), ("a/.h", "a/", ".h"),
    ] {
      let request = PathCompletion.Request(typed: typed[...])
      #expect(request.folder == folder && request.prefix == prefix, "\(typed)")
    }
  }

  @Test func completesTheCommonPart() {
    #expect(completion("~/cl", ["clip-1.mp4", "clip-22.mp4", "other"]).commonText == "~/clip-")
    #expect(completion("cl", ["clip one 'x'.mp4"]).commonText == "clip one 'x'.mp4")
    #expect(completion("/d", ["dir/"]).commonText == "/dir/")
    #expect(completion("x", ["dir/"]).commonText == nil)
    // But for capitals, where nothing else begins so.
    #expect(completion("CL", ["clip.mp4", "Clip.mp4"]).commonText == nil)
    #expect(completion("CL", ["clip.mp4"]).commonText == "clip.mp4")
    #expect(completion("cl", ["clip.mp4", "Clip.mp4"]).candidates.count == 1)
  }

  @Test func namesThatAreNoUTF8() {
    let names = [[0x61, 0xFF, 0x62], [0x61, 0xFF, 0x63]].map { Asset.path(ofBytes: $0.map(UInt8.init)) }
    let common = completion("a", names).commonText
    #expect(common.map(Asset.bytes(ofPath:)) == [0x61, 0xFF])
    #expect(completion(common ?? "", names).candidates.count == 2)
  }

  /// "e" begins a decomposed "é", as bytes go; a composed one is found by what it means.
  @Test func accents() {
    #expect(completion("e", ["e\u{301}t\u{E9}.mp4"]).candidates.count == 1)
    #expect(completion("\u{E9}", ["e\u{301}t\u{E9}.mp4"]).candidates.count == 1)
  }

  @Test func hiddenNamesOnlyWhenAskedFor() {
    #expect(completion("", [".git/", "a.mp4"]).candidates.map(\.name) == ["a.mp4"])
    #expect(completion(".", [".git/", "a.mp4"]).candidates.map(\.name) == [".git/"])
  }

  @Test func numberedImagesAreOneName() {
    let names = ["a1.png", "notes.txt", "shot_0001.png", "shot_0002.png", "shot_10%.png", "shot_2%.png"]
    #expect(completion("", names).candidates.map(\.name) == ["shot_%04d.png", "shot_%d%%.png", "a1.png", "notes.txt"])
    #expect(completion("~/sh", Array(names.prefix(4))).commonText == "~/shot_%04d.png")
    // Whoever types a number means an image.
    #expect(completion("shot_0", names).candidates.map(\.name) == ["shot_0001.png", "shot_0002.png"])
  }

  @Test func foldersAndClipsComeFirst() {
    let names = completion("", ["notes.txt", "b.MKV", "Z/", "a.jpg", "A.mp4"]).candidates.map(\.name)
    #expect(names == ["A.mp4", "b.MKV", "Z/", "a.jpg", "notes.txt"])
    let numbers = ["x10.mp4", "x9 b.mp4", "x9.mp4", "x007.mp4", "x100.mp4"]
    #expect(
      completion("", numbers).candidates.map(\.name) == ["x007.mp4", "x9 b.mp4", "x9.mp4", "x10.mp4", "x100.mp4"])
  }

  @Test func goesRound() {
    var names = completion("d/", ["a.mp4", "b/", "c.mp4"])
    #expect(names.select(next: true) == "d/a.mp4")
    #expect(names.select(next: true) == "d/b/" && names.selectedCandidate?.isFolder == true)
    #expect(names.select(next: true) == "d/c.mp4")
    #expect(names.select(next: true) == "d/a.mp4")
    #expect(names.select(next: false) == "d/c.mp4")
    names = completion("d/", ["a.mp4", "b/"])
    #expect(names.select(next: false) == "d/b/")
  }

  @Test func listsRealFolders() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quadrille-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "sub")
    try FileManager.default.createSymbolicLink(atPath: folder + "/gone", withDestinationPath: "nowhere")
    for name in ["a", "b", "c"] { try "x".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
    let all = try FolderListing.read(folder, limit: 100) { _ in true }
    #expect(
      Set(all.entries) == [
        .init(name: "sub", isFolder: true), .init(name: "link", isFolder: true), .init(name: "gone", isFolder: false),
        .init(name: "a", isFolder: false), .init(name: "b", isFolder: false), .init(name: "c", isFolder: false),
      ])
    #expect(!all.isCut)
    let some = try FolderListing.read(folder, limit: 2) { $0.count == 1 }
    #expect(some.entries.count == 2 && some.isCut)
    #expect(throws: PlaybackError.self) { try FolderListing.read(folder + "/a", limit: 2) { _ in true } }
    #expect(throws: PlaybackError.self) { try FolderListing.read(folder + "/no", limit: 2) { _ in true } }
  }
}

@Suite(.timeLimit(.minutes(20))) struct CandidateGridTests {
  @Test func columnsAreReadDownwards() {
    let grid = CandidateGrid(widths: [4, 5, 3, 4, 4], selected: nil, columns: 14, rows: 5)
    #expect(grid.shown == 0..<5 && grid.more == 0 && grid.rows == 3)
    #expect((0..<5).map { grid.place(of: $0).row } == [0, 1, 2, 0, 1])
    #expect((0..<5).map { grid.place(of: $0).column } == [0, 0, 0, 7, 7])
  }

  @Test func tellsHowManyMoreThereAre() {
    let grid = CandidateGrid(widths: Array(repeating: 8, count: 100), selected: nil, columns: 38, rows: 4)
    #expect(grid.shown == 0..<12 && grid.more == 88 && grid.rows == 3)
    let other = CandidateGrid(widths: Array(repeating: 8, count: 100), selected: 99, columns: 38, rows: 4)
    #expect(other.shown == 96..<100 && other.shown.contains(99))
  }

  @Test func neverLeavesItsRoom() {
    for columns in 1...40 {
      for rows in 1...8 {
        for count in [0, 1, 5, 50] {
          for selected in [nil, count - 1] where count > 0 {
            let widths = (0..<count).map { min(columns, 1 + $0 % 12) }
            let grid = CandidateGrid(widths: widths, selected: selected, columns: columns, rows: rows)
            #expect(grid.shown.count + grid.more == count && grid.rows <= rows)
            if let selected { #expect(grid.shown.contains(selected)) }
            for index in grid.shown {
              let place = grid.place(of: index)
              #expect(place.row < grid.rows && place.column + widths[index] <= columns)
            }
          }
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct PromptCompletionTests {
  private let listing = FolderListing(
    entries: ["clip-a.mp4", "clip-b.mp4"].map { .init(name: $0, isFolder: false) } + [.init(name: "clips", isFolder: true)],
    isCut: false)

  private func asked(_ text: String) throws -> (Prompt, PathCompletion.Request) {
    var prompt = Prompt(.open, text: text)
    guard case .complete(let request) = prompt.type(KeyStroke(.tab)) else {
      throw PlaybackError(.system, "tab asks for nothing")
    }
    return (prompt, request)
  }

  @Test func tabCompletesThenGoesRound() throws {
    var (prompt, request) = try asked("x/c")
    prompt.take(.success(listing), for: request)
    #expect(prompt.text == "x/clip" && prompt.completion?.candidates.count == 3)
    #expect(prompt.type(KeyStroke(.tab)) == .editing && prompt.text == "x/clip-a.mp4")
    #expect(prompt.type(KeyStroke(.tab, .shift)) == .editing && prompt.text == "x/clips/")
    // What lies in a folder that was chosen comes next.
    #expect(prompt.type(KeyStroke(.enter)) == .complete(PathCompletion.Request(typed: "x/clips/")))
    #expect(prompt.completion == nil && prompt.text == "x/clips/")
    // Other keys end choosing.
    prompt.take(.success(listing), for: PathCompletion.Request(typed: "x/clips/"))
    _ = prompt.type(KeyStroke(.tab))
    #expect(prompt.type(KeyStroke(.enter)) == .accepted("x/clips/clip-a.mp4"))
  }

  @Test func answersThatComeTooLateAreDropped() throws {
    var (prompt, request) = try asked("c")
    _ = prompt.type(KeyStroke(.character("x")))
    prompt.take(.success(listing), for: request)
    #expect(prompt.text == "cx" && prompt.completion == nil)
    var other = Prompt(.goTo, text: "c")
    other.take(.success(listing), for: request)
    #expect(other.text == "c" && other.completion == nil)
  }

  @Test func whatIsBehindTheCursorStays() throws {
    var prompt = Prompt(.open, text: "c.x")
    _ = prompt.type(KeyStroke(.left))
    _ = prompt.type(KeyStroke(.left))
    guard case .complete(let request) = prompt.type(KeyStroke(.tab)) else { return #expect(Bool(false)) }
    prompt.take(.success(listing), for: request)
    #expect(prompt.text == "clip.x")
  }

  @Test func nothingFound() throws {
    var (prompt, request) = try asked("zz")
    prompt.take(.success(listing), for: request)
    #expect(prompt.text == "zz" && prompt.objection == "no file name starts with \"zz\"")
    (prompt, request) = try asked("no/x")
    prompt.take(.failure(PlaybackError(.system, "cannot be listed: why")), for: request)
    #expect(prompt.objection == "no/: cannot be listed: why")
  }
}
