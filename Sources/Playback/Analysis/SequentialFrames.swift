import Libav
import Pixels

/// Decodes all frames of a clip's video, from the first to the last, in the order in which they are displayed.
///
/// Use it to measure clips, as a whole or in parts. Use from one thread at a time; only `interrupt` may be called from others.
package final class SequentialFrames {
  /// The frame decoded last.
  package let frame: DecodedFrame
  package let track: AssetTrack
  /// Number of frames decoded since the beginning, or since `seek`.
  package private(set) var count = 0
  private let session: InputSession
  private let startTime: MediaTime
  private let demuxer: Demuxer
  private let decoder: Decoder
  private let packet: Packet
  private var isDraining = false

  /// Opens a clip; blocks until done.
  ///
  /// - Parameters:
  ///   - path: a file or an address.
  ///   - threads: the number of threads that decode, at least 1.
  ///   - network: access to servers; nil to permit none.
  /// - Throws: `PlaybackError`.
  package init(path: String, threads: Int, network: Network? = nil) throws {
    do {
      session = InputSession(MediaInput(path: path, network: network))
      demuxer = try session.open().demuxer
      let facts = AssetFacts(demuxer)
      guard let track = facts.preferredVideoTrack else { throw MovieSource.noVideo(facts) }
      self.track = track
      startTime = facts.startTime
      decoder = try Decoder(demuxer: demuxer, stream: track.index, threads: max(1, threads), keepsAlpha: false)
      demuxer.select(streams: [track.index])
      packet = try Packet()
      frame = try DecodedFrame()
    } catch {
      throw PlaybackError(error)
    }
  }

  /// Makes reading fail from now on.
  package func interrupt() { session.interrupt() }

  /// The presentation time of `frame` in nanoseconds, counted from the clip's start.
  package var time: Int64 {
    let time = frame.bestEffortTimestamp.map { MediaTime(ticks: $0, in: track.timeBase) - startTime }
    return time?.clockNanoseconds ?? 0
  }

  /// Goes to the last keyframe at or before a time, or near it: the time of the next frame tells where decoding continues.
  ///
  /// - Parameter nanoseconds: a time counted from the clip's start.
  /// - Throws: `PlaybackError` if the source cannot seek.
  package func seek(to nanoseconds: Int64) throws {
    let base = track.timeBase
    let time = MediaTime(nanoseconds: nanoseconds) + startTime
    let ticks = time.ticks(timeBaseNumerator: base.numerator, timeBaseDenominator: base.denominator)
    do {
      try demuxer.seek(stream: track.index, toKeyAtOrBefore: ticks ?? 0)
    } catch {
      throw PlaybackError(error)
    }
    decoder.flush()
    (isDraining, count) = (false, 0)
  }

  /// Decodes the next frame. Returns false at the end.
  ///
  /// - Throws: `PlaybackError` if nothing more can be read.
  package func next() throws -> Bool {
    do {
      while true {
        switch (try? decoder.receive(into: frame)) ?? (isDraining ? .endOfStream : .needsPacket) {
        case .frame:
          count += 1
          return true
        case .endOfStream: return false
        case .needsPacket:
          if try demuxer.read(into: packet) == .packet {
            // Damaged packets have no frame.
            if packet.streamIndex == track.index { _ = try? decoder.send(packet) }
          } else {
            isDraining = true
            _ = try? decoder.send(nil)
          }
        }
      }
    } catch {
      throw PlaybackError(error)
    }
  }
}
