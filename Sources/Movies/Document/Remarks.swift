/// What could not be taken over, in sentences for people; not more than anyone reads.
struct Remarks {
  private var named: [String] = []
  private var omitted = 0

  /// Adds a sentence without a full stop.
  mutating func add(_ remark: String) {
    if named.contains(remark) { return }
    if named.count < MovieLimits.remarks { named.append(remark) } else { omitted += 1 }
  }

  /// All of them.
  var all: [String] { omitted == 0 ? named : named + ["and \(omitted) more"] }
}
