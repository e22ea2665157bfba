import Foundation

/// The seeds that random tests run with: a fixed set, and one that nobody has tried before.
///
/// The environment variable `QUADRILLE_TEST_SEEDS` overrides them for long runs. A number runs the seeds from 1 up to it and those
/// that found something; two numbers with a dash run the seeds in that range and no others. A failure names its seed.
///
///     QUADRILLE_TEST_SEEDS=1000 scripts/test --filter PlayerRandomTests
///     QUADRILLE_TEST_SEEDS=482-482 scripts/test --filter PlayerRandomTests
public enum TestSeeds {
  /// Returns the seeds from 1 to `count`, those in `found`, and a new one.
  ///
  /// - Parameter found: seeds that found something once.
  public static func first(_ count: UInt64, and found: [UInt64] = []) -> [UInt64] {
    guard let wish = ProcessInfo.processInfo.environment["QUADRILLE_TEST_SEEDS"], !wish.isEmpty else {
      return Array(1...max(1, count)) + found.filter { $0 > count } + [UInt64.random(in: 1_000_000..<1_000_000_000)]
    }
    let numbers = wish.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    if numbers.count == 2, let low = numbers[0], let high = numbers[1], low <= high { return Array(low...high) }
    let last = max(1, numbers.count == 1 ? numbers[0] ?? count : count)
    return Array(1...last) + found.filter { $0 > last }
  }
}
