import Testing

/// Runs the tests. With an entry point in this place, the package manager needs no index in which to look for XCTest's tests.
///
/// `swift test` runs the executable twice, and names Swift Testing the second time only. There are no other tests.
@main enum EntryPoint {
  static func main() async {
    guard CommandLine.arguments.contains("--testing-library") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
