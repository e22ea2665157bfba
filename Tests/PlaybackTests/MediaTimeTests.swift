import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct MediaTimeTests {
  static let notNumeric: [MediaTime] = [.negativeInfinity, .indefinite, .positiveInfinity, .invalid]

  /// Times with every kind of size: tiny and huge values, round and prime timescales.
  static func random(_ generator: inout SeededGenerator) -> MediaTime {
    let bits = Int64.random(in: 0...63, using: &generator)
    let magnitude = Int64.random(in: 0...(bits == 63 ? .max : (1 << bits)), using: &generator)
    let scales: [Int32] = [1, 24, 25, 30_000, 24_000, 90_000, 44_100, 48_000, 1_000_000_000, .max, .max - 18]
    let scale =
      Bool.random(using: &generator)
      ? scales.randomElement(using: &generator) ?? 1 : Int32.random(in: 1...(.max), using: &generator)
    return MediaTime(value: Bool.random(using: &generator) ? magnitude : -magnitude - 1, timescale: scale)
  }

  @Test func kinds() {
    #expect(MediaTime(value: 5, timescale: 0) == .invalid)
    #expect(MediaTime(value: 5, timescale: -1) == .invalid)
    #expect(MediaTime.zero.isNumeric && MediaTime.zero.isValid)
    #expect(!MediaTime.invalid.isValid && !MediaTime.invalid.isNumeric)
    for time in [MediaTime.indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(time.isValid && !time.isNumeric && time.value == 0 && time.nanoseconds == nil)
    }
    #expect(MemoryLayout<MediaTime>.size <= 16)
  }

  @Test func totalOrder() {
    let ascending: [MediaTime] = [
      .negativeInfinity, .init(value: .min, timescale: 1), .init(value: -1, timescale: .max), .zero,
      .init(value: 1, timescale: .max), .init(value: 1, timescale: .max - 1),
      .init(value: 1001, timescale: 30_000),
      .init(value: .max, timescale: 2), .init(value: .max, timescale: 1), .indefinite, .positiveInfinity,
      .invalid,
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect((a < b) == (i < j), "\(a) \(b)")
        #expect((a == b) == (i == j), "\(a) \(b)")
      }
    }
  }

  /// Near 2^63 two fractions that differ by less than a double can tell must still compare right.
  @Test func comparisonIsExact() {
    let a = MediaTime(value: .max, timescale: .max)
    let b = MediaTime(value: .max - 1, timescale: .max)
    let c = MediaTime(value: .max - 2, timescale: .max - 1)
    #expect(b < a && a < c)
    #expect(MediaTime(value: 1 << 60, timescale: 1 << 30) == MediaTime(value: 1 << 30, timescale: 1))
  }

  @Test func equalTimesHashAlike() {
    var rounded = MediaTime(seconds: 0.1, preferredTimescale: 3)  // 0
    #expect(rounded.hasBeenRounded)
    rounded += MediaTime(value: 5, timescale: 10)
    let halves: Set<MediaTime> = [
      .init(value: 1, timescale: 2), .init(value: 45_000, timescale: 90_000), .init(value: 2, timescale: 4),
      rounded,
    ]
    #expect(halves.count == 1)
    #expect(Set([MediaTime.zero, .init(value: 0, timescale: 90_000)]).count == 1)
    #expect(Set(Self.notNumeric + Self.notNumeric).count == 4)
    #expect(Set([MediaTime(value: Int64.min, timescale: 2), MediaTime(value: Int64.min / 2, timescale: 1)]).count == 1)
  }

  @Test func sumsKeepAndFindTimescales() {
    let sum = MediaTime(value: 1, timescale: 25) + MediaTime(value: 2, timescale: 25)
    #expect(sum.value == 3 && sum.timescale == 25 && !sum.hasBeenRounded)
    let mixed = MediaTime(value: 1001, timescale: 30_000) + MediaTime(value: 1, timescale: 48_000)
    #expect(mixed.timescale == 240_000 && mixed.value == 8013 && !mixed.hasBeenRounded)
    let primes = MediaTime(value: 1, timescale: .max) + MediaTime(value: 1, timescale: .max - 18)
    #expect(primes.timescale == .max && primes.value == 2 && primes.hasBeenRounded)
    // The common timescale would be too large, yet the sum has lower terms that hold it.
    let third =
      MediaTime(value: 1, timescale: .max - 1) - MediaTime(value: 1, timescale: .max - 1)
      + MediaTime(value: 1_000_000_007, timescale: 1_000_000_007)
    #expect(third == MediaTime(value: 1, timescale: 1) && !third.hasBeenRounded)
  }

  @Test func overflowCoarsensAndAtLastIsInfinite() {
    let huge = MediaTime(value: .max, timescale: 600)
    let sum = huge + huge
    #expect(sum.isNumeric && sum.timescale == 300 && sum.value == .max && !sum.hasBeenRounded)
    let odd = huge + MediaTime(value: .max - 1, timescale: 600)
    #expect(odd.timescale == 300 && odd.hasBeenRounded)
    let whole = MediaTime(value: .max, timescale: 1)
    #expect(whole + whole == .positiveInfinity)
    #expect(-whole - whole == .negativeInfinity)
    let lowest = MediaTime(value: .min, timescale: 1)
    #expect(-lowest == .positiveInfinity)
    #expect(lowest.absoluteValue == .positiveInfinity)
    #expect(MediaTime.zero - lowest == .positiveInfinity)
    #expect(lowest - lowest == .zero)
    let fine = -MediaTime(value: .min, timescale: 4)
    #expect(fine.timescale == 1 && fine.value == 1 << 61 && !fine.hasBeenRounded)
    #expect(whole * 2 == .positiveInfinity)
    #expect(whole * -2 == .negativeInfinity)
    #expect(MediaTime(value: .min, timescale: .max) * Int.min == .positiveInfinity)
    #expect(huge.converted(toTimescale: 90_000) == .positiveInfinity)
    #expect((-huge).converted(toTimescale: 90_000) == .negativeInfinity)
  }

  @Test func sumsMatchExactFractions() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let a = Self.random(&generator)
      let b = Self.random(&generator)
      for (sign, result) in [(Int128(1), a + b), (-1, a - b)] {
        let numerator = Int128(a.value) * Int128(b.timescale) + sign * Int128(b.value) * Int128(a.timescale)
        let denominator = Int128(a.timescale) * Int128(b.timescale)
        guard result.isNumeric else {
          #expect(numerator.magnitude / denominator.magnitude >= UInt128(Int64.max))
          #expect(result == (numerator < 0 ? .negativeInfinity : .positiveInfinity))
          continue
        }
        let error = Int128(result.value) * denominator - numerator * Int128(result.timescale)
        #expect((error != 0) == result.hasBeenRounded, "\(a) \(b)")
        #expect(2 * error.magnitude <= denominator.magnitude, "\(a) \(b)")
      }
      let left = Int128(a.value) * Int128(b.timescale)
      let right = Int128(b.value) * Int128(a.timescale)
      #expect((a < b) == (left < right) && (a == b) == (left == right))
    }
  }

  @Test func notNumericArithmetic() {
    let one = MediaTime(value: 1, timescale: 1)
    #expect(MediaTime.positiveInfinity + .negativeInfinity == .invalid)
    #expect(MediaTime.positiveInfinity - .negativeInfinity == .positiveInfinity)
    #expect(MediaTime.positiveInfinity - .positiveInfinity == .invalid)
    #expect(MediaTime.indefinite - .positiveInfinity == .negativeInfinity)
    #expect(one + .indefinite == .indefinite)
    #expect(one - .positiveInfinity == .negativeInfinity)
    for other in Self.notNumeric + [one] {
      #expect(other + .invalid == .invalid)
      #expect(MediaTime.invalid - other == .invalid)
    }
    #expect(MediaTime.positiveInfinity * -3 == .negativeInfinity)
    #expect(MediaTime.positiveInfinity * 0 == .invalid)
    #expect(MediaTime.positiveInfinity * 0.0 == .invalid)
    #expect(MediaTime.indefinite * 0 == .indefinite)
    #expect(-MediaTime.negativeInfinity == .positiveInfinity)
    #expect(MediaTime.negativeInfinity.absoluteValue == .positiveInfinity)
    for time in Self.notNumeric {
      #expect(time.converted(toTimescale: 600) == time)
    }
  }

  @Test(
    arguments: [
      // value, from, to, [half away, toward 0, away, +∞, −∞, QuickTime]
      (5, 10, 1, [1, 0, 1, 1, 0, 0]), (-5, 10, 1, [-1, 0, -1, 0, -1, -1]),
      (4, 10, 1, [0, 0, 1, 1, 0, 0]), (-4, 10, 1, [0, 0, -1, 0, -1, -1]),
      (14, 10, 1, [1, 1, 2, 2, 1, 1]), (-14, 10, 1, [-1, -1, -2, -1, -2, -1]),
      (16, 10, 1, [2, 1, 2, 2, 1, 1]), (-16, 10, 1, [-2, -1, -2, -1, -2, -1]),
      (1, 3, 10, [3, 3, 4, 4, 3, 4]), (-1, 3, 10, [-3, -3, -4, -3, -4, -4]),
      (20, 10, 1, [2, 2, 2, 2, 2, 2]),
    ] as [(Int64, Int32, Int32, [Int64])])
  func rounding(value: Int64, from: Int32, to: Int32, expected: [Int64]) {
    for (mode, wanted) in zip(MediaTimeRounding.allCases, expected) {
      let time = MediaTime(value: value, timescale: from).converted(toTimescale: to, rounding: mode)
      #expect(time.value == wanted && time.timescale == to, "\(mode)")
      #expect(time.hasBeenRounded == (value * Int64(to) % Int64(from) != 0))
    }
  }

  @Test func roundingMatchesDoublesWhereTheyAreExact() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let value = Int64.random(in: -100_000...100_000, using: &generator)
      let time = MediaTime(value: value, timescale: 64)  // powers of two: the double is exact
      let scale = Int32.random(in: 1...1000, using: &generator)
      let exact = Double(value) * Double(scale) / 64
      let rules: [(MediaTimeRounding, FloatingPointRoundingRule)] = [
        (.halfAwayFromZero, .toNearestOrAwayFromZero), (.towardZero, .towardZero),
        (.awayFromZero, .awayFromZero), (.towardPositiveInfinity, .up), (.towardNegativeInfinity, .down),
      ]
      for (mode, rule) in rules {
        #expect(time.converted(toTimescale: scale, rounding: mode).value == Int64(exact.rounded(rule)))
      }
    }
  }

  @Test func secondsAndBack() {
    #expect(MediaTime(value: 1001, timescale: 30_000).seconds == 1001.0 / 30_000)
    #expect(MediaTime.positiveInfinity.seconds == .infinity)
    #expect(MediaTime.negativeInfinity.seconds == -.infinity)
    #expect(MediaTime.indefinite.seconds.isNaN && MediaTime.invalid.seconds.isNaN)

    let tenth = MediaTime(seconds: 0.1, preferredTimescale: 600)
    #expect(tenth.value == 60 && tenth.timescale == 600 && !tenth.hasBeenRounded)
    let third = MediaTime(seconds: 1.0 / 3, preferredTimescale: 100)
    #expect(third.value == 33 && third.hasBeenRounded)
    #expect(MediaTime(seconds: -0.005, preferredTimescale: 100).value == -1)
    #expect(MediaTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    #expect(MediaTime(seconds: 1, preferredTimescale: 0) == .invalid)
    #expect(MediaTime(seconds: -.infinity, preferredTimescale: 600) == .negativeInfinity)
    #expect(MediaTime(seconds: .greatestFiniteMagnitude, preferredTimescale: 600) == .positiveInfinity)
    #expect(MediaTime(seconds: .leastNonzeroMagnitude, preferredTimescale: 600).value == 0)
    #expect(MediaTime(seconds: .leastNonzeroMagnitude, preferredTimescale: 600).hasBeenRounded)
    #expect(MediaTime(seconds: 0x1p62, preferredTimescale: 1).value == 1 << 62)
    #expect(MediaTime(seconds: 0x1p63, preferredTimescale: 1) == .positiveInfinity)
    #expect(MediaTime(seconds: -0x1p63, preferredTimescale: 1).value == .min)
    #expect(MediaTime(seconds: 0x1p62, preferredTimescale: 600) == MediaTime(value: 1 << 62, timescale: 1))
  }

  @Test func multiplication() {
    let frame = MediaTime(value: 1001, timescale: 30_000)
    let hour = frame * 107_892
    #expect(hour.timescale == 30_000 && hour.value == 1001 * 107_892)
    let half = frame.multiplied(by: 1, dividedBy: 2)
    #expect(half == MediaTime(value: 1001, timescale: 60_000) && !half.hasBeenRounded)
    let kept = MediaTime(value: 10, timescale: 25).multiplied(by: -1, dividedBy: 5)
    #expect(kept.value == -2 && kept.timescale == 25)
    #expect(frame.multiplied(by: 1, dividedBy: 0) == .invalid)
    let minimum = MediaTime(value: 3, timescale: 7).multiplied(by: .min, dividedBy: .min)
    #expect(minimum == MediaTime(value: 3, timescale: 7))
    let tooFine = MediaTime(value: 1, timescale: 1_000_000_000).multiplied(by: 1, dividedBy: 7)
    #expect(tooFine.timescale == .max && tooFine.value == 0 && tooFine.hasBeenRounded)

    let doubled = MediaTime(value: 7, timescale: 25) * 2.0
    #expect(doubled.value == 14 && doubled.timescale == 25 && !doubled.hasBeenRounded)
    let scaled = MediaTime(value: 1, timescale: 25) * 0.3
    #expect(scaled.timescale == 102_400 && scaled.value == 1229 && scaled.hasBeenRounded)
    #expect(frame * Double.nan == .invalid)
    #expect(frame * -Double.infinity == .negativeInfinity)
    #expect(MediaTime.zero * Double.infinity == .invalid)
    #expect(frame * 1e300 == .positiveInfinity)
    #expect((frame * 1e-300).value == 0)
    let hugeHalf = MediaTime(value: .max, timescale: 1) * 0.5
    #expect(hugeHalf.isNumeric && hugeHalf.seconds == 0x1p62)
    let most = MediaTime(value: (1 << 62) + 1, timescale: 1) * 1.0
    #expect(most == MediaTime(value: (1 << 62) + 1, timescale: 1) && !most.hasBeenRounded)
  }

  @Test func timeBases() {
    let pts = MediaTime(ticks: 3003, timeBaseNumerator: 1, timeBaseDenominator: 90_000)
    #expect(pts.value == 3003 && pts.timescale == 90_000)
    let frames = MediaTime(ticks: 10, timeBaseNumerator: 1001, timeBaseDenominator: 30_000)
    #expect(frames.value == 10_010 && frames.timescale == 30_000)
    let reduced = MediaTime(ticks: 10, timeBaseNumerator: 2, timeBaseDenominator: 50)
    #expect(reduced.value == 10 && reduced.timescale == 25)
    #expect(MediaTime(ticks: .min, timeBaseNumerator: 1, timeBaseDenominator: 25) == .invalid)
    #expect(MediaTime(ticks: 1, timeBaseNumerator: 0, timeBaseDenominator: 25) == .invalid)
    #expect(MediaTime(ticks: 1, timeBaseNumerator: 1, timeBaseDenominator: -25) == .invalid)
    #expect(frames.ticks(timeBaseNumerator: 1001, timeBaseDenominator: 30_000) == 10)
    #expect(frames.ticks(timeBaseNumerator: 1, timeBaseDenominator: 90_000) == 30_030)
    #expect(frames.ticks(timeBaseNumerator: 1, timeBaseDenominator: 1, rounding: .awayFromZero) == 1)
    #expect(MediaTime(value: .max, timescale: 1).ticks(timeBaseNumerator: 1, timeBaseDenominator: 2) == nil)
    #expect(MediaTime.indefinite.ticks(timeBaseNumerator: 1, timeBaseDenominator: 2) == nil)
  }

  @Test func nanoseconds() {
    #expect(MediaTime(value: 1001, timescale: 30_000).nanoseconds == 33_366_667)
    #expect(MediaTime(value: -1, timescale: 3).nanoseconds == -333_333_333)
    #expect(MediaTime(value: 9_000_000_000, timescale: 90_000).nanoseconds == 100_000_000_000_000)
    #expect(MediaTime(value: 800_000_000_000, timescale: 90_000).nanoseconds == 8_888_888_888_888_889)
    #expect(MediaTime(value: .max, timescale: 1).nanoseconds == nil)
    #expect(MediaTime(nanoseconds: 1_500_000_000) == MediaTime(value: 3, timescale: 2))
  }

  @Test(
    arguments: [
      (3_723_450, 1000, 3, "1:02:03.450"), (-1, 1, 0, "-0:01"), (-1, 2, 0, "0:00"), (-1, 2, 1, "-0:00.5"),
      (59_999, 1000, 0, "0:59"), (60, 1, 0, "1:00"), (3600, 1, 0, "1:00:00"), (360_000, 1, 2, "100:00:00.00"),
      (1001, 30_000, 3, "0:00.033"), (.max, 1, 9, "2562047788015215:30:07.000000000"), (5, 1, -1, "0:05"),
    ] as [(Int64, Int32, Int, String)])
  func clockText(value: Int64, timescale: Int32, digits: Int, expected: String) {
    #expect(MediaTime(value: value, timescale: timescale).clockText(fractionDigits: digits) == expected)
  }

  @Test func clockTextRoundsAsItIsTold() {
    let time = MediaTime(value: 10099, timescale: 3000)
    #expect(time.clockText(fractionDigits: 3, rounding: .towardPositiveInfinity) == "0:03.367")
    #expect(time.clockText(fractionDigits: 0, rounding: .towardPositiveInfinity) == "0:04")
    let before = MediaTime(value: -10099, timescale: 3000)
    #expect(before.clockText(fractionDigits: 3, rounding: .towardPositiveInfinity) == "-0:03.366")
    #expect(MediaTime(value: 59_999_999, timescale: 1_000_000).clockText(rounding: .halfAwayFromZero) == "1:00")
  }

  @Test func clockTextOfNoNumber() {
    for time in Self.notNumeric { #expect(time.clockText(fractionDigits: 2) == "--:--") }
  }

  @Test(
    arguments: [
      ("12.5", 125, 10), ("0", 0, 1), ("1:02:03.450", 3_723_450, 1000), ("-0:01", -1, 1), ("90:00", 5400, 1),
      (".5", 5, 10), ("-1:00.25", -6025, 100), ("0.123456789", 123_456_789, 1_000_000_000),
      ("100000", 100_000, 1),
      ("0.12345678900", 123_456_789, 1_000_000_000),
    ] as [(String, Int64, Int32)])
  func readsClockText(text: String, value: Int64, timescale: Int32) throws {
    let time = try #require(MediaTime(clockText: text))
    #expect(time.value == value && time.timescale == timescale && !time.hasBeenRounded)
  }

  @Test(arguments: [
    "", "-", ".", "5.", "1:", ":1", "1:60", "1:60:00", "1:2:3:4", "1e5", "+1", "--1", "1.2.3", " 1", "1 ",
    "0x10",
    "1:-2", "1:.5", "٣", "9223372036854775808", "9223372036854775807.5", "999999999999999999:00", "nan",
    "inf",
  ])
  func refusesClockText(text: String) {
    #expect(MediaTime(clockText: text) == nil)
  }

  @Test func clockTextIsReadBack() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let time = MediaTime(value: .random(in: -1 << 40...1 << 40, using: &generator), timescale: 1000)
      #expect(try #require(MediaTime(clockText: time.clockText(fractionDigits: 3))) == time)
    }
    #expect(try #require(MediaTime(clockText: "0.1234567891")).hasBeenRounded)
  }

  @Test func descriptions() {
    #expect(MediaTime(value: 1, timescale: 4).description == "1/4 (0.25 s)")
    #expect(MediaTime.negativeInfinity.description == "−∞" && MediaTime.invalid.description == "invalid")
  }
}
