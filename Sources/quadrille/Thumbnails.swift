import ArgumentParser
import CellGraphics
import Glibc
import Pixels
import Playback
import QuadrilleApp
import Terminal

/// Shows or saves a sheet of frames from all over a clip.
struct Thumbnails: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save a sheet of frames of a clip, or print it.",
    discussion: """
      The frames come from the middles of equal parts of the clip, each with its time below it. Without a file the sheet is printed in \
      half blocks, as wide as the terminal or 80 columns.
      """)

  @Argument(help: ArgumentHelp("A local file.", valueName: "clip"), completion: .file())
  var clip: String

  @Option(help: ArgumentHelp("How many frames, 1 to 1000.", valueName: "n"))
  var count = 20

  @Option(help: ArgumentHelp("How many in a row, 1 to 100.", valueName: "n"))
  var columns = 5

  @Option(
    help: ArgumentHelp(
      "Room for each frame in pixels; else at most 320 wide, or as many as fit the terminal.",
      valueName: "wxh"))
  var size: ThumbnailSize?

  @Option(help: "Colours when printing: auto, 24bit, 256, 16, 8 or mono.")
  var colors: ColorChoice?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write: .png, .jpg or .jpeg; - writes to standard output.", valueName: "file"), completion: .file())
  var output: String?

  @Option(help: "How the sheet is coded, whatever the name of the file.")
  var format: ImageFile.Format?

  func validate() throws {
    if !(1...1000 ~= count) { throw ValidationError("The number of frames must be from 1 to 1000.") }
    if !(1...100 ~= columns) { throw ValidationError("The number of columns must be from 1 to 100.") }
    if let output { try ImageTarget.validate(output, format) }
    if let size, ContactSheet.size(count: count, columns: columns, tile: size.value).area > ContactSheet.maxPixels {
      throw ValidationError("The sheet would have more than 100 million pixels.")
    }
  }

  @OptionGroup var logging: LogOption

  func run() throws {
    try logging.apply(sparing: [clip])
    if let output {
      let target = try orFail(output) { try ImageTarget(output, format, sparing: clip) }
      let sheet = try orFail(clip) {
        try ContactSheet(
          clip: clip, count: count, columns: columns, size: size?.value ?? PixelSize(width: 320, height: 0),
          isFixed: size != nil)
      }
      try orFail(output) { try target.write(sheet.image()) }
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
        clip: clip, count: count, columns: columns, size: size?.value ?? PixelSize(width: width, height: 0),
        isFixed: size != nil)
    }
    try CommandOutput.print {
      try $0.data(sheet.text(depth: capabilities.colorDepth, glyphSet: capabilities.glyphSet).utf8)
    }
  }

  /// Of the terminal that the sheet is printed on; 80 elsewhere.
  private static var terminalWidth: Int { min(outputColumns() ?? 80, TerminalSize.largest.columns) }
}

/// `--size`: "320x180", or "320x0" for what follows from the clip's shape.
struct ThumbnailSize: ExpressibleByArgument {
  let value: PixelSize

  init?(argument: String) {
    guard let size = PixelSize(argument, sides: 0...8192), size.width > 0 || size.height > 0 else { return nil }
    value = size
  }
}
