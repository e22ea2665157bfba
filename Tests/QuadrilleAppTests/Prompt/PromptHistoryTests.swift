import DecodePool
import Foundation
import Playback
import Terminal
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct PromptHistoryTests {
  private func history(_ texts: [String], _ purpose: Prompt.Purpose = .open) -> PromptHistory {
    var history = PromptHistory()
    for text in texts { history.add(.init(purpose: purpose, text: text)) }
    return history
  }

  @Test func noDoublesInARowAndNoMoreThanItHolds() {
    #expect(history(["a", "a", "b", "a", ""]).texts(for: .open) == ["a", "b", "a"])
    let names = (0..<500).map { "\($0)" }
    #expect(history(names).texts(for: .open) == Array(names[300...]))
    #expect(history(["\u{E9}", "e\u{301}"]).texts(for: .open).count == 2, "other bytes are another name")
  }

  @Test func comesBackFromItsFile() {
    let odd = Asset.path(ofBytes: [0x61, 0xFF, 0x20, 0x5C, 0x6E, 0x0A, 0x27, 0xC3])
    var all = history(["/a b/c.mp4", odd, "\\", "e\u{301}"])
    all.add(.init(purpose: .goTo, text: "#250"))
    let read = PromptHistory(bytes: all.bytes)
    #expect(read == all)
    #expect(read.texts(for: .goTo) == ["#250"])
    #expect(read.texts(for: .open).map(Asset.bytes(ofPath:)) == all.texts(for: .open).map(Asset.bytes(ofPath:)))
    #expect(all.bytes.split(separator: 0x0A).count == 5)
  }

  @Test func readsWhateverIsInAFile() {
    #expect(PromptHistory(bytes: Array("fly x\nopen\n\nopen a\\\ngoto  5\n".utf8)).texts(for: .open) == ["a"])
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      _ = PromptHistory(bytes: (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test func runsAtTheSameTimeKeepEachOthersLines() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quadrille-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/state/quadrille/history"
    let stores = (0..<4).map { _ in HistoryStore(path: path) {} }
    await withTaskGroup(of: Void.self) { group in
      for (i, store) in stores.enumerated() {
        group.addTask {
          for n in 0..<20 { store.add(.init(purpose: .open, text: "\(i)-\(n)")) }
        }
      }
    }
    for store in stores { store.finish(until: monotonicNanoseconds() + 30_000_000_000) }
    let kept = PromptHistory(bytes: try InputText.read(path, limit: 1 << 20) ?? []).texts(for: .open)
    #expect(Set(kept) == Set((0..<4).flatMap { i in (0..<20).map { "\(i)-\($0)" } }))
    for i in 0..<4 { #expect(kept.filter { $0.hasPrefix("\(i)-") } == (0..<20).map { "\(i)-\($0)" }) }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder + "/state/quadrille")) == ["history", "history.lock"])
  }

  @Test func browsingKeepsWhatWasTyped() throws {
    var prompt = Prompt(.goTo, text: "dr", history: ["one", "two"])
    func press(_ name: String) throws { _ = prompt.type(try #require(KeyStroke(name))) }
    try press("up")
    #expect(prompt.text == "two" && prompt.editor.isAtEnd)
    try press("ctrl-p")
    #expect(prompt.text == "one")
    try press("up")
    #expect(prompt.text == "one")
    try press("ctrl-n")
    try press("down")
    #expect(prompt.text == "dr")
    try press("down")
    #expect(prompt.text == "dr")
    prompt.setHistory(["zero", "one", "three"])
    try press("up")
    #expect(prompt.text == "three")
  }
}
