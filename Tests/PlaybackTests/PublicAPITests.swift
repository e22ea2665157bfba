import Foundation
import TestSupport
import Testing

/// The library's public API, which must not change unnoticed.
@Suite(.timeLimit(.minutes(20))) struct PublicAPITests {
  private let api: PublicAPI
  init() throws { api = try PublicAPI() }

  /// The lists are docs/playback-api.txt and docs/movies-api.txt; RECORD_API=1 writes them anew, and the test fails.
  @Test(arguments: ["playback", "movies"]) func theListIsThatOfTheModule(name: String) throws {
    let listing = name == "movies" ? try PublicAPI(of: ["Movies"]).listing : api.listing
    let list = "docs/\(name)-api.txt"
    let lines = Set(listing.split(separator: "\n"))
    if ProcessInfo.processInfo.environment["RECORD_API"] != nil {
      try Data(listing.utf8).write(to: PackageFolder.root.appendingPathComponent(list))
      Issue.record("\(list) was written anew: look at what has changed")
      return
    }
    let listed = Set(try PackageFolder.text(of: list).split(separator: "\n"))
    for line in lines.subtracting(listed).sorted() { Issue.record("is not in the list: \(line)") }
    for line in listed.subtracting(lines).sorted() { Issue.record("is only in the list: \(line)") }
  }

  /// Modules whose types users of the library see.
  private static let known: Set = [
    "Playback", "Pixels", "Swift", "_Concurrency", "FoundationEssentials", "Synchronization", "Dispatch",
  ]

  @Test func itShowsNoTypeOfTheRoomsBelow() {
    for symbol in api.symbols {
      let foreign = symbol.modules.subtracting(Self.known)
      #expect(foreign.isEmpty, "\(symbol.name) shows a type of \(foreign.sorted()): \(symbol.declaration)")
    }
  }

  @Test func theListHoldsWhatIsHandedOnAndWhatIsAddedToIt() {
    let names = Set(api.symbols.map(\.name))
    let expected: Set = [
      "CellShapes", "FittedCells", "Gravity", "Orientation", "FrameGeometry", "FrameRegion", "PixelImage", "PixelRect", "PixelSize", "Ratio",
      "PixelImage.subscript(_:_:)", "PixelImage.init(size:color:)",
    ]
    #expect(expected.subtracting(names).isEmpty)
  }

  @Test func everyDeclarationHasAComment() {
    #expect(api.symbols.count > 400)
    for symbol in api.symbols where !symbol.hasComment {
      Issue.record("\(symbol.file): \(symbol.name) has no comment")
    }
  }
}
