import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

/// Lists and timelines in `Golden` against what the reference library reads in them; `scripts/check-interchange` made them.
@Suite(.timeLimit(.minutes(20))) struct InterchangeTests {
  private static let folder = PackageFolder.root.appendingPathComponent("Tests/MoviesTests/Golden")
  private static let lists = ["cuts", "transitions", "motion", "dropframe", "film", "sound"].map { $0 + ".edl" }
  private static let timelines = ["plain", "older", "unknown", "addresses", "ends", "unranged", "rates", "structure"].map {
    $0 + ".otio"
  }

  private func read(_ name: String) throws -> MovieFile.Reading {
    try MovieFile.read(path: Self.folder.appendingPathComponent(name).path)
  }
  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// Pieces of the first track have the ranges that the reference library reads.
  @Test(arguments: lists + timelines.filter { $0 != "structure.otio" }) func rangesAreThoseOfTheReference(name: String) throws {
    let expected = try text(name + ".ranges").split(separator: "track\n", omittingEmptySubsequences: false)[1]
    #expect(MovieListing.text(try read(name).document) == "track\n" + expected)
  }

  /// Written files are those that the reference library has read; RECORD_GOLDEN=1 writes them anew, and the test fails.
  @Test(arguments: lists + timelines, [MovieFile.Form.edl, .openTimelineIO, .yaml])
  func exportsAreThoseThatTheReferenceHasRead(name: String, form: MovieFile.Form) throws {
    // Ranges that a list cannot say: of other rates, and of tracks in tracks.
    if form == .edl, ["rates.otio", "structure.otio"].contains(name) { return }
    // What is a track in a track for the reference is pieces here.
    let folder = form == .yaml || name == "structure.otio" ? "Written" : "Exports"
    let suffix = form == .edl ? "edl" : form == .yaml ? "yaml" : "otio"
    let file = Self.folder.appendingPathComponent("\(folder)/\(name).\(suffix)")
    let (bytes, _) = try MovieFile.bytes(of: try read(name).document, form: form, name: name)
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
      Issue.record("\(file.lastPathComponent) was written anew: run scripts/check-interchange")
      return
    }
    // Names in lists need not be UTF-8.
    let expected = try Data(contentsOf: file)
    let isSame = bytes.elementsEqual(expected)
    #expect(isSame, "\(String(decoding: bytes, as: UTF8.self))")
  }

  /// Numbers as they were written and the order of keys, too.
  @Test(arguments: timelines.filter { $0 != "structure.otio" }) func timelinesComeBackAsTheyWere(name: String) throws {
    let (bytes, remarks) = try MovieFile.bytes(of: try read(name).document, form: .openTimelineIO, name: name)
    #expect(try JSONReader.read(bytes) == JSONReader.read(Array(try text(name).utf8)))
    #expect(remarks == [])
  }

  /// The YAML form carries what timelines keep.
  @Test(arguments: timelines + lists) func theYAMLFormKeepsAll(name: String) throws {
    let movie = try read(name).document
    #expect(try MovieFile.read(Array(YAMLMovieWriter.text(of: movie).utf8), form: .yaml, name: name).document == movie)
  }

  /// Points that are timecodes of lists stay what they are.
  @Test(arguments: lists) func listsComeBackFromTimelines(name: String) throws {
    let movie = try read(name).document
    let (bytes, _) = try MovieFile.bytes(of: movie, form: .openTimelineIO, name: "a.otio")
    let again = try MovieFile.read(bytes, form: .openTimelineIO, name: "a.otio").document
    #expect(again.pieces.map(\.content) == movie.pieces.map(\.content))
    #expect(again.pieces.map { $0.transition?.length } == movie.pieces.map { $0.transition?.length })
    // And where the piece is written once more.
    var moved = again
    for index in moved.pieces.indices { moved.pieces[index].name = "other" }
    let (bytesAgain, _) = try MovieFile.bytes(of: moved, form: .openTimelineIO, name: "a.otio")
    let third = try MovieFile.read(bytesAgain, form: .openTimelineIO, name: "a.otio").document
    #expect(third.pieces.map(\.content) == movie.pieces.map(\.content))
  }

  @Test(arguments: lists) func listsComeBackAsTheyWere(name: String) throws {
    let movie = try read(name).document
    let (bytes, _) = try MovieFile.bytes(of: movie, form: .edl, name: name)
    let again = try MovieFile.read(bytes, form: .edl, name: name).document
    #expect(MovieListing.text(again) == MovieListing.text(movie))
    let paths = [movie, again].map {
      $0.pieces.map { piece in if case .clip(let clip) = piece.content { clip.path } else { "" } }
    }
    #expect(paths[0] == paths[1])
    #expect(again.pieces.map(\.name) == movie.pieces.map(\.name))
    #expect(again.startTimecode == movie.startTimecode)
    #expect(again.markers == movie.markers)
    let (bytesAgain, _) = try MovieFile.bytes(of: again, form: .edl, name: name)
    #expect(bytesAgain == bytes)
  }

  /// Pieces and transitions are as long after a way through another program's form.
  @Test(arguments: TestSeeds.first(200), [MovieFile.Form.edl, .openTimelineIO]) func lengthsComeBack(
    seed: UInt64, form: MovieFile.Form
  ) throws {
    let rate = [Ratio(24, 1), Ratio(24000, 1001), Ratio(25, 1), Ratio(30000, 1001)][Int(seed % 4)]
    var random = RandomMovies(seed: seed, inFramesOf: rate)
    let movie = random.closedMovie()
    if movie.pieces.isEmpty { return }
    // A list's timecodes are whole frames, which a changed speed need not fall on.
    var ignored = Warnings()
    guard movie.counted(&ignored).trimmedPieces().allSatisfy({ $0 != nil }) else { return }
    let (bytes, _) = try MovieFile.bytes(of: movie, form: form, name: "a")
    let again = try MovieFile.read(bytes, form: form, name: "a").document
    #expect(again.pieces.map { $0.length(rate: rate) } == movie.pieces.map { $0.length(rate: rate) })
    #expect(again.pieces.map { $0.transition?.length } == movie.pieces.map { $0.transition?.length })
    if form == .openTimelineIO {
      #expect(again.pieces.map { $0.transition?.kind } == movie.pieces.map { $0.transition?.kind })
      #expect(again.pieces.map { $0.transition?.cut } == movie.pieces.map { $0.transition?.cut })
      #expect(again.chapters.map(\.time) == movie.chapters.map(\.time))
      #expect(again.overlays.count == movie.overlays.count)
    }
    let (bytesAgain, _) = try MovieFile.bytes(of: again, form: form, name: "a")
    let third = try MovieFile.read(bytesAgain, form: form, name: "a").document
    #expect(third.pieces.map { $0.length(rate: rate) } == again.pieces.map { $0.length(rate: rate) })
    if form == .openTimelineIO { #expect(third.pieces.map(\.content) == again.pieces.map(\.content)) }
  }

  /// Bytes that have changed anywhere are read or refused, and what is read can be written as YAML and read again.
  @Test(arguments: TestSeeds.first(150)) func damageIsMet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let name = Self.lists.randomElement(using: &random) ?? ""
    var bytes = Array(try text(name).utf8)
    let wild = Array("0123456789:;-. \nCDWKV*M2\u{0}".utf8) + [0xFF]
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = wild.randomElement(using: &random) ?? 0
    }
    guard let movie = try? MovieFile.read(bytes, form: .edl, name: name).document else { return }
    _ = try? MovieFile.bytes(of: movie, form: .edl, name: name)
    _ = try? MovieFile.bytes(of: movie, form: .openTimelineIO, name: name)
    let yaml = try MovieFile.bytes(of: movie, form: .yaml, name: name).0
    #expect(try MovieFile.read(yaml, form: .yaml, name: name).document == movie)
  }

  /// So are bytes of the YAML form.
  @Test(arguments: TestSeeds.first(150)) func damagedYAMLIsMet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var movies = RandomMovies(seed: seed)
    var bytes = Array(YAMLMovieWriter.text(of: movies.movie()).utf8)
    let wild = Array("0123456789:;-. \n#&*[{\"'/".utf8) + [0xFF]
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      bytes[Int.random(in: 20..<max(21, bytes.count), using: &random) % bytes.count] = wild.randomElement(using: &random) ?? 0
    }
    guard let movie = try? MovieFile.read(bytes, form: .yaml, name: "a").document else { return }
    for form in [MovieFile.Form.edl, .openTimelineIO] { _ = try? MovieFile.bytes(of: movie, form: form, name: "a") }
    #expect(try MovieFile.read(Array(YAMLMovieWriter.text(of: movie).utf8), form: .yaml, name: "a").document == movie)
  }

  /// The page shows what is read.
  @Test func theExampleOfThePageIsRead() throws {
    let page = try PackageFolder.text(of: "docs/movies.md")
    let example = try #require(page.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
    let movie = try MovieFile.read(Array(example.utf8), form: .yaml, name: "docs/movies.md").document
    #expect(movie.pieces.count == 3 && movie.overlays.count == 1 && movie.chapters.count == 1)
  }
}
