import Foundation
import TestSupport

/// Runs the programs of the examples, which are built beside the tests.
enum ExampleProgram {
  /// The lines that a program prints; throws when it fails or does not end within a minute.
  static func run(_ name: String, _ arguments: String...) throws -> [String] {
    let program = try PackageFolder.products().appendingPathComponent(name).path
    let output = try MediaTool.run("timeout", ["60", program] + arguments)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
