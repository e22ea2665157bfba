import Foundation
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct TypedPathTests {
  @Test(arguments: [
    ("/a/b.mp4", []), ("~/b.mp4", []), ("a b.mp4", []), ("it's.mp4", []), ("two 'words here'", []), ("", []), ("'", []), ("a\\", []),
    ("'/a/b c.mp4'", ["/a/b c.mp4"]), ("\"/a/b c.mp4\" ", ["/a/b c.mp4"]), ("/a/b\\ c\\(1\\).mp4 ", ["/a/b c(1).mp4"]),
    ("'/a/it'\\''s.mp4'", ["/a/it's.mp4"]), ("\"a\\$b\\c\"", ["a$b\\c"]), (" /a/b.mp4", ["/a/b.mp4"]),
    ("~/b\\ c.mp4", ["/home/me/b c.mp4"]), ("'~/b.mp4'", ["~/b.mp4"]),
    ("file:///a/b%20c.mp4", ["/a/b c.mp4"]), ("'file://localhost/a/b%20c.mp4' ", ["file://localhost/a/b%20c.mp4", "/a/b c.mp4"]),
    ("file://other/a.mp4", []), ("file:///a/it's%20b.mp4", ["/a/it's b.mp4"]),
  ])
  func readings(text: String, others: [String]) {
    let readings = TypedPath.readings(text, home: "/home/me")
    #expect(readings.first == TypedPath.expanded(text, home: "/home/me") && Array(readings.dropFirst()) == others)
  }

  /// Whatever a name looks like, a file of that name is meant.
  @Test func aFileThatExistsIsMeant() throws {
    let folder = try TemporaryFolder()
    let (plain, quoted) = (folder.path("a b.mp4"), folder.path("a\\ b.mp4"))
    try "".write(toFile: plain, atomically: true, encoding: .utf8)
    #expect(TypedPath.existing(TypedPath.readings(quoted, home: nil)) == plain)
    #expect(TypedPath.existing(TypedPath.readings("'\(plain)' ", home: nil)) == plain)
    try "".write(toFile: quoted, atomically: true, encoding: .utf8)
    #expect(TypedPath.existing(TypedPath.readings(quoted, home: nil)) == quoted)
    #expect(TypedPath.existing(TypedPath.readings("/none/'x'", home: nil)) == "/none/'x'")
  }
}
