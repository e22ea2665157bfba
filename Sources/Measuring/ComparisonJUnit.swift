import PlainText

/// Comparisons as a JUnit report, which build servers show.
public enum ComparisonJUnit {
  /// Returns a test suite with a test for each candidate.
  public static func text(_ outcomes: [ComparisonOutcome]) -> String {
    let errors = outcomes.count { $0.comparison == nil }
    let failures = outcomes.count { $0.comparison != nil && !$0.failures.isEmpty }
    let seconds = outcomes.reduce(0) { $0 + $1.seconds }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"quadrille compare\" tests=\"\(outcomes.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        + " time=\"\(ComparisonText.number(seconds))\">",
    ]
    for outcome in outcomes {
      let name = MarkupText.escaped(outcome.candidate), reference = MarkupText.escaped(outcome.reference)
      lines.append("  <testcase classname=\"\(reference)\" name=\"\(name)\" time=\"\(ComparisonText.number(outcome.seconds))\">")
      let kind = outcome.comparison == nil ? "error" : "failure"
      for reason in outcome.failures { lines.append("    <\(kind) message=\"\(MarkupText.escaped(reason))\"/>") }
      if let comparison = outcome.comparison {
        let text = ComparisonText(comparison).lines.map(MarkupText.escaped).joined(separator: "\n")
        lines.append("    <system-out>\(text)</system-out>")
      }
      lines.append("  </testcase>")
    }
    lines.append("</testsuite>")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Text for HTML and XML.
enum MarkupText {
  /// Replaces the characters that have a meaning. Control characters, which XML forbids, and marks that change the direction of the text
  /// around, which would make names lie, become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.steersTerminals: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
