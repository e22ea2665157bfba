/// The state that observers receive.
extension PlayerCore {
  /// The events that tell the present state to somebody who knows nothing yet.
  var presentState: [PlayerEvent] {
    var events: [PlayerEvent] = []
    switch item.state {
    case .none, .opening: break
    case .ready: events.append(.itemReady)
    case .failed(let error): events.append(.itemFailed(error))
    }
    if item.duration.value.isNumeric { events.append(.durationChanged(item.duration.value)) }
    return events + [.rateChanged(clock.rate), .statusChanged(status)]
  }
}
