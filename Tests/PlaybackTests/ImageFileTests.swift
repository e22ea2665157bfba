import Foundation
import Pixels
import Playback
import Testing

@Suite("Image files", .timeLimit(.minutes(20)))
struct ImageFileTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("images-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private static let image = PixelImage(size: PixelSize(width: 4, height: 2)) { $0.update(repeating: 90) }

  private func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("a file that is there is replaced, or a number is added")
  func replacing() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/a.b.png"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try ImageFile.write(Self.image, to: path, replaces: false) == folder + "/a.b-2.png")
    #expect(try ImageFile.write(Self.image, to: path, replaces: false) == folder + "/a.b-3.png")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
    #expect(try ImageFile.write(Self.image, to: path, replaces: true) == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    #expect(try contents() == ["a.b-2.png", "a.b-3.png", "a.b.png"])
  }

  @Test("the name says how it is coded; what cannot be written says why and leaves nothing")
  func errors() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(ImageFile.canWrite("x.PNG") && ImageFile.canWrite("x.jpeg") && !ImageFile.canWrite("x.gif"))
    #expect(throws: PlaybackError.self) {
      try ImageFile.write(Self.image, to: folder + "/x.gif", replaces: true)
    }
    let long = PixelImage(size: PixelSize(width: 70_000, height: 1)) { _ in }
    #expect(throws: PlaybackError(.tooLarge, "cannot be written: JPEG is limited to 65500 pixels per side")) {
      try ImageFile.write(long, to: folder + "/x.jpg", replaces: true)
    }
    #expect(throws: PlaybackError(.system, "cannot be written: no such file or directory")) {
      try ImageFile.write(Self.image, to: folder + "/none/x.png", replaces: true)
    }
    try FileManager.default.createDirectory(atPath: folder + "/d.png", withIntermediateDirectories: true)
    #expect(throws: PlaybackError(.notAFile, "is a folder")) {
      try ImageFile.write(Self.image, to: folder + "/d.png", replaces: true)
    }
    #expect(try ImageFile.write(Self.image, to: folder + "/d.png", replaces: false) == folder + "/d-2.png")
    #expect(try contents() == ["d-2.png", "d.png"])
  }

  @Test("a link is followed, and a device is written to")
  func links() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/real.jpg"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.createSymbolicLink(atPath: folder + "/link.jpg", withDestinationPath: path)
    try ImageFile.write(Self.image, to: folder + "/link.jpg", replaces: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(2) == Data([0xFF, 0xD8]))
    try FileManager.default.createSymbolicLink(atPath: folder + "/null.png", withDestinationPath: "/dev/null")
    try ImageFile.write(Self.image, to: folder + "/null.png", replaces: true)
    var info = stat()
    #expect(stat("/dev/null", &info) == 0 && info.st_mode & S_IFMT == S_IFCHR)
  }
}
