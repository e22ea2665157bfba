import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct TerminfoFileTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let path = try #require(TerminfoFile.places(of: name).first { FileManager.default.fileExists(atPath: $0) })
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: ["xterm-256color", "xterm", "screen", "linux", "vt100", "ansi", "tmux-256color", "dumb"])
  func entriesOfTheSystemAreSound(name: String) throws {
    #expect(TerminfoFile.isSound(try Self.bytes(name)))
    #expect(TerminfoFile.damaged(name) == nil)
  }

  /// Whatever the system has installed.
  @Test func allEntriesOfTheSystemAreSound() throws {
    for folder in ["/lib/terminfo", "/usr/share/terminfo", "/etc/terminfo"] {
      for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder), !isFolder.boolValue,
          let data = FileManager.default.contents(atPath: "\(folder)/\(path)")
        else { continue }
        #expect(TerminfoFile.isSound(Array(data)), "\(folder)/\(path)")
      }
    }
  }

  @Test func whatIsNoEntryIsLeftToNcurses() {
    #expect(TerminfoFile.damaged("no-such-terminal") == nil && TerminfoFile.damaged("") == nil)
    #expect(TerminfoFile.damaged("../../../etc/passwd") == nil)
    #expect(TerminfoFile.isSound(Array("#!/bin/sh".utf8)) && !TerminfoFile.isSound([]))
  }

  @Test func damageIsFound() throws {
    let whole = try Self.bytes("xterm-256color")
    // Cut off anywhere. Where the extended names begin it is a whole entry without them.
    let sound = (0..<whole.count).filter { TerminfoFile.isSound(Array(whole[..<$0])) }
    #expect(sound.count <= 12, "\(sound)")
    // Sizes and offsets that lead outside.
    for place in [2, 4, 6, 8, 10] {
      var bytes = whole
      bytes[place + 1] = 0x7F
      #expect(!TerminfoFile.isSound(bytes), "size at \(place)")
    }
    let names = Int(whole[2]) | Int(whole[3]) << 8, flags = Int(whole[4]) | Int(whole[5]) << 8
    let numbers = Int(whole[6]) | Int(whole[7]) << 8
    var offsets = 12 + names + flags
    offsets += offsets % 2 + numbers * (whole[0] == 0x1A ? 2 : 4)
    var bytes = whole
    bytes[offsets + 2] = 0xF0
    bytes[offsets + 3] = 0x7F
    #expect(!TerminfoFile.isSound(bytes))
  }

  @Test func anyBytesAreLookedAtInPeace() throws {
    var random = SeededGenerator(seed: 11)
    let whole = try Self.bytes("xterm-256color")
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = TerminfoFile.isSound(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct TerminalSizeTests {
  @Test func anySizeIsBounded() {
    #expect(TerminalSize(columns: 80, rows: 24).isCut == false)
    for (columns, rows) in [(Int.max, Int.max), (65535, 65535), (12000, 8000), (4097, 1)] {
      let size = TerminalSize(columns: columns, rows: rows)
      #expect(size.columns <= 4096 && size.rows <= 2048 && size.isCut)
    }
    #expect(TerminalSize(columns: .min, rows: .min).columns == 1)
  }
}
