import Libav
import Testing

@testable import Playback

/// Patterns as people type them, and names sorted into sequences.
@Suite(.timeLimit(.minutes(20))) struct NamePatternTests {
  private func numbered(_ path: String) -> NumberedName? {
    if case .numbered(let name) = NamePattern(path)?.form { name } else { nil }
  }

  @Test(arguments: [
    ("shot_%04d.png", "shot_", 4, ".png"), ("a/b%d", "a/b", 1, ""), ("%d.png", "", 1, ".png"), ("%1d", "", 1, ""), ("%00d", "", 1, ""),
    ("%4d.png", "", 4, ".png"), ("100%%_%03d%%.png", "100%_", 3, "%.png"), ("shot.####.exr", "shot.", 4, ".exr"), ("#", "", 1, ""),
    ("x%d/y%02d.png", "x%d/y", 2, ".png"), ("a\n%d\u{1B}[31m.png", "a\n", 1, "\u{1B}[31m.png"), ("é%d.png", "é", 1, ".png"),
    ("*_%d.png", "*_", 1, ".png"),
  ]) func conversionsOfANumber(path: String, prefix: String, width: Int, suffix: String) {
    #expect(numbered(path) == NumberedName(prefix: prefix, width: width, suffix: suffix))
  }

  @Test(arguments: [
    "shot.png", "100%.png", "%s.png", "%-4d.png", "%+d.png", "% d.png", "%x.png", "%ld.png", "%d_%d.png", "%%d.png", "%", "%0",
    "%20d.png", "%99999999999999999999d.png", "a%d/b.png", "#_#.png", "http://host/%d.png?x=*", "a[31m.png", "a]b[.png", "####################.png", "",
  ]) func othersAreJustNames(path: String) { #expect(NamePattern(path) == nil) }

  @Test func globs() throws {
    let pattern = try #require(NamePattern("in [x]/shot_*.png"))
    #expect(pattern.folder == "in [x]/")
    #expect(pattern.matches("shot_1.png") && !pattern.matches("shot_1.jpg") && !pattern.matches("shot_1.png\n"))
    #expect(NamePattern("*")?.matches(".hidden") == false)
    #expect(NamePattern("[ab]?.png")?.matches("b7.png") == true)
    #expect(NamePattern("in [x]/shot.png") == nil)
  }

  @Test func theTextOfAPatternLeadsBack() {
    for name in [
      NumberedName(prefix: "x%d/100%_", width: 4, suffix: "%.png"), NumberedName(prefix: "", width: 1, suffix: ""),
      NumberedName(prefix: "/a#b*", width: 7, suffix: "[c]?.exr"),
    ] {
      #expect(numbered(NamePattern.text(of: name)) == name)
    }
  }

  private func groups(_ names: [String]) -> ([String: [Int]], [String]) {
    let groups = NumberedGroups(names)
    let pairs = groups.sequences.map { (NamePattern.text(of: $0.name), $0.numbers) }
    return (Dictionary(pairs) { a, _ in a }, groups.rest.sorted())
  }

  @Test func namesAreGrouped() {
    let (sequences, rest) = groups([
      "shot_v2_0001.png", "shot_v2_0003.png", "shot_v2_10000.png", "shot_v3_0001.png", "cover.png", "a.jpg", "a2.jpg", "a10.jpg", "007.tif",
    ])
    #expect(sequences == ["shot_v2_%04d.png": [1, 3, 10000], "a%d.jpg": [2, 10]])
    #expect(rest == ["007.tif", "a.jpg", "cover.png", "shot_v3_0001.png"])
  }

  @Test func theNumberIsTheOneThatDiffers() {
    #expect(groups(["0001_v2.png", "0002_v2.png"]).0 == ["%04d_v2.png": [1, 2]])
    #expect(groups(["s1.0001", "s1.0002"]).0 == ["s1.%04d": [1, 2]])
  }

  @Test func otherPaddingIsAnotherSequence() {
    let (sequences, rest) = groups(["1.png", "2.png", "10.png", "01.png", "02.png", "001.png"])
    #expect(sequences == ["%d.png": [1, 2], "%02d.png": [1, 2, 10]] && rest == ["001.png"])
  }

  @Test func hugeNumbersAreNone() {
    let names = ["a99999999999999999999999999.png", "a99999999999999999999999998.png"]
    #expect(groups(names).0.isEmpty && groups(names).1.count == 2)
  }
}
