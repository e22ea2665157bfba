import PlainText

/// One figure of the table with its target.
struct TableRow {
  var what: String
  var figure: String
  var target: String
  /// nil where there is no target, or nothing to compare with.
  var isMet: Bool?
  /// What the figure was made of.
  var samples: String

  /// A figure that is to be at most `limit`.
  init(_ what: String, _ values: [Double], atMost limit: Double, unit: String = "", digits: Int = 2, note: String = "") {
    let value = median(values)
    self.init(
      what: what, figure: "\(text(value, digits))\(unit)", target: "≤ \(text(limit))\(unit)",
      isMet: value <= limit, samples: Self.samples(values, digits, note))
  }

  /// A figure that is to be at least `limit`.
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

  /// All rows as a table in Markdown.
  static func table(_ rows: [TableRow]) -> String {
    var lines = ["| what | figure | target | met | of |", "|---|---:|---:|---|---|"]
    for row in rows {
      let met = row.isMet.map { $0 ? "yes" : "**no**" } ?? ""
      lines.append("| \(row.what) | \(row.figure) | \(row.target) | \(met) | \(row.samples) |")
    }
    return lines.joined(separator: "\n")
  }
}

/// The middle value; the mean of the two in the middle of an even number. There must be one.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The least value that at least such a part of the values does not exceed. There must be one.
func percentile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  return sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
}

/// A number with so many decimals, or with as many as it needs.
func text(_ value: Double, _ digits: Int? = nil) -> String {
  guard let digits else { return value == value.rounded() ? "\(Int(value))" : "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let rounded = Int((value * Double(scale)).rounded())
  guard digits > 0 else { return "\(rounded)" }
  return "\(rounded < 0 ? "-" : "")\(abs(rounded) / scale).\(String(abs(rounded) % scale, digits: digits))"
}
