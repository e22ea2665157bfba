import DecodePool
import Libav

/// A live source while somebody needs it: ends receiving when it is freed. Safe to use from any thread.
final class LiveSource: Sendable {
  let packets: LivePackets

  /// Begins to receive a source.
  ///
  /// - Parameters:
  ///   - recording: the file to write what arrives to; nil for none.
  /// - Throws: `PlaybackError`, or `ThreadError`.
  init(_ address: LiveAddress, network: Network, store: sending BlockStore, recording: String?) throws {
    let request = try address.request(certificateFile: network.certificateFile)
    packets = LivePackets(store)
    try LiveFeed.begin(request, packets, recording: recording)
  }

  deinit { packets.close() }

  /// Ends receiving, and waits until what has been recorded is complete, or until a time in nanoseconds.
  func finish(until deadline: UInt64) {
    packets.close()
    packets.waitForFeedEnd(until: deadline)
  }

  /// The time of the newest frame's end, counted from the start; nil before there is one.
  var edge: MediaTime? { packets.opened == nil ? nil : packets.keptRange.end }

  /// The state of receiving ahead of playback.
  var report: DataSupply.Report {
    DataSupply.Report(hasArrived: packets.failure != nil, edge: edge?.seconds)
  }
}
