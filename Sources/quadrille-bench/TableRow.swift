import PlainText

/// One figure of the table with its target.
struct TableRow {
  var what: String
  var figure: String
  var target: String
  /// True if the target is met; nil if there is none, or nothing to compare with.
  var isMet: Bool?
  /// The values behind the figure.
  var samples: String

  /// Creates a row for a figure that must be at most `limit`.
  init(_ what: String, _ values: [Double], atMost limit: Double, unit: String = "", digits: Int = 2, note: String = "") {
    let value = median(values)
    self.init(
      what: what, figure: "\(text(value, digits))\(unit)", target: "≤ \(text(limit))\(unit)",
      isMet: value <= limit, samples: Self.samples(values, digits, note))
  }

  /// Creates a row for a figure that must be at least `limit`.
  init(_ what: String, _ values: [Double], atLeast limit: Double, unit: String = "", digits: Int = 2, note: String = "") {
    let value = median(values)
    self.init(
      what: what, figure: "\(text(value, digits))\(unit)", target: "≥ \(text(limit))\(unit)",
      isMet: value >= limit, samples: Self.samples(values, digits, note))
  }

  init(what: String, figure: String, target: String = "", isMet: Bool? = nil, samples: String = "") {
    self.what = what
    self.figure = figure
    self.target = target
    self.isMet = isMet
    self.samples = samples
  }

  private static func samples(_ values: [Double], _ digits: Int, _ note: String) -> String {
    let list = values.sorted().map { text($0, digits) }.joined(separator: " ")
    return note.isEmpty ? list : "\(list) (\(note))"
  }

  /// Returns all rows as a table in Markdown.
  static func table(_ rows: [TableRow]) -> String {
    var lines = ["| what | figure | target | met | of |", "|---|---:|---:|---|---|"]
    for row in rows {
      let met = row.isMet.map { $0 ? "yes" : "**no**" } ?? ""
      lines.append("| \(row.what) | \(row.figure) | \(row.target) | \(met) | \(row.samples) |")
    }
    return lines.joined(separator: "\n")
  }
}

/// Returns the middle value, or the mean of the two in the middle of an even number. There must be at least one.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Returns the least value that at least the given part of the values does not exceed. There must be at least one.
func percentile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  return sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
}

/// Formats a number with `digits` decimals, or with as many as it needs.
func text(_ value: Double, _ digits: Int? = nil) -> String {
  guard let digits else { return value == value.rounded() ? "\(Int(value))" : "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let rounded = Int((value * Double(scale)).rounded())
  guard digits > 0 else { return "\(rounded)" }
  return "\(rounded < 0 ? "-" : "")\(abs(rounded) / scale).\(String(abs(rounded) % scale, digits: digits))"
}
