import ArgumentParser
import FoundationEssentials
import Measuring
import Pixels
import Playback
import QuadrilleApp
import Terminal

/// The reports that `quadrille compare` was asked for.
struct ComparisonReports {
  private let command: Compare
  private let inputs: [String]
  private let files: [(name: String?, file: OutputFile?)]

  /// The width of pictures in the HTML page.
  private static let pictureWidth = 320
  /// Worst frames of each metric in the HTML page; those of several metrics are shown once.
  private static let pictureCount = 4

  /// Checks that the files can be written.
  init(_ command: Compare, sparing inputs: [String]) throws {
    self.command = command
    self.inputs = inputs
    files = try [command.json, command.csv, command.html, command.junit, command.mapOut, command.map].map { name in
      (name, try name.map { name in try name == "-" ? nil : orTrouble(name) { try OutputFile(name, sparing: inputs) } } ?? nil)
    }
  }

  func write(_ outcomes: [ComparisonOutcome], network: Network?) throws {
    let comparisons = outcomes.compactMap(\.comparison)
    let documents: [() throws -> [UInt8]?] = [
      { comparisons.isEmpty ? nil : try ClipComparison.json(comparisons) },
      { comparisons.isEmpty ? nil : Array(ClipComparison.csv(comparisons).utf8) },
      { Array(try ComparisonPage(try outcomes.map { ($0, try pictures(of: $0, network)) }).html().utf8) },
      { Array(ComparisonJUnit.text(outcomes).utf8) },
      {
        comparisons.isEmpty
          ? nil
          : try outcomes.flatMap { outcome in
            try outcome.comparison?.mapJSON(id: outcome.candidate, seconds: outcome.seconds) ?? []
          }
      },
      { try comparisons.first.map { try ImageFile.encode(MapPicture.image($0.map), as: ImageFile.format(ofName: command.map ?? "") ?? .png) } },
    ]
    for ((name, file), document) in zip(files, documents) {
      guard let name else { continue }
      guard let bytes = try orTrouble(name, document) else { continue }
      if let file {
        try orTrouble(name) { try file.write(bytes, sparing: inputs) }
      } else {
        try CommandOutput.print { try $0.data(bytes) }
      }
    }
    if let selection = command.frames, let folder = command.save { try save(selection, outcomes, in: folder, network) }
    guard !files.contains(where: { $0.name == "-" }) else { return }
    try CommandOutput.print { output in
      for (index, comparison) in comparisons.enumerated() {
        if index > 0 { try output.line("") }
        for line in ComparisonText(comparison).lines { try output.line(untrusted: line) }
      }
    }
    if let selection = command.frames, command.save == nil {
      for outcome in outcomes { try printFrames(selection, outcome, network) }
    }
  }

  // MARK: - Frames

  private func pictures(of outcome: ComparisonOutcome, _ network: Network?) throws -> [ComparisonPage.Picture] {
    guard let comparison = outcome.comparison else { return [] }
    let makers = makers(outcome, network, size: PixelSize(width: Self.pictureWidth, height: 0))
    var shown: Set<Int> = []
    return comparison.metrics.flatMap { metric in
      (ScoreSummary(metric, comparison.pairs)?.worst ?? []).prefix(Self.pictureCount).compactMap { pair in
        // A frame that cannot be had is left out; the figures stay.
        guard shown.insert(pair.candidate).inserted, let reference = try? makers.reference.still(at: .position(.frame(pair.reference))).image,
          let candidate = try? makers.candidate.still(at: .position(.frame(pair.candidate))).image
        else { return nil }
        return ComparisonPage.Picture(metric, pair, reference: reference, candidate: candidate)
      }
    }
  }

  private func makers(_ outcome: ComparisonOutcome, _ network: Network?, size: PixelSize) -> (reference: StillMaker, candidate: StillMaker) {
    (
      StillMaker(clip: outcome.locations.reference, network: network, maximumSize: size),
      StillMaker(clip: outcome.locations.candidate, network: network, maximumSize: size)
    )
  }

  /// Prints matching frames beside each other, with their numbers.
  private func printFrames(_ selection: FrameSelection, _ outcome: ComparisonOutcome, _ network: Network?) throws {
    guard let comparison = outcome.comparison else { return }
    let environment = processEnvironment()
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: try TerminfoEntry.load(environment["TERM"]), requestedDepth: nil,
      codeset: TerminalCapabilities.environmentCodeset())
    let width = max(1, (Thumbnails.terminalWidth + 1) / 2 - 1)
    let makers = makers(outcome, network, size: PixelSize(width: width, height: 0))
    var images: [PixelImage] = [], labels: [String] = []
    for pair in selection.pairs(in: comparison) {
      try orTrouble(outcome.reference) { images.append(try makers.reference.still(at: .position(.frame(pair.reference))).image) }
      try orTrouble(outcome.candidate) { images.append(try makers.candidate.still(at: .position(.frame(pair.candidate))).image) }
      labels += ["#\(pair.reference)", "#\(pair.candidate)"]
    }
    guard let sheet = ContactSheet(images: images, labels: labels, columns: 2) else { return }
    try CommandOutput.print { try $0.data(sheet.text(depth: capabilities.colorDepth, glyphSet: capabilities.glyphSet).utf8) }
  }

  /// Writes matching frames in full size, named by the reference's frame and the clip.
  private func save(_ selection: FrameSelection, _ outcomes: [ComparisonOutcome], in folder: String, _ network: Network?) throws {
    try orTrouble(folder) {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw PlaybackError(.noPermission, "cannot be created")
      }
    }
    var written: Set<String> = []
    for (index, outcome) in outcomes.enumerated() {
      guard let comparison = outcome.comparison else { continue }
      let makers = makers(outcome, network, size: PixelSize(width: 0, height: 0))
      for pair in selection.pairs(in: comparison) {
        for (maker, number, clip, prefix) in [
          (makers.reference, pair.reference, outcome.reference, "reference"),
          (makers.candidate, pair.candidate, outcome.candidate, outcomes.count > 1 ? "candidate-\(index + 1)" : "candidate"),
        ] {
          let digits = String(pair.reference)
          let name = "\(folder)/\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)-\(prefix)-\(Self.stem(clip)).png"
          guard written.insert(name).inserted else { continue }
          let image = try orTrouble(clip) { try maker.still(at: .position(.frame(number))).image }
          try orTrouble(name) { _ = try ImageFile.write(image, to: name, replaces: true) }
        }
      }
    }
  }

  /// The name of a clip's file without its folder and extension, as part of another name.
  private static func stem(_ clip: String) -> String {
    let name = clip.split(separator: "/").last.map(String.init) ?? "clip"
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return String((stem.isEmpty ? name : stem).map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }.prefix(80))
  }
}
