import TerminalHarness

/// A way to start a program so that its output passes a link.
protocol LinkedStart {
  /// Starts the program with these arguments.
  func start(_ arguments: [String]) throws -> TerminalProcess
  /// Seconds that a key takes to the program.
  var keyDelay: Double { get }
  /// True if the queries after the program's updates reach the terminal.
  var passesQueries: Bool { get }
  /// Bytes per second that the link carries for the terminal; nil if unknown or unlimited.
  var rate: Double? { get }
  /// Number of bytes that the link has carried, if it differs from the terminal's.
  var linkBytes: Int? { get }
}

/// A start in the harness's own link.
struct DirectStart: LinkedStart {
  let bench: Workbench
  let speed: LinkSpeed
  /// True if the terminal supports synchronized updates.
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
