import Libav

/// Decodes any picture of a stream exactly as a decode of the whole stream from its beginning would.
///
/// It chooses its own start points from a packet index and checks, packet by packet, that it reads what it
/// wanted to read, wherever libav lands. Used by one thread at a time.
final class ExactReader {
  /// A picture's identity: the packet it comes from, and which of that packet's pictures it is.
  struct Identity: Hashable {
    var ordinal: Int
    var occurrence: Int
  }

  private let path: String
  private let interrupter: Interrupter
  private let demuxer: Demuxer
  private let stream: Int
  private let threads: Int
  private let keepsAlpha: Bool
  let index: PacketIndex
  private var decoder: Decoder
  private let packet: Packet
  /// The picture that came out last.
  let frame: DecodedFrame

  /// Where the present run of decoding began; nil when there is none.
  private var runStart: Int?
  /// The packet that is read next in this run.
  private var nextOrdinal = 0
  /// Packets of the run that were handed to the decoder, for giving an unflushed first packet its headers.
  private var isFirstOfRun = false
  private var isDraining = false
  private var holdsPacket = false
  private var occurrences: [Int: Int] = [:]
  private(set) var framesDecoded = 0

  /// Packets that are read to get from where libav lands to where decoding is to begin.
  private static let mostSkipped = 20_000
  /// Packets past a picture's own after which it will not come any more.
  private static let mostDelay = 64

  init(
    path: String, demuxer: Demuxer, stream: Int, index: PacketIndex, threads: Int, keepsAlpha: Bool,
    interrupter: Interrupter
  ) throws {
    self.path = path
    self.demuxer = demuxer
    self.stream = stream
    self.index = index
    self.threads = threads
    self.keepsAlpha = keepsAlpha
    self.interrupter = interrupter
    decoder = try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha)
    packet = try Packet()
    frame = try DecodedFrame()
    demuxer.select(streams: [stream])
  }

  /// What decoding on gave.
  enum Step: Equatable {
    case frame(Identity)
    case endOfStream
  }

  // MARK: - Going to a picture

  /// Decodes until `frame` is the wanted picture, from where it is or from the nearest start point.
  ///
  /// - Parameter passing: called for every picture on the way, the wanted one included.
  /// - Returns: false when no start point leads to it.
  func go(to wanted: Identity, passing: (Identity) throws -> Void) throws -> Bool {
    var limit = Int.max
    while true {
      let start = index.startPoint(for: wanted.ordinal, before: limit)
      // Decoding on is right when it comes by without having been there, and not farther than a new start.
      if let run = runStart, limit == .max, !isDraining || holdsPacket, run <= wanted.ordinal,
        nextOrdinal <= wanted.ordinal, start <= nextOrdinal {
        if try decode(until: wanted, passing: passing) { return true }
      }
      if try begin(at: start), try decode(until: wanted, passing: passing) { return true }
      guard start > 0 else { return false }
      limit = start
    }
  }

  private func decode(until wanted: Identity, passing: (Identity) throws -> Void) throws -> Bool {
    while true {
      switch try next() {
      case .endOfStream: return false
      case .frame(let identity):
        try passing(identity)
        if identity == wanted { return true }
        if nextOrdinal > wanted.ordinal + Self.mostDelay, identity.ordinal > wanted.ordinal { return false }
      }
    }
  }

  // MARK: - Runs

  /// Begins decoding at a start point with an empty decoder.
  ///
  /// - Returns: false when the packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    runStart = nil
    guard try locate(ordinal) else { return false }
    if ordinal == 0 {
      // Flushing keeps some of what a decoder has seen; the reference is a decoder that has seen nothing.
      decoder = try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha)
    } else {
      decoder.flush()
      try packet.prepend(index.firstHeaders)
    }
    runStart = ordinal
    nextOrdinal = ordinal
    holdsPacket = true
    isDraining = false
    occurrences = [:]
    return true
  }

  /// Reads up to packet `ordinal`, which `packet` then holds.
  private func locate(_ ordinal: Int) throws -> Bool {
    let entry = index.entries.indices.contains(ordinal) ? index.entries[ordinal] : nil
    var attempts: [() throws -> Void] = []
    if ordinal > 0, let entry {
      if let time = entry.dts ?? entry.pts {
        attempts.append { [demuxer, stream] in try demuxer.seek(stream: stream, toKeyAtOrBefore: time) }
      }
      if entry.position >= 0 {
        attempts.append { [demuxer] in try demuxer.seek(toByte: entry.position) }
      }
      // libav came out behind it: begin at an earlier start point and read on.
      for back in [1, 8] {
        let i = index.starts.partitioningIndex { $0 >= ordinal } - back
        if i >= 0, let time = index.entries[index.starts[i]].dts ?? index.entries[index.starts[i]].pts {
          attempts.append { [demuxer, stream] in try demuxer.seek(stream: stream, toKeyAtOrBefore: time) }
        }
      }
    }
    attempts.append { [demuxer] in try demuxer.rewind() }
    for (i, attempt) in attempts.enumerated() {
      do { try attempt() } catch let error as AVError where !error.isInterrupted { continue }
      if try readUp(to: ordinal, mayBeFar: i == attempts.count - 1) { return true }
    }
    return false
  }

  private func readUp(to ordinal: Int, mayBeFar: Bool) throws -> Bool {
    var expected: Int?
    var skipped = 0
    var errors = 0
    while mayBeFar || skipped < Self.mostSkipped {
      do {
        guard try demuxer.read(into: packet) == .packet else { return false }
      } catch let error as AVError where !error.isInterrupted {
        errors += 1
        guard errors < 100 else { return false }
        continue
      }
      guard packet.streamIndex == stream else { continue }
      skipped += 1
      guard let found = index.ordinal(of: packet, expected: expected) else {
        // What a seek cuts in two is no packet of the index.
        expected = nil
        continue
      }
      if found == ordinal { return true }
      if found > ordinal { return false }
      expected = found + 1
    }
    return false
  }

  /// Decodes on until the next picture comes out, which `frame` then is.
  func next() throws -> Step {
    while true {
      do {
        switch try decoder.receive(into: frame) {
        case .frame:
          framesDecoded += 1
          let ordinal = Int(frame.tag)
          let occurrence = occurrences[ordinal, default: 0]
          occurrences[ordinal] = occurrence + 1
          return .frame(Identity(ordinal: ordinal, occurrence: occurrence))
        case .endOfStream:
          runStart = nil
          return .endOfStream
        case .needsPacket: break
        }
      } catch let error as AVError where !error.isInterrupted {
        // A damaged picture; the next packet may be good again.
      }
      try feed()
    }
  }

  private func feed() throws {
    if isDraining {
      _ = try? decoder.send(nil)
      return
    }
    if !holdsPacket {
      var errors = 0
      reading: while true {
        do {
          switch try demuxer.read(into: packet) {
          case .endOfFile:
            isDraining = true
            return
          case .packet:
            if packet.streamIndex == stream { break reading }
          }
        } catch let error as AVError where !error.isInterrupted {
          errors += 1
          if errors >= 100 {
            isDraining = true
            return
          }
        }
      }
      holdsPacket = true
    }
    do {
      if try decoder.send(packet, tag: Int64(nextOrdinal)) { didSend() }
    } catch let error as AVError where !error.isInterrupted {
      didSend()
    }
  }

  private func didSend() {
    holdsPacket = false
    nextOrdinal += 1
  }
}
