import ArgumentParser
import Glibc
import Pixels
import Playback
import QuadrilleApp

extension ImageFile.Format: ExpressibleByArgument {}

/// The destination of a command's image: a file, or `-` for standard output.
struct ImageTarget {
  private let file: OutputFile?
  private let format: ImageFile.Format
  private let spared: [String]

  /// Rejects names that do not determine an image format, and standard output if it is a terminal.
  static func validate(_ name: String, _ format: ImageFile.Format?) throws {
    if name == "-" {
      if isatty(STDOUT_FILENO) == 1 {
        throw ValidationError("Refusing to write an image to a terminal; redirect the output to a file or a pipe.")
      }
    } else if format == nil, !ImageFile.canWrite(name) {
      throw ValidationError("The output file name must end in .png, .jpg or .jpeg unless --format is given.")
    }
  }

  /// Checks that the destination can be written.
  ///
  /// - Throws: `PlaybackError`.
  init(_ name: String, _ format: ImageFile.Format?, sparing clip: String) throws {
    self.format = format ?? ImageFile.format(ofName: name) ?? .png
    spared = name == "-" ? [] : InputFiles([clip]).paths
    file = name == "-" ? nil : try OutputFile(name, sparing: spared)
  }

  /// - Throws: `PlaybackError` or `CommandOutput.Failure`.
  func write(_ image: PixelImage) throws {
    let bytes = try ImageFile.encode(image, as: format)
    guard let file else { return try CommandOutput.print { try $0.data(bytes) } }
    try file.write(bytes, sparing: spared)
  }
}

/// Exits with a one-line message if an operation on a file fails.
@discardableResult
func orFail<R>(_ file: String, code: ExitCode = ExitCode(1), _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as PlaybackError {
    printError("quadrille: \(error.message(naming: file))")
    throw code
  }
}
