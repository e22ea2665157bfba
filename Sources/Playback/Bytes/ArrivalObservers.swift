/// The closures to call when data have arrived. A value; its owner protects it, and calls them without its lock.
struct ArrivalObservers {
  private var bodies: [Int: @Sendable () -> Void] = [:]
  private var count = 0

  /// All closures, in no particular order.
  var all: [@Sendable () -> Void] { Array(bodies.values) }

  /// Returns a number to remove the closure with.
  mutating func add(_ body: @escaping @Sendable () -> Void) -> Int {
    count += 1
    bodies[count] = body
    return count
  }

  mutating func remove(_ number: Int) { bodies[number] = nil }
}
