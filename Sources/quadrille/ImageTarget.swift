import ArgumentParser
import Glibc
import Pixels
import Playback
import QuadrilleApp

extension ImageFile.Format: ExpressibleByArgument {}

/// Where a command writes its image: a file, or standard output, which is called `-`.
struct ImageTarget {
  private let file: OutputFile?
  private let format: ImageFile.Format
  private let spared: [String]

  /// Complains about names that do not tell how the image is to be coded, and about terminals.
  static func validate(_ name: String, _ format: ImageFile.Format?) throws {
    if name == "-" {
      if isatty(STDOUT_FILENO) == 1 {
        throw ValidationError("An image is not for a terminal: send the output to a file or a pipe.")
      }
    } else if format == nil, !ImageFile.canWrite(name) {
      throw ValidationError("The name of the file to write must end in .png, .jpg or .jpeg, or --format say which it is.")
    }
  }

  /// Finds out whether it can be written.
  ///
  /// - Throws: `PlaybackError`.
  init(_ name: String, _ format: ImageFile.Format?, sparing clip: String) throws {
    self.format = format ?? ImageFile.format(ofName: name) ?? .png
    spared = name == "-" ? [] : Asset.filesRead(for: clip)
    file = name == "-" ? nil : try OutputFile(name, sparing: spared)
  }

  /// - Throws: `PlaybackError` or `CommandOutput.Failure`.
  func write(_ image: PixelImage) throws {
    let bytes = try ImageFile.encode(image, as: format)
    guard let file else { return try CommandOutput.print { try $0.data(bytes) } }
    try file.write(bytes, sparing: spared)
  }
}

/// Ends the program with one sentence and exit code 1 when something does not work with a file.
@discardableResult
func orFail<R>(_ file: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as PlaybackError {
    printError("quadrille: \(file): \(error.message)")
    throw ExitCode(1)
  }
}
