import Foundation
import Playback
import Testing

@Suite("Files that are written", .timeLimit(.minutes(20)))
struct OutputFileTests {
  private final class Folder {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    func put(_ name: String, _ text: String) throws {
      try text.write(toFile: self(name), atomically: false, encoding: .utf8)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }

    var contents: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("a file is replaced with its permissions, and nothing else is left")
  func replacing() throws {
    try OutputFile(folder("a")).write(Array("new".utf8))
    #expect(try folder.text("a") == "new")
    #expect(chmod(folder("a"), 0o640) == 0)
    try OutputFile(folder("a")).write(Array("newer".utf8))
    var status = stat()
    #expect(stat(folder("a"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try folder.text("a") == "newer" && folder.contents == ["a"])
    #expect(try OutputFile.writeNew([1], at: folder("a")) == folder("a-2"))
    #expect(try OutputFile.writeNew([1], at: folder("b.c.d")) == folder("b.c.d"))
    #expect(try OutputFile.writeNew([1], at: folder("b.c.d")) == folder("b.c-2.d"))
    #expect(try folder.contents == ["a", "a-2", "b.c-2.d", "b.c.d"])
  }

  @Test("looking changes nothing")
  func looking() throws {
    _ = try OutputFile(folder("a"))
    try folder.put("b", "old")
    _ = try OutputFile(folder("b"))
    #expect(try folder.contents == ["b"] && folder.text("b") == "old")
  }

  @Test("a clip is never written, whatever it is called")
  func clips() throws {
    try folder.put("clip", "frames")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "clip")
    try FileManager.default.createSymbolicLink(atPath: folder("chain"), withDestinationPath: "link")
    try FileManager.default.linkItem(atPath: folder("clip"), toPath: folder("hard"))
    let names = [folder("clip"), folder("link"), folder("chain"), folder("hard"), folder.path + "//./clip"]
    for name in names {
      for clip in names {
        #expect(throws: PlaybackError(.system, "refusing to overwrite an input file")) {
          try OutputFile(name, sparing: ["/nowhere", clip])
        }
        #expect(throws: PlaybackError.self) { try DecoderLog.write(to: name, sparing: [clip]) }
      }
    }
    // It became one after it was looked at.
    let file = try OutputFile(folder("later"))
    try FileManager.default.moveItem(atPath: folder("clip"), toPath: folder("later"))
    #expect(throws: PlaybackError.self) { try file.write([1], sparing: [folder("hard")]) }
    // A clip that is not there is none that could be lost, but its name is not given away.
    #expect(throws: PlaybackError.self) { try OutputFile(folder("none"), sparing: [folder("none")]) }
    #expect(try folder.text("later") == "frames" && folder.contents == ["chain", "hard", "later", "link"])
  }

  @Test("links stay, also those to nothing yet")
  func links() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder("d"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: folder("link"), withDestinationPath: "d/next")
    try manager.createSymbolicLink(atPath: folder("d/next"), withDestinationPath: "../target")
    for text in ["one", "two"] {
      try OutputFile(folder("link")).write(Array(text.utf8))
      #expect(try folder.text("target") == text)
      #expect(try manager.destinationOfSymbolicLink(atPath: folder("link")) == "d/next")
      #expect(try manager.destinationOfSymbolicLink(atPath: folder("d/next")) == "../target")
    }
    try manager.createSymbolicLink(atPath: folder("self"), withDestinationPath: "self")
    #expect(throws: PlaybackError.self) { try OutputFile(folder("self")) }
  }

  @Test("a private file is for its user only, also if it was not before")
  func modes() throws {
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder(name))[.posixPermissions] as? Int
    }
    try OutputFile(folder("new"), isPrivate: true).write([1])
    try OutputFile(folder("open")).write([1])
    chmod(folder("open"), 0o644)
    try OutputFile(folder("open")).write([2])
    #expect(try mode("new") == 0o600 && mode("open") == 0o644)
    try OutputFile(folder("open"), isPrivate: true).write([3])
    #expect(try mode("open") == 0o600)
  }

  @Test("names are bytes")
  func names() throws {
    let name = Asset.path(ofBytes: Array("\(folder.path)/a".utf8) + [0xFF] + Array(".png".utf8))
    try OutputFile(name).write([65])
    _ = try OutputFile.writeNew([66], at: name)
    let first = fopen(Array(folder.path.utf8).map(CChar.init) + [47, 97, -1, 46, 112, 110, 103, 0], "r")
    let second = fopen(Array(folder.path.utf8).map(CChar.init) + [47, 97, -1, 45, 50, 46, 112, 110, 103, 0], "r")
    #expect(first.map { fgetc($0) } == 65 && second.map { fgetc($0) } == 66)
    _ = first.map(fclose)
    _ = second.map(fclose)
  }

  @Test("what cannot be written is said, and nothing is left")
  func failures() throws {
    func reason(_ path: String) -> String? {
      do {
        try OutputFile(path).write([1, 2, 3])
        return nil
      } catch {
        return String(describing: error)
      }
    }
    #expect(reason(folder("none/a")) == "cannot be written: no such file or directory")
    #expect(reason(folder.path) == "is a folder")
    #expect(reason("/dev/full") == "cannot be written: no space left on device")
    #expect(reason("/dev/null") == nil)
    #expect(reason("/proc/nothing")?.hasPrefix("cannot be written: ") ?? false)
    try folder.put("file", "")
    #expect(reason(folder("file/a")) == "cannot be written: not a directory")
    #expect(mkfifo(folder("pipe"), 0o600) == 0)
    #expect(reason(folder("pipe")) == "is a pipe with no reader")
    let reader = open(folder("pipe"), O_RDONLY | O_NONBLOCK)
    #expect(reason(folder("pipe")) == nil)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, 10) == 3)
    close(reader)
    #expect(try folder.contents == ["file", "pipe"])
  }

  @Test("a pipe is waited for, but not for ever", .timeLimit(.minutes(20)))
  func reading() async throws {
    #expect(try InputText.read(folder("none"), limit: 10) == nil)
    try folder.put("ten", "0123456789")
    #expect(try InputText.read(folder("ten"), limit: 10) == Array("0123456789".utf8))
    #expect(throws: PlaybackError(.tooLarge, "has more than 9 bytes")) { try InputText.read(folder("ten"), limit: 9) }
    #expect(mkfifo(folder("pipe"), 0o600) == 0)
    #expect(throws: PlaybackError(.notAFile, "is a pipe with no writer")) {
      try InputText.read(folder("pipe"), limit: 10)
    }
    #expect(throws: PlaybackError.self) { try InputText.read(folder.path, limit: 10) }
    let asset = Asset(path: folder("pipe"))
    await #expect(throws: PlaybackError(.notAFile, "is a pipe with no writer")) {
      try await asset.load(.facts)
    }
  }
}
