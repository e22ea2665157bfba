import Alignment
import ArgumentParser
import FoundationEssentials
import Glibc
import Measuring
import Playback
import QuadrilleApp

/// Aligns clips with a reference and measures them.
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Align clips with a reference frame by frame, and measure them.",
    usage: """
      quadrille compare <reference> <candidate> ... [<options>]
      quadrille compare --pairs <file> [--jobs <n>] [--shard <k/n>] [--output <file>] [<options>]
      quadrille compare --merge <results> ...
      """,
    discussion: """
      Frames that were dropped, repeated, inserted or moved are found and listed, and only frames that belong together are \
      measured. PSNR, SSIM and XPSNR are those of FFmpeg's filters, PSNR over all planes, XPSNR of luma. VMAF needs \
      libvmaf, or an ffmpeg with it. A candidate of another size or format is first brought to the reference's. The exit code is \
      1 if --fail-below or --fail-on is not met, and 2 if a clip could not be compared, or a file not be read or written.
      """)

  @Argument(help: ArgumentHelp("The reference, then the clips to measure; with --merge, files of results.", valueName: "clip"), completion: .file())
  var clips: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Another reference: each candidate is compared with the one that it has the most frames in common with. Can be repeated.", valueName: "clip"),
    completion: .file())
  var ref: [String] = []

  @Option(
    help: ArgumentHelp("Metrics, separated by commas: psnr, ssim, ms-ssim, xpsnr, vmaf (default: psnr,ssim); none only aligns.", valueName: "names"))
  var metrics: MetricList?

  @Option(help: ArgumentHelp("The ffmpeg that computes VMAF.", valueName: "program"), completion: .file())
  var ffmpeg: String?

  @Flag(inversion: .prefixedNo, help: "Align the clips; with --no-align, frames are paired by their numbers.")
  var align = true

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A frame of the reference and the one of the candidate that belongs to it: 120:117, instead of those named in the player. Can be repeated.", valueName: "frames"))
  var sync: [SyncArgument] = []

  @Flag(help: "Ignore the sync points that were named in the player.")
  var noSyncFile = false

  @Option(
    help: ArgumentHelp(
      "Measure this, too, and fail if a figure is lower: ssim=0.98, p1:psnr=30 (mean, harmonic, p1, p5 or worst), separated by commas.", valueName: "limits"))
  var failBelow: [LimitList] = []

  @Option(
    help: ArgumentHelp(
      "Fail if the alignment finds something: dropped, repeated, inserted, removed, frozen, swapped, offset, unrelated.", valueName: "findings"))
  var failOn: FindingList?

  @Option(help: ArgumentHelp("Write figures, events and all frames as JSON; - for the standard output.", valueName: "file"), completion: .file())
  var json: String?

  @Option(help: ArgumentHelp("Write a line for each matched frame as CSV.", valueName: "file"), completion: .file())
  var csv: String?

  @Option(help: ArgumentHelp("Write a page with plots, events and the worst frames.", valueName: "file"), completion: .file())
  var html: String?

  @Option(help: ArgumentHelp("Write a JUnit report.", valueName: "file"), completion: .file())
  var junit: String?

  @Option(help: ArgumentHelp("Write the alignment as JSON, a line for each candidate.", valueName: "file"), completion: .file())
  var mapOut: String?

  @Option(help: ArgumentHelp("Write a picture of the alignment: .png or .jpg.", valueName: "file"), completion: .file())
  var map: String?

  @Option(help: ArgumentHelp("Print matching frames: worst:10, every:500, or numbers of the reference's frames, such as 12,340.", valueName: "frames"))
  var frames: FrameSelection?

  @Option(help: ArgumentHelp("Write the frames that --frames names to a folder instead, as PNG files in full size.", valueName: "folder"), completion: .directory)
  var save: String?

  @Option(
    help: ArgumentHelp("Compare the pairs listed in a file: JSON lines with \"reference\" and \"candidate\", or CSV.", valueName: "file"),
    completion: .file())
  var pairs: String?

  @Option(help: ArgumentHelp("Pairs to compare at a time (default: the number of processor cores).", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The part of the pairs to compare: 2/8, or /8 for the part of this task of a scheduler. A Slurm array's tasks know theirs.",
      valueName: "k/n"))
  var shard: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Append results of --pairs to a file. Pairs whose results are in it are skipped, unless the options ask for more.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Print the results in files written with --pairs as one list, the worst first.")
  var merge = false

  @Option(help: ArgumentHelp("Threads that decode each clip.", valueName: "n"))
  var threads = 1

  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func validate() throws {
    if !(1...64 ~= threads) { throw ValidationError("--threads must be from 1 to 64.") }
    if let jobs, !(1...256 ~= jobs) { throw ValidationError("--jobs must be from 1 to 256.") }
    if merge {
      guard !clips.isEmpty, pairs == nil else { throw ValidationError("--merge needs files of results, and nothing else.") }
      return
    }
    if pairs != nil {
      guard clips.isEmpty, ref.isEmpty else { throw ValidationError("--pairs names the clips: give no others.") }
      let single = [json, csv, html, junit, mapOut, map, save].contains { $0 != nil } || frames != nil || !sync.isEmpty
      if single { throw ValidationError("With --pairs, results are lines of JSON: there are no other reports.") }
      _ = try part()
      return
    }
    if shard != nil || jobs != nil || output != nil { throw ValidationError("--shard, --jobs and --output need --pairs.") }
    if clips.count < 2 { throw ValidationError("Give a reference and at least one candidate.") }
    if clips.count > 2, !sync.isEmpty || map != nil { throw ValidationError("--sync and --map need a single candidate.") }
    if let map, !ImageFile.canWrite(map) { throw ValidationError("--map needs a name that ends with .png, .jpg or .jpeg.") }
    if save != nil, frames == nil { throw ValidationError("--save needs --frames.") }
  }

  func run() throws {
    do {
      let status = try merge ? printMerged() : compare()
      if status != .passed { throw status.exitCode }
    } catch let failure as CommandOutput.Failure where !failure.isClosedPipe {
      printError("quadrille: cannot write output: \(String(cString: strerror(failure.code)))")
      throw ComparisonStatus.trouble.exitCode
    }
  }

  private func compare() throws -> ComparisonStatus {
    let inputs = clips + ref + [pairs].compactMap { $0 }
    try logging.apply(sparing: InputFiles(inputs))
    var options = ClipComparison.Options()
    if let metrics { options.metrics = metrics.metrics }
    (options.aligns, options.threads, options.network) = (align, threads, network.makeNetwork())
    options.syncPoints = sync.map(\.point)
    if !noSyncFile { options.syncStore = UserFolders.syncPoints(processEnvironment()).map(SyncPointStore.init) }
    options.vmafProgram = ffmpeg
    options.store = UserFolders.signatures(processEnvironment()).map(SignatureStore.init)
    var limits = ComparisonLimits()
    limits.limits = failBelow.flatMap(\.limits)
    limits.findings = failOn?.findings ?? []
    options.metrics = Metric.allCases.filter { options.metrics.contains($0) || limits.metrics.contains($0) }
    if let pairs { return try compare(listedIn: pairs, options, limits) }
    let reports = try ComparisonReports(self, sparing: inputs)
    var outcomes: [ComparisonOutcome] = []
    for candidate in clips.dropFirst() {
      let line = ProgressLine()
      let outcome = ComparisonOutcome.best(references: [clips[0]] + ref, candidate: candidate, options: options, limits: limits) { line.show($0, $1, $2) }
      line.clear()
      outcomes.append(outcome)
      for reason in outcome.failures { printError("quadrille: \(outcome.comparison == nil ? "" : "\(outcome.candidate): ")\(reason)") }
    }
    try reports.write(outcomes, network: options.network)
    return outcomes.map { ComparisonStatus(isCompared: $0.comparison != nil, failures: $0.failures) }.max() ?? .passed
  }

  // MARK: - Many pairs

  /// The part of the list to work on; nil for all of it.
  private func part() throws -> Shard? {
    let environment = processEnvironment()
    do throws(Shard.Missing) {
      guard let shard else { return try Shard.ofTask(slurm: environment) }
      return try Shard(shard, environment: environment)
    } catch {
      throw ValidationError("\(shard.map { "--shard \($0): " } ?? "")\(error.reason).")
    }
  }

  private func compare(listedIn file: String, _ options: ClipComparison.Options, _ limits: ComparisonLimits) throws -> ComparisonStatus {
    let list: PairList
    do {
      list = try PairList(try contents(of: file, limit: 64 << 20))
    } catch let error as PairList.Malformed {
      printError("quadrille: \(file):\(error.line): \(error.reason)")
      return .trouble
    }
    let wanted = try part().map { list.pairs(of: $0) } ?? list.pairs
    let log = try orTrouble(output ?? "standard output") { try ResultLog(output, sparing: [file] + wanted.flatMap { [$0.reference, $0.candidate] }) }
    let open = wanted.filter { pair in
      guard let former = log.former[pair.id], former.covers(pair, options) else { return true }
      let judged = former.judged(by: limits)
      if judged == former { log.count(former) } else { log.append(judged) }
      return false
    }
    if open.count < wanted.count { printError("quadrille: \(wanted.count - open.count) of \(wanted.count) pairs are done already") }
    PairRun.run(open, jobs: jobs ?? SystemResources.processorCount, options: options, limits: limits) { log.append($0) }
    if let error = log.failure {
      printError("quadrille: \(error.message(naming: output ?? "standard output"))")
      return .trouble
    }
    return log.status
  }

  private func contents(of file: String, limit: Int) throws -> [UInt8] {
    try orTrouble(file) {
      guard let bytes = try InputText.read(file, limit: limit) else { throw PlaybackError(.notFound, "no such file") }
      return bytes
    }
  }

  private func printMerged() throws -> ComparisonStatus {
    let results = try clips.flatMap { PairResult.results(in: try contents(of: $0, limit: 1 << 30)) }
    let lines = try PairResult.merged(results).map { try $0.line() }
    try CommandOutput.print { output in for line in lines { try output.data(line) } }
    return .passed
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

/// Limits of figures.
struct LimitList: ExpressibleByArgument {
  let limits: [ComparisonLimits.Limit]

  init?(argument: String) {
    let limits = argument.split(separator: ",", omittingEmptySubsequences: false).map { ComparisonLimits.Limit(String($0)) }
    guard !limits.isEmpty, !limits.contains(nil) else { return nil }
    self.limits = limits.compactMap { $0 }
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
    guard let point = SyncPoint(argument) else { return nil }
    self.point = point
  }
}

extension FrameSelection: ExpressibleByArgument {}
