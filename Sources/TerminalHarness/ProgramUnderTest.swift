import Foundation

/// The program that whole-program tests run.
public enum ProgramUnderTest {
  /// The path of `quadrille`; nil if it has not been built.
  ///
  /// The environment variable QUADRILLE_BINARY names it; otherwise, it is the one beside the tests.
  public static let path: String? = {
    if let named = ProcessInfo.processInfo.environment["QUADRILLE_BINARY"], !named.isEmpty { return named }
    guard let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      return nil
    }
    let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("quadrille")
      .path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
