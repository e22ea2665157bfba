import Alignment
import ArgumentParser
import Measuring
import Playback
import QuadrilleApp

/// Aligns clips with a reference and measures them.
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Align clips with a reference frame by frame, and measure them.",
    discussion: """
      Frames that were dropped, repeated, inserted or moved are found and listed, and only frames that belong together are \
      measured. PSNR and SSIM are those of FFmpeg's filters, PSNR over all planes; XPSNR is of luma. A candidate of another size \
      or format is first brought to the reference's. The exit code is 1 if --fail-below or --fail-on is not met.
      """)

  @Argument(help: ArgumentHelp("The clip to measure by.", valueName: "reference"), completion: .file())
  var reference: String

  @Argument(help: ArgumentHelp("The clips to measure.", valueName: "candidate"), completion: .file())
  var candidates: [String]

  @Option(help: ArgumentHelp("Metrics, separated by commas: psnr, ssim, xpsnr (default: psnr,ssim); none only aligns.", valueName: "names"))
  var metrics: MetricList?

  @Flag(inversion: .prefixedNo, help: "Align the clips; with --no-align, frames are paired by their numbers.")
  var align = true

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A frame of the reference and the one of the candidate that belongs to it: 120:117. Can be repeated.", valueName: "frames"))
  var sync: [SyncArgument] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Fail if a figure is lower: ssim=0.98, p1:psnr=30 (mean, p1, p5 or worst). Can be repeated.", valueName: "limit"))
  var failBelow: [ComparisonLimits.Limit] = []

  @Option(
    help: ArgumentHelp(
      "Fail if the alignment finds something: dropped, repeated, inserted, removed, frozen, swapped, offset, unrelated.", valueName: "findings"))
  var failOn: FindingList?

  @Option(help: ArgumentHelp("Write figures, events and all frames as JSON; - for the standard output.", valueName: "file"), completion: .file())
  var json: String?

  @Option(help: ArgumentHelp("Write a line for each matched frame as CSV.", valueName: "file"), completion: .file())
  var csv: String?

  @Option(help: ArgumentHelp("Write the alignment as JSON.", valueName: "file"), completion: .file())
  var mapOut: String?

  @Option(help: ArgumentHelp("Threads that decode each clip.", valueName: "n"))
  var threads = 1

  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func validate() throws {
    if candidates.isEmpty { throw ValidationError("Give a reference and at least one candidate.") }
    if !(1...64 ~= threads) { throw ValidationError("--threads must be from 1 to 64.") }
    if candidates.count > 1, json != nil || csv != nil || mapOut != nil {
      throw ValidationError("--json, --csv and --map-out need a single candidate.")
    }
    if candidates.count > 1, !sync.isEmpty { throw ValidationError("--sync needs a single candidate.") }
  }

  func run() throws {
    let inputs = [reference] + candidates
    try logging.apply(sparing: InputFiles(inputs))
    let outputs = try [json, csv, mapOut].map { name in
      try name.map { name in try name == "-" ? nil : orFail(name) { try OutputFile(name, sparing: inputs) } } ?? nil
    }
    var options = ClipComparison.Options()
    if let metrics { options.metrics = metrics.metrics }
    (options.aligns, options.threads, options.network) = (align, threads, network.makeNetwork())
    options.syncPoints = sync.map(\.point)
    var limits = ComparisonLimits()
    limits.limits = failBelow
    limits.findings = failOn?.findings ?? []
    var hasFailed = false
    for candidate in candidates {
      let line = ProgressLine()
      let begin = ContinuousClock.now
      let comparison: ClipComparison
      do {
        comparison = try ClipComparison.compare(reference: reference, candidate: candidate, options: options) { stage, done, total in
          line.show(stage, done, total)
        }
      } catch let error as ComparisonError {
        line.clear()
        printError("quadrille: \(error.error.message(naming: error.path))")
        throw ExitCode(1)
      } catch let error as PlaybackError {
        line.clear()
        printError("quadrille: \(error.message(naming: candidate))")
        throw ExitCode(1)
      }
      line.clear()
      try write(comparison, to: outputs, seconds: (ContinuousClock.now - begin) / .seconds(1))
      for reason in limits.failures(of: comparison) {
        hasFailed = true
        printError("quadrille: \(candidate): \(reason)")
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  private func write(_ comparison: ClipComparison, to outputs: [OutputFile?], seconds: Double) throws {
    let documents: [(name: String?, bytes: () throws -> [UInt8])] = [
      (json, { try comparison.json() }), (csv, { Array(comparison.csv.utf8) }),
      (mapOut, { try comparison.mapJSON(id: comparison.candidate.path, seconds: seconds) }),
    ]
    for (document, output) in zip(documents, outputs) {
      guard let name = document.name else { continue }
      let bytes = try document.bytes()
      if let output {
        try orFail(name) { try output.write(bytes, sparing: [reference] + candidates) }
      } else {
        try CommandOutput.print { try $0.data(bytes) }
      }
    }
    guard ![json, csv, mapOut].contains("-") else { return }
    try CommandOutput.print { output in
      for line in ComparisonText(comparison).lines { try output.line("\(line)") }
      if candidates.count > 1 { try output.line("") }
    }
  }
}

/// Metrics by name.
struct MetricList: ExpressibleByArgument {
  let metrics: [Metric]

  init?(argument: String) {
    if argument == "none" {
      metrics = []
      return
    }
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map { Metric(rawValue: String($0)) }
    guard !names.isEmpty, !names.contains(nil) else { return nil }
    metrics = Metric.allCases.filter(names.compactMap { $0 }.contains)
  }
}

/// Findings by name.
struct FindingList: ExpressibleByArgument {
  let findings: Set<ComparisonLimits.Finding>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map { ComparisonLimits.Finding(rawValue: String($0)) }
    guard !names.isEmpty, !names.contains(nil) else { return nil }
    findings = Set(names.compactMap { $0 })
  }
}

/// A sync point: the numbers of a reference's and a candidate's frame.
struct SyncArgument: ExpressibleByArgument {
  let point: SyncPoint

  init?(argument: String) {
    let numbers = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let reference = numbers[0], let candidate = numbers[1], reference >= 0, candidate >= 0 else { return nil }
    point = SyncPoint(reference: reference, candidate: candidate)
  }
}

extension ComparisonLimits.Limit: ExpressibleByArgument {}
