import Foundation

/// Which seeds random tests run with.
///
/// `QUADRILLE_TEST_SEEDS` in the environment chooses them for long runs: a number runs the seeds from 1 up to it, and those
/// that have found something; two numbers with a dash between run the seeds from one to the other, and no others.
///
///     QUADRILLE_TEST_SEEDS=1000 swift test --filter PlayerRandomTests
///     QUADRILLE_TEST_SEEDS=482-482 swift test --filter PlayerRandomTests
public enum TestSeeds {
  /// - Parameters:
  ///   - count: how many are run where the environment says nothing.
  ///   - found: further ones that have found something.
  public static func first(_ count: UInt64, and found: [UInt64] = []) -> [UInt64] {
    let wish = ProcessInfo.processInfo.environment["QUADRILLE_TEST_SEEDS"] ?? ""
    let numbers = wish.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    if numbers.count == 2, let low = numbers[0], let high = numbers[1], low <= high { return Array(low...high) }
    let last = numbers.count == 1 ? numbers[0] ?? count : count
    return Array(1...max(1, last)) + found.filter { $0 > last }
  }
}
