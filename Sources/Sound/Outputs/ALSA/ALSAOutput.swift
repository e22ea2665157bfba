/// A stream to a device of the kernel.
package final class ALSAOutput: SoundOutput {
  package let kind = SoundOutputKind.alsa

  private let device: String
  private let now: @Sendable () -> Int64
  private let thread = StreamThread()

  /// - Parameter device: the name by which libasound knows the device.
  package init(device: String = "default", now: @escaping @Sendable () -> Int64 = SoundEngine.monotonicNow) {
    (self.device, self.now) = (device, now)
  }

  package func open(_ client: any SoundOutputClient) {
    thread.start(client, of: self) { [device, now] notify throws(SoundFailure) in
      try ALSAStream(ALSADevice(device), now: now, notify)
    }
  }

  package func setRunning(_ isRunning: Bool) { thread.order { $0.isRunning = isRunning } }

  package func rewrite() { thread.order { $0.rewrites = true } }

  package func setTitle(_ title: String) {}

  package func close() { thread.order { $0.closes = true } }
}
