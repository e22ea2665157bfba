import ArgumentParser
import CellGraphics
import Glibc
import Pixels
import Playback
import QuadrilleApp
import Terminal

/// Prints or saves a contact sheet of a clip.
struct Thumbnails: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save or print a contact sheet of a clip.",
    discussion: """
      Divides the clip into equal parts and takes a frame from the middle of each, with its time below. Without an output file, prints \
      the sheet with half blocks, as wide as the terminal or 80 columns.
      """)

  @Argument(help: ArgumentHelp("A file or an address.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(help: ArgumentHelp("Number of frames, 1 to 1000.", valueName: "n"))
  var count = 20

  @Option(help: ArgumentHelp("Frames per row, 1 to 100.", valueName: "n"))
  var columns = 5

  @Option(
    help: ArgumentHelp(
      "Space for each frame, in pixels (default: at most 320 wide, or what fits the terminal).",
      valueName: "wxh"))
  var size: ThumbnailSize?

  @Option(help: "Colours for printing: auto, 24bit, 256, 16, 8 or mono.")
  var colors: ColorChoice?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Output file: .png, .jpg or .jpeg; - for standard output.", valueName: "file"), completion: .file())
  var output: String?

  @Option(help: "Image format, regardless of the file name.")
  var format: ImageFile.Format?

  func validate() throws {
    if !(1...1000 ~= count) { throw ValidationError("--count must be from 1 to 1000.") }
    if !(1...100 ~= columns) { throw ValidationError("--columns must be from 1 to 100.") }
    if let output { try ImageTarget.validate(output, format) }
    if let size, ContactSheet.size(count: count, columns: columns, tile: size.value).area > ContactSheet.maxPixels {
      throw ValidationError("The sheet would exceed 100 million pixels.")
    }
  }

  @OptionGroup var sequence: SequenceOption
  @OptionGroup var network: NetworkOption
  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: InputFiles([clip]))
    if let output {
      let target = try orFail(output) { try ImageTarget(output, format, sparing: clip) }
      let sheet = try orFail(clip) {
        try ContactSheet(
          clip: clip, frameRate: sequence.frameRate, network: network.makeNetwork(), count: count, columns: columns, size: size?.value ?? PixelSize(width: 320, height: 0),
          isFixed: size != nil)
      }
      try orFail(output) { try target.write(sheet.image()) }
      try report(sheet)
    } else {
      try printSheet()
    }
  }

  private func printSheet() throws {
    let environment = processEnvironment()
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: try TerminfoEntry.load(environment["TERM"]),
      requestedDepth: colors?.depth, codeset: TerminalCapabilities.environmentCodeset())
    let columns = min(columns, count)
    let width = max(1, (Self.terminalWidth + 1) / columns - 1)
    let sheet = try orFail(clip) {
      try ContactSheet(
        clip: clip, frameRate: sequence.frameRate, network: network.makeNetwork(), count: count, columns: columns, size: size?.value ?? PixelSize(width: width, height: 0),
        isFixed: size != nil)
    }
    try CommandOutput.print {
      try $0.data(sheet.text(depth: capabilities.colorDepth, glyphSet: capabilities.glyphSet).utf8)
    }
    try report(sheet)
  }

  /// Fails if frames are missing from the sheet.
  private func report(_ sheet: ContactSheet) throws {
    if let failure = sheet.failure { try orFail(clip) { throw failure } }
  }

  /// The width of the terminal on standard output, or 80 columns.
  static var terminalWidth: Int { min(outputColumns() ?? 80, TerminalSize.largest.columns) }
}

/// `--size`: "320x180", or "320x0" to derive one side from the clip's aspect ratio.
struct ThumbnailSize: ExpressibleByArgument {
  let value: PixelSize

  init?(argument: String) {
    guard let size = PixelSize(argument, sides: 0...8192), size.width > 0 || size.height > 0 else { return nil }
    value = size
  }
}
