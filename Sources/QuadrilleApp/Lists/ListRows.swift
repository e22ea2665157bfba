/// The rows of a list, each made when it is asked for: a list may have 100,000.
struct ListRows<Row>: RandomAccessCollection, Sendable {
  let count: Int
  /// Index of the current choice; nil if there is none.
  let current: Int?
  private let row: @Sendable (Int) -> Row

  /// - Parameter row: Makes the row with an index.
  init(count: Int, current: Int? = nil, row: @escaping @Sendable (Int) -> Row) {
    self.count = count
    self.current = current
    self.row = row
  }

  init(_ rows: [Row], current: Int? = nil) where Row: Sendable {
    self.init(count: rows.count, current: current) { rows[$0] }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Row { row(index) }

  /// Rows made from these.
  func converted<Other>(_ convert: @escaping @Sendable (Row) -> Other) -> ListRows<Other> {
    ListRows<Other>(count: count, current: current) { [row] in convert(row($0)) }
  }

  static func + (upper: ListRows, lower: ListRows) -> ListRows {
    let current = upper.current ?? lower.current.map { upper.count + $0 }
    return ListRows(count: upper.count + lower.count, current: current) { index in
      index < upper.count ? upper[index] : lower[index - upper.count]
    }
  }
}
