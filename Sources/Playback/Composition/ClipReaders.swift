import Pixels

/// An opened clip of a composition.
struct OpenedClip {
  var source: any FrameSource
  /// The maximum distance of its timestamps from the true times of their frames.
  var tolerance: MediaTime
  /// Ends its reading; kept alive by its user. Nil if nothing is read.
  var session: InputSession?
}

/// The readers of a composition's clips: each file is opened as often as needed at the same time.
///
/// Use from one thread at a time.
final class ClipReaders {
  /// Opens a clip; the second parameter is the number of clips that are open already.
  typealias Open = (CompositionClip, Int) throws -> OpenedClip

  private struct Entry {
    var reader: ClipReader
    var clip: CompositionClip
    var opened: OpenedClip
    var isTaken: Bool
    var lastUse: Int
  }

  private let open: Open
  private var entries: [Entry] = []
  private var uses = 0
  /// Errors of clips that could not be opened, so that opening is not retried for each frame.
  private var failures: [CompositionClip: any Error] = [:]

  init(_ open: @escaping Open) { self.open = open }

  /// Takes a reader for a clip: an idle one shortly before a time, else another idle one, else a new one.
  ///
  /// - Throws: the reason that the clip cannot be opened.
  func take(for clip: CompositionClip, near time: MediaTime) throws -> (reader: ClipReader, tolerance: MediaTime) {
    if let error = failures[clip.source] { throw error }
    uses += 1
    let idle = entries.indices.filter { !entries[$0].isTaken && entries[$0].clip.hasSameSource(as: clip) }
    let best = idle.min { distance(entries[$0].reader, time) < distance(entries[$1].reader, time) }
    if let best {
      entries[best].isTaken = true
      entries[best].lastUse = uses
      return (entries[best].reader, entries[best].opened.tolerance)
    }
    makeRoom()
    do {
      let opened = try open(clip, entries.count)
      let reader = ClipReader(opened.source)
      entries.append(Entry(reader: reader, clip: clip, opened: opened, isTaken: true, lastUse: uses))
      return (reader, opened.tolerance)
    } catch {
      failures[clip.source] = error
      throw error
    }
  }

  /// Returns a reader that is no longer needed.
  func giveBack(_ reader: ClipReader) {
    guard let number = entries.firstIndex(where: { $0.reader === reader }) else { return }
    entries[number].isTaken = false
  }

  private func distance(_ reader: ClipReader, _ time: MediaTime) -> Double {
    guard let pts = reader.frame?.timing.pts else { return .greatestFiniteMagnitude }
    let ahead = (time - pts).seconds
    // A reader past the time would have to seek back.
    return ahead >= 0 ? ahead : 1e9 - ahead
  }

  private func makeRoom() {
    while entries.count >= OpenClips.maxIdle {
      let oldest = entries.indices.filter { !entries[$0].isTaken }.min { entries[$0].lastUse < entries[$1].lastUse }
      guard let oldest else { return }
      entries.remove(at: oldest)
    }
  }
}
