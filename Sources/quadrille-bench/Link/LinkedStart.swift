import TerminalHarness

/// How a program is started so that its output passes a link.
protocol LinkedStart {
  /// Starts the program with these arguments.
  func start(_ arguments: [String]) throws -> TerminalProcess
  /// Seconds that a key is on its way to the program.
  var keyDelay: Double { get }
  /// Whether the queries behind the program's updates reach the terminal.
  var passesQueries: Bool { get }
  /// Bytes of the terminal's that the link carries in a second; nil where that is not known, and without limit.
  var rate: Double? { get }
  /// Bytes that the link has carried, if others than the terminal's are to be counted.
  var linkBytes: Int? { get }
}

/// In the harness's own link.
struct DirectStart: LinkedStart {
  let bench: Workbench
  let speed: LinkSpeed
  /// Whether the terminal knows synchronized updates.
  var isSynchronized = false
  var keyDelay: Double { speed.roundTrip / 2 }
  let passesQueries = true
  var rate: Double? { speed.rate }
  let linkBytes: Int? = nil

  var options: TerminalProcess.Options {
    var options = bench.options
    options.setLink(bytesPerSecond: speed.rate ?? 1e12, roundTrip: speed.roundTrip, buffer: LinkSpeed.buffer)
    options.knowsSynchronizedUpdates = isSynchronized
    return options
  }

  func start(_ arguments: [String]) throws -> TerminalProcess { try bench.start(arguments, options) }
}
