/// A bounded list of remarks on what could not be converted.
struct Remarks {
  private var named: [String] = []
  private var omitted = 0

  /// Adds a sentence without a full stop, unless it is already listed.
  mutating func add(_ remark: String) {
    if named.contains(remark) { return }
    if named.count < MovieLimits.remarks { named.append(remark) } else { omitted += 1 }
  }

  /// All remarks, and a count of those omitted.
  var all: [String] { omitted == 0 ? named : named + ["and \(omitted) more"] }
}
