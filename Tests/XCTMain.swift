import Testing

/// Runs the tests. `scripts/test` builds with this entry point, so that the build needs no index in which to look for XCTest's.
@main enum EntryPoint {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
