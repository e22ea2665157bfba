/// What observers are told of the present.
extension PlayerCore {
  /// The events that tell the present state to somebody who knows nothing yet.
  var presentState: [PlayerEvent] {
    var events: [PlayerEvent] = []
    switch item {
    case .none, .opening: break
    case .ready: events.append(.itemReady)
    case .failed(let error): events.append(.itemFailed(error))
    }
    if itemDuration.value.isNumeric { events.append(.durationChanged(itemDuration.value)) }
    return events + [.rateChanged(clock.rate), .statusChanged(status)]
  }
}
