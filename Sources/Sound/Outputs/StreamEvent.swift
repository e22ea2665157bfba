/// The latest orders to a stream.
struct StreamOrders {
  var isRunning = false
  var rewrites = false
  var closes = false
  var title = ""
}

/// An event in a stream.
enum StreamEvent {
  case open(SoundDevice)
  case render(UnsafeMutableBufferPointer<Float>, at: Int64)
  case reading(DeviceReading)
  case placeLost
  case underrun

  /// Calls the client's method for the event.
  func tell(_ client: any SoundOutputClient, of output: any SoundOutput) {
    switch self {
    case .open(let device): client.output(output, didOpen: device)
    case .render(let buffer, let index): client.output(output, render: buffer, at: index)
    case .reading(let reading): client.output(output, didRead: reading)
    case .placeLost: client.outputDidLosePlace(output)
    case .underrun: client.outputDidUnderrun(output)
    }
  }
}

/// The reason why a stream could not be opened, or ended: "connection refused".
struct SoundFailure: Error, Hashable {
  let reason: String
}
