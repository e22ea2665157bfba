/// What could not be taken over, in sentences for people; not more than anyone reads.
struct Remarks {
  private var told: [String] = []
  private var untold = 0

  /// Adds a sentence without a full stop.
  mutating func add(_ remark: String) {
    if told.contains(remark) { return }
    if told.count < MovieLimits.remarks { told.append(remark) } else { untold += 1 }
  }

  /// All of them.
  var all: [String] { untold == 0 ? told : told + ["and \(untold) more of this kind"] }
}
