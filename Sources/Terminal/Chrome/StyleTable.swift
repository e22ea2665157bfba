/// Numbers for styles, which ncurses stores as colour pairs without interpreting them.
///
/// ncurses' own pair table depends on the terminal type and rounds colours; this one keeps them
/// exact.
struct StyleTable {
  /// The pair of transparent cells.
  static let hole: Int32 = 1
  /// Pair 0 is ncurses' own, for cells that have not been written.
  private static let first: Int32 = 2
  /// ncurses' pairs are 16-bit numbers in `setcchar`.
  private let capacity: Int

  private var numbers: [ChromeStyle: Int32] = [:]
  private var styles: [ChromeStyle] = []
  private var free: [Int32] = []

  init(capacity: Int = 4096) { self.capacity = capacity }

  /// The number of a style; nil if the table is full and needs `collect`.
  mutating func number(for style: ChromeStyle) -> Int32? {
    if let number = numbers[style] { return number }
    if let number = free.popLast() {
      styles[Int(number - Self.first)] = style
      numbers[style] = number
      return number
    }
    guard styles.count < capacity else { return nil }
    let number = Int32(styles.count) + Self.first
    styles.append(style)
    numbers[style] = number
    return number
  }

  /// Removes all styles except those whose numbers are `used`.
  mutating func collect(used: Set<Int32>) {
    free.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    for (index, style) in styles.enumerated() {
      let number = Int32(index) + Self.first
      if used.contains(number) { numbers[style] = number } else { free.append(number) }
    }
  }

  /// The style of a number; the plain one for ncurses' own pair.
  func style(_ number: Int32) -> ChromeStyle {
    let index = Int(number - Self.first)
    return styles.indices.contains(index) ? styles[index] : .plain
  }
}
