import Foundation
import TestSupport
import Testing

@testable import Playback

/// Indexes in a folder: what was kept comes back, and nothing else ever does.
@Suite(.timeLimit(.minutes(20))) struct IndexStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)").path
  private var store: IndexStore { IndexStore(folder: folder) }

  static func randomIndex(_ count: Int, _ dice: inout SeededGenerator) -> PacketIndex {
    func wild() -> Int64 {
      switch Int.random(in: 0..<6, using: &dice) {
      case 0: return [.min, .max, 0, -1].randomElement(using: &dice) ?? 0
      case 1: return Int64.random(in: .min ... .max, using: &dice)
      default: return Int64.random(in: -100_000...100_000, using: &dice)
      }
    }
    var index = PacketIndex()
    index.hasDiscontinuity = Bool.random(using: &dice)
    for i in 0..<Int.random(in: 0..<3, using: &dice) {
      let bytes = (0..<Int.random(in: 0..<300, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let kinds: [ParameterSets.Kind] = [.inBand, .beside(.palette), .beside(.headers)]
      let kind = kinds.randomElement(using: &dice) ?? .inBand
      index.parameterSets.append(ParameterSets.Item(ordinal: i * 7, kind: kind, bytes: bytes))
    }
    for _ in 0..<count {
      index.append(
        PacketIndex.Entry(
          pts: Bool.random(using: &dice) ? wild() : nil, dts: Bool.random(using: &dice) ? wild() : nil, position: wild(),
          byteCount: Int32.random(in: 0 ... .max, using: &dice),
          randomAccess: [.none, .flagged, .verified].randomElement(using: &dice) ?? .none,
          isDiscarded: Bool.random(using: &dice)))
    }
    if Bool.random(using: &dice) { index.decoded = randomOrder(packetCount: count, &dice) }
    index.complete()
    return index
  }

  private static func randomOrder(packetCount: Int, _ dice: inout SeededGenerator) -> DecodedOrder? {
    var ticks = Int64.random(in: -1 << 40 ... 1 << 40, using: &dice)
    let ordinals = (0..<packetCount).shuffled(using: &dice).prefix(Int.random(in: 1...packetCount, using: &dice))
    let frames = ordinals.map { ordinal in
      ticks += Int64.random(in: 1...5000, using: &dice)
      return DecodedOrder.Frame(
        ordinal: Int32(ordinal), ticks: ticks,
        stamp: Bool.random(using: &dice) ? Int64.random(in: .min ... .max, using: &dice) : nil,
        hash: UInt32.random(in: 0 ... .max, using: &dice))
    }
    return DecodedOrder(frames, end: ticks + 1, packetCount: packetCount)
  }

  @Test func nothingIsLeftBesideTheFile() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = CacheFolder(path: folder, suffix: ".test", capacity: 1000, largest: 100)
    for bytes in [[1, 2, 3], [4, 5]] as [[UInt8]] {
      files.save(bytes, as: "name")
      #expect(files.contents(of: "name") == bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["name.test"])
  }

  /// Of what is larger than any index, or no file at all, nothing is read.
  @Test(.timeLimit(.minutes(20))) func whatCannotBeAnIndexIsNotRead() throws {
    let path = path(key(1))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Sparse: takes no room on the disk, but all of it when it is read.
    #expect(FileManager.default.createFile(atPath: path, contents: Data([0x51, 0x44, 0x49, 0x58])))
    #expect(truncate(path, 1 << 40) == 0)
    #expect(store.load(key(1)) == nil)
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(store.load(key(1)) == nil)
    #expect(unlink(path) == 0 && symlink("/dev/zero", path) == 0)
    #expect(store.load(key(1)) == nil)
  }

  private func key(_ number: Int64) -> IndexStore.Key { IndexStore.Key(numbers: [number, .min, .max, -1, 0, 7]) }
  private func path(_ key: IndexStore.Key) -> String { folder + "/" + key.fileName }

  private func isSame(_ a: PacketIndex?, _ b: PacketIndex) -> Bool {
    guard let a else { return false }
    return a.entries == b.entries && a.randomAccessPoints == b.randomAccessPoints && a.parameterSets == b.parameterSets && a.hasDiscontinuity == b.hasDiscontinuity
      && a.isComplete && a.decoded == b.decoded
  }

  @Test(arguments: 1...20) func comesBackAsItWas(seed: UInt64) {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var dice = SeededGenerator(seed: seed)
    let index = Self.randomIndex(Int.random(in: IndexStore.minPackets..<3000, using: &dice), &dice)
    store.save(index, key(1))
    #expect(isSame(store.load(key(1)), index), "seed \(seed)")
    // Another key finds nothing, also where the file is there under its name.
    #expect(store.load(key(2)) == nil)
    try? FileManager.default.copyItem(atPath: path(key(1)), toPath: path(key(2)))
    #expect(store.load(key(2)) == nil)
  }

  @Test func shortAndUnfinishedOnesAreNotKept() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var dice = SeededGenerator(seed: 1)
    store.save(Self.randomIndex(IndexStore.minPackets - 1, &dice), key(1))
    #expect(store.load(key(1)) == nil)
    var unfinished = PacketIndex()
    for entry in Self.randomIndex(1000, &dice).entries { unfinished.append(entry) }
    store.save(unfinished, key(1))
    #expect(store.load(key(1)) == nil)
  }

  @Test func theKeyTellsVersionsOfAFileApart() throws {
    let path = folder + "/clip"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func touch(_ seconds: Double) throws {
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
    }
    try Data("one".utf8).write(to: URL(fileURLWithPath: path))
    try touch(1000)
    let first = try #require(store.key(of: MediaInput(path: path), stream: 0))
    #expect(store.key(of: MediaInput(path: path), stream: 0) == first)
    #expect(store.key(of: MediaInput(path: path), stream: 1) != first)
    try touch(1000.25)
    #expect(store.key(of: MediaInput(path: path), stream: 0) != first)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("!".utf8))
    try handle.close()
    try touch(1000)
    #expect(store.key(of: MediaInput(path: path), stream: 0) != first)
    #expect(store.key(of: MediaInput(path: folder), stream: 0) == nil && store.key(of: MediaInput(path: path + "?"), stream: 0) == nil)
  }

  @Test func damageIsNotTakenForAnIndex() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var dice = SeededGenerator(seed: 3)
    let index = Self.randomIndex(300, &dice)
    store.save(index, key(1))
    let url = URL(fileURLWithPath: path(key(1)))
    let good = try Data(contentsOf: url)
    // Cut anywhere, and with something behind it.
    for _ in 0..<300 {
      try good.prefix(Int.random(in: 0..<good.count, using: &dice)).write(to: url)
      #expect(store.load(key(1)) == nil)
    }
    try (good + [0]).write(to: url)
    #expect(store.load(key(1)) == nil)
    // Other bytes are refused or, where only a number differs, read; they never do harm.
    for round in 0..<600 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        let range = round % 3 == 0 ? 0..<min(80, bytes.count) : 0..<bytes.count
        bytes[Int.random(in: range, using: &dice)] = [0, 0xFF, 0x80, UInt8.random(in: 0...255, using: &dice)]
          .randomElement(using: &dice) ?? 0
      }
      try bytes.write(to: url)
      if let read = store.load(key(1)) {
        #expect(read.isComplete && read.count <= bytes.count / 3)
        _ = PacketTimeline(read, tick: 0.001, mayJump: true)
      }
    }
    for _ in 0..<200 {
      try Data((0..<Int.random(in: 0..<2000, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) })
        .write(to: url)
      #expect(store.load(key(1)) == nil)
    }
  }

  @Test func theOldestGo() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var dice = SeededGenerator(seed: 4)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Files that hold no bytes on disk: together one and a half times the room there is.
    for n in 0..<12 {
      let old = folder + "/\(n).index"
      try Data().write(to: URL(fileURLWithPath: old))
      #expect(truncate(old, IndexStore.capacity / 8) == 0)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(1000 + (n * 5) % 12))], ofItemAtPath: old)
    }
    try Data("not an index".utf8).write(to: URL(fileURLWithPath: folder + "/note.txt"))
    store.save(Self.randomIndex(300, &dice), key(1))
    #expect(store.load(key(1)) != nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    let kept = (0..<12).filter { left.contains("\($0).index") }
    // Seven fit beside the new one: the youngest.
    #expect(Set(kept) == Set((0..<12).sorted { ($0 * 5) % 12 > ($1 * 5) % 12 }.prefix(7)))
    #expect(left.contains("note.txt"))
  }

  @Test func aFolderThatCannotBeIsNoHarm() throws {
    var dice = SeededGenerator(seed: 5)
    let index = Self.randomIndex(300, &dice)
    // Below a file there can be no folder, whoever one is.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)").path
    try Data().write(to: URL(fileURLWithPath: file))
    defer { unlink(file) }
    let store = IndexStore(folder: file + "/indexes")
    store.save(index, key(1))
    #expect(store.load(key(1)) == nil)
  }
}
