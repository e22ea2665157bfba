/// The outputs of a player: their requests, and the frames they have taken.
struct OutputSet {
  private struct Entry {
    var request: RenderRequest?
    /// The serial number of the frame it took last.
    var takenSerial = 0
  }

  private var entries: [(id: Int, entry: Entry)] = []
  private var nextID = 0
  /// The distinct requests for each frame; empty while there are none, and nothing is decoded.
  private(set) var requests: [RenderRequest] = []
  /// The last requests that were not empty, for steps still in progress when all outputs go away.
  private(set) var lastRequests: [RenderRequest] = []

  var isVisible: Bool { !requests.isEmpty }

  mutating func add() -> Int {
    nextID += 1
    entries.append((nextID, Entry()))
    return nextID
  }

  mutating func remove(_ id: Int) {
    entries.removeAll { $0.id == id }
    collect()
  }

  func request(of id: Int) -> RenderRequest? { entries.first { $0.id == id }?.entry.request }

  mutating func setRequest(_ request: RenderRequest?, of id: Int) {
    guard let i = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[i].entry.request = request
    collect()
  }

  private mutating func collect() {
    var distinct: [RenderRequest] = []
    for (_, entry) in entries {
      if let request = entry.request, !distinct.contains(request) { distinct.append(request) }
    }
    requests = distinct
    if !distinct.isEmpty { lastRequests = distinct }
  }

  /// Returns true if an output has not taken the frame shown since a change.
  func isNew(_ serial: Int, for id: Int) -> Bool { entries.contains { $0.id == id && $0.entry.takenSerial != serial } }

  /// Returns true if any output has taken the frame shown since a change.
  func hasBeenTaken(_ serial: Int) -> Bool { entries.contains { $0.entry.takenSerial == serial } }

  /// Returns true if any output with a request has not taken the frame shown since a change.
  func isAwaited(_ serial: Int) -> Bool { entries.contains { $0.entry.request != nil && $0.entry.takenSerial != serial } }

  /// Resets what outputs have taken, since another item's frames are shown from now on.
  mutating func forgetTaken() { for i in entries.indices { entries[i].entry.takenSerial = 0 } }

  mutating func didTake(_ serial: Int, by id: Int) {
    if let i = entries.firstIndex(where: { $0.id == id }) { entries[i].entry.takenSerial = serial }
  }
}
