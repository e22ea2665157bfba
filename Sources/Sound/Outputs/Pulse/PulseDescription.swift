internal import CPulse

/// The name that people know a device by, asked of the server.
final class PulseDescription {
  private let pulse: UnsafePointer<qd_pulse>
  private var operation: OpaquePointer?
  /// Nil until answered. If the server does not know, the device's own name.
  private(set) var text: String?
  private let fallback: String

  init(_ pulse: UnsafePointer<qd_pulse>, _ context: PulseContext, device: String) {
    (self.pulse, fallback) = (pulse, device)
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    operation = pulse.pointee.context_get_sink_info_by_name(context.handle, device, { _, info, end, pointer in
      guard let pointer else { return }
      let this = Unmanaged<PulseDescription>.fromOpaque(pointer).takeUnretainedValue()
      if let description = info?.pointee.description { this.text = String(cString: description) }
      if end != 0, this.text == nil { this.text = this.fallback }
    }, pointer)
    if operation == nil { text = device }
  }

  deinit {
    guard let operation else { return }
    // The answer must not come any more.
    pulse.pointee.operation_cancel(operation)
    pulse.pointee.operation_unref(operation)
  }
}
