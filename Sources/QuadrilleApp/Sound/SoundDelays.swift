import DecodePool
import Playback

/// The delays that users have set for their sound devices, kept in a file. Screen thread only.
final class SoundDelays {
  private let path: String?
  private var delays: [String: HostTime]

  /// The size of the file in bytes beyond which it is not read.
  private static let maxBytes = 1 << 16
  private static let millisecond: HostTime = 1_000_000

  /// - Parameter path: Path of the file; nil to keep nothing.
  init(path: String?) {
    self.path = path
    delays = path.map(Self.read) ?? [:]
  }

  /// The delay of a device in nanoseconds; nil if none was set.
  subscript(device: String) -> HostTime? { delays[Self.key(device)] }

  /// Sets a delay and writes it on another thread. A failure to do so is not worth reporting.
  func set(_ delay: HostTime, of device: String) {
    let key = Self.key(device)
    delays[key] = delay == 0 ? nil : delay
    guard let path else { return }
    try? detachThread {
      withExtendedLifetime(FileLock(beside: path)) {
        var all = Self.read(path)
        all[key] = delay == 0 ? nil : delay
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.value / Self.millisecond)\t\($0.key)\n" }
        try? OutputFile(path, isPrivate: true).write(Array(lines.joined().utf8))
      }
    }
  }

  /// Reads lines of a delay in milliseconds, a tab, and a device's name.
  private static func read(_ path: String) -> [String: HostTime] {
    let bytes = (try? InputText.read(path, limit: maxBytes)) ?? []
    var delays: [String: HostTime] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1)
      guard fields.count == 2, let delay = HostTime(fields[0]), abs(delay) <= 10_000 else { continue }
      delays[String(fields[1])] = delay * millisecond
    }
    return delays
  }

  /// A device may have any name.
  private static func key(_ device: String) -> String { String(device.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
