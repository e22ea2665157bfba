/// A bounded list of warnings about what could not be converted.
struct Warnings {
  private var named: [String] = []
  private var omitted = 0

  /// Adds a sentence without a full stop, unless it is already listed.
  mutating func add(_ remark: String) {
    if named.contains(remark) { return }
    if named.count < MovieLimits.remarks { named.append(remark) } else { omitted += 1 }
  }

  /// All warnings, and a count of those omitted.
  var all: [String] { omitted == 0 ? named : named + ["and \(omitted) more"] }
}
