import Alignment
import Foundation
import Playback
import TestSupport
import Testing

@testable import Measuring

/// What people have named as belonging together, and the file that keeps it.
@Suite(.timeLimit(.minutes(20))) struct SyncPointStoreTests {
  private let folder: TemporaryFolder
  private let store: SyncPointStore

  init() throws {
    folder = try TemporaryFolder()
    store = SyncPointStore(path: folder.path("state/points"))
  }

  /// Makes a file of more than one part.
  private func file(_ name: String, _ byte: UInt8) throws -> String {
    let path = folder.path(name)
    try Data([UInt8](repeating: byte, count: 300_000)).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func point(_ reference: Int, _ candidate: Int) -> SyncPoint { SyncPoint(reference: reference, candidate: candidate) }

  @Test func pointsBelongToContents() throws {
    let (a, b) = (try file("a", 1), try file("b", 2))
    #expect(try store.points(reference: a, candidate: b) == [])
    #expect(try store.change(reference: a, candidate: b) { $0.append(point(120, 117)) } == [point(120, 117)])
    #expect(try store.points(reference: a, candidate: b) == [point(120, 117)])
    // Under another name, and in exchanged roles.
    let copy = folder.path("copy")
    try FileManager.default.copyItem(atPath: b, toPath: copy)
    #expect(try store.points(reference: a, candidate: copy) == [point(120, 117)])
    #expect(try store.points(reference: copy, candidate: a) == [point(117, 120)])
    #expect(try store.change(reference: copy, candidate: a) { $0.append(point(9, 8)) } == [point(117, 120), point(9, 8)])
    #expect(try store.points(reference: a, candidate: b) == [point(120, 117), point(8, 9)])
    // One byte in the middle makes another file.
    let handle = try #require(FileHandle(forUpdatingAtPath: copy))
    handle.seek(toFileOffset: 150_000)
    handle.write(Data([7]))
    handle.closeFile()
    #expect(try store.points(reference: a, candidate: copy) == [])
    // Without points there is no line.
    _ = try store.change(reference: a, candidate: b) { $0 = [] }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)).isEmpty)
    #expect(try store.points(reference: a, candidate: folder.path("none")) == [])
    #expect(throws: PlaybackError.self) { try store.change(reference: a, candidate: folder.path("none")) { $0.append(point(1, 1)) } }
  }

  @Test func whatPeopleWriteIsRead() throws {
    let (a, b) = (try file("a", 1), try file("b", 2))
    _ = try store.change(reference: a, candidate: b) { $0.append(point(1, 2)) }
    var text = try String(contentsOfFile: store.path, encoding: .utf8)
    #expect(text.contains("\"points\":[\"1:2\"]") && text.contains("\"name\":\"a\""))
    text = "not for this version\n" + text.replacingOccurrences(of: "\"1:2\"", with: "\"1:2\",\"x\",\"30:40\"")
    try text.write(toFile: store.path, atomically: true, encoding: .utf8)
    #expect(try store.points(reference: a, candidate: b) == [point(1, 2), point(30, 40)])
    _ = try store.change(reference: a, candidate: b) { $0.removeFirst() }
    #expect(try String(contentsOfFile: store.path, encoding: .utf8).hasPrefix("not for this version\n"))
    #expect(try store.points(reference: a, candidate: b) == [point(30, 40)])
    #expect(throws: PlaybackError.self) {
      try store.change(reference: a, candidate: b) { $0 = (0...SyncPointStore.maxPoints).map { point($0, $0) } }
    }
    #expect(try store.points(reference: a, candidate: b) == [point(30, 40)])
  }

  @Test func aFrameHasOnePartner() {
    let times = (reference: (0..<100).map { Int64($0) * 40_000_000 }, candidate: (0..<90).map { Int64($0) * 40_000_000 })
    var points: [SyncPoint] = []
    SyncEdit.add(reference: 480_000_000, candidate: 399_999_999).apply(to: &points, times: times)
    #expect(points == [point(12, 10)])
    SyncEdit.add(reference: 2_000_000_000, candidate: 0).apply(to: &points, times: times)
    #expect(points == [point(50, 0), point(12, 10)])
    SyncEdit.add(reference: 480_000_000, candidate: 0).apply(to: &points, times: times)
    #expect(points == [point(12, 0)])
    SyncEdit.remove(point(12, 0)).apply(to: &points, times: times)
    #expect(points.isEmpty)
  }
}
